//! `select-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "select-pane";
pub const ALIASES: &[&str] = &["selectp"];
pub const EXAMPLE: &str = "select-pane -L";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Make a pane the active one
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// The one below
    #[arg(short = 'D')]
    pub down: bool,
    /// Disable input to the pane
    #[arg(short = 'd')]
    pub disable_input: bool,
    /// Enable input to the pane
    #[arg(short = 'e')]
    pub enable_input: bool,
    /// The one to the left
    #[arg(short = 'L')]
    pub left: bool,
    /// The one that was active before
    #[arg(short = 'l')]
    pub last: bool,
    /// Clear the marked pane
    #[arg(short = 'M')]
    pub clear_mark: bool,
    /// Mark the pane
    #[arg(short = 'm')]
    pub mark: bool,
    /// The one to the right
    #[arg(short = 'R')]
    pub right: bool,
    /// The one above
    #[arg(short = 'U')]
    pub up: bool,
    /// Keep the window zoomed
    #[arg(short = 'Z')]
    pub keep_zoom: bool,
    /// Show its style
    #[arg(short = 'g')]
    pub show_style: bool,
    /// Set its style
    #[arg(short = 'P', value_name = "STYLE")]
    pub style: Option<String>,
    /// Set its title
    #[arg(short = 'T', value_name = "TITLE")]
    pub title: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
