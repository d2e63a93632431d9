//! `move-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "move-pane";
pub const ALIASES: &[&str] = &["movep"];
pub const EXAMPLE: &str = "move-pane -s %3 -t :2";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::Pane;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Move a pane into another window
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Put it to the left or above
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
    /// One above the other
    #[arg(short = 'v')]
    pub vertical: bool,
    /// Its size, in cells or per cent
    #[arg(short = 'l', value_name = "SIZE")]
    pub size: Option<String>,
    /// Its size, in per cent
    #[arg(short = 'p', value_name = "PERCENT")]
    pub percent: Option<String>,
    /// The pane; the marked pane if there is one
    #[arg(short = 's', value_name = "PANE")]
    pub source: Option<String>,
    /// The pane it is put beside
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
