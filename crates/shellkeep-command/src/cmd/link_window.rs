//! `link-window`.

use crate::{Target, Traits};

pub const NAME: &str = "link-window";
pub const ALIASES: &[&str] = &["linkw"];
pub const EXAMPLE: &str = "link-window -s work:1 -t mail:9";
pub const TARGET: Target = Target::WindowIndex;
pub const SOURCE: Target = Target::Window;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Show a window in another session as well
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
    /// End a window that is at this index
    #[arg(short = 'k')]
    pub kill: bool,
    /// The window
    #[arg(short = 's', value_name = "WINDOW")]
    pub source: Option<String>,
    /// Where it goes
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
