//! `split-window`.

use crate::{Target, Traits};

pub const NAME: &str = "split-window";
pub const ALIASES: &[&str] = &["splitw"];
pub const EXAMPLE: &str = "split-window -h -l 30% -c '#{pane_current_path}'";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Split a pane in two
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Put the new one to the left or above
    #[arg(short = 'b')]
    pub before: bool,
    /// Do not make it the active pane
    #[arg(short = 'd')]
    pub detached: bool,
    /// Across the whole window
    #[arg(short = 'f')]
    pub full: bool,
    /// Side by side
    #[arg(short = 'h')]
    pub horizontal: bool,
    /// An empty pane that shows what is sent to it
    #[arg(short = 'I')]
    pub input: bool,
    /// Print where it is
    #[arg(short = 'P')]
    pub print: bool,
    /// One above the other
    #[arg(short = 'v')]
    pub vertical: bool,
    /// Zoom the window
    #[arg(short = 'Z')]
    pub zoom: bool,
    /// Directory to start in
    #[arg(short = 'c', value_name = "DIR")]
    pub directory: Option<String>,
    /// Set a variable in the program's environment
    #[arg(short = 'e', value_name = "VAR=VALUE")]
    pub environment: Vec<String>,
    /// What -P prints
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Size of the new one, in cells or per cent
    #[arg(short = 'l', value_name = "SIZE")]
    pub size: Option<String>,
    /// Size of the new one, in per cent
    #[arg(short = 'p', value_name = "PERCENT")]
    pub percent: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Program to run instead of the shell
    #[arg(trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<String>,
}
