//! `move-window`.

use crate::{Target, Traits};

pub const NAME: &str = "move-window";
pub const ALIASES: &[&str] = &["movew"];
pub const EXAMPLE: &str = "move-window -r";
pub const TARGET: Target = Target::WindowIndex;
pub const SOURCE: Target = Target::Window;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Move a window elsewhere
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
    /// Renumber the session's windows without gaps
    #[arg(short = 'r')]
    pub renumber: bool,
    /// The window
    #[arg(short = 's', value_name = "WINDOW")]
    pub source: Option<String>,
    /// Where it goes
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
