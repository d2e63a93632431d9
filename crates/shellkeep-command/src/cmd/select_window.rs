//! `select-window`.

use crate::{Target, Traits};

pub const NAME: &str = "select-window";
pub const ALIASES: &[&str] = &["selectw"];
pub const EXAMPLE: &str = "select-window -t :2";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Make a window the current one
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// The one that was current before
    #[arg(short = 'l')]
    pub last: bool,
    /// The next
    #[arg(short = 'n')]
    pub next: bool,
    /// The previous
    #[arg(short = 'p')]
    pub previous: bool,
    /// The one before if it is current already
    #[arg(short = 'T')]
    pub toggle: bool,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
