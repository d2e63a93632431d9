//! `show-hooks`.

use crate::{Target, Traits};

pub const NAME: &str = "show-hooks";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "show-hooks -g";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
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
