//! `display-popup`.

use crate::{Target, Traits};

pub const NAME: &str = "display-popup";
pub const ALIASES: &[&str] = &["popup"];
pub const EXAMPLE: &str = "display-popup -E -w 80% htop";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Run a program in a box over the panes
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Without a border
    #[arg(short = 'B')]
    pub no_border: bool,
    /// Close the one that is open
    #[arg(short = 'C')]
    pub close: bool,
    /// Close it when the program ends; twice: only if it succeeds
    #[arg(short = 'E', action = clap::ArgAction::Count)]
    pub close_on_exit: u8,
    /// What to draw the border with
    #[arg(short = 'b', value_name = "LINES")]
    pub border_lines: Option<String>,
    /// The client
    #[arg(short = 'c', value_name = "CLIENT")]
    pub client: Option<String>,
    /// Directory to start in
    #[arg(short = 'd', value_name = "DIR")]
    pub directory: Option<String>,
    /// Set a variable in the program's environment
    #[arg(short = 'e', value_name = "VAR=VALUE")]
    pub environment: Vec<String>,
    /// Its height, in rows or per cent
    #[arg(short = 'h', value_name = "HEIGHT")]
    pub height: Option<String>,
    /// Its style
    #[arg(short = 's', value_name = "STYLE")]
    pub style: Option<String>,
    /// Its border's style
    #[arg(short = 'S', value_name = "STYLE")]
    pub border_style: Option<String>,
    /// The pane its formats are about
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Its title
    #[arg(short = 'T', value_name = "TITLE")]
    pub title: Option<String>,
    /// Its width, in columns or per cent
    #[arg(short = 'w', value_name = "WIDTH")]
    pub width: Option<String>,
    /// Where, from the left
    #[arg(short = 'x', value_name = "POSITION")]
    pub column: Option<String>,
    /// Where, from the top
    #[arg(short = 'y', value_name = "POSITION")]
    pub row: Option<String>,
    /// Program to run instead of the shell
    #[arg(trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<String>,
}
