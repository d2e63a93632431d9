//! `show-hooks`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "show-hooks";
/// Short names.
pub const ALIASES: &[&str] = &[];
/// How it may be used.
pub const EXAMPLE: &str = "show-hooks -g";
/// What `-t` names.
pub const TARGET: Target = Target::Pane;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show the hooks and their commands
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// For every session or window
    #[arg(short = 'g')]
    pub global: bool,
    /// For the pane
    #[arg(short = 'p')]
    pub pane: bool,
    /// For the window
    #[arg(short = 'w')]
    pub window: bool,
    /// The session, window or pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// Only this hook
    #[arg(value_name = "HOOK")]
    pub hook: Option<String>,
}
