//! `break-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "break-pane";
pub const ALIASES: &[&str] = &["breakp"];
pub const EXAMPLE: &str = "break-pane -d -n logs";
pub const TARGET: Target = Target::WindowIndex;
pub const SOURCE: Target = Target::Pane;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Move a pane out into a window of its own
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Put it behind the target
    #[arg(short = 'a')]
    pub after: bool,
    /// Put it in front of the target
    #[arg(short = 'b')]
    pub before: bool,
    /// Do not make it the current window
    #[arg(short = 'd')]
    pub detached: bool,
    /// Print where it is
    #[arg(short = 'P')]
    pub print: bool,
    /// What -P prints
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Name of the window
    #[arg(short = 'n', value_name = "NAME")]
    pub name: Option<String>,
    /// The pane
    #[arg(short = 's', value_name = "PANE")]
    pub source: Option<String>,
    /// Where the window goes
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
