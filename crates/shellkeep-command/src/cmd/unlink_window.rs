//! `unlink-window`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "unlink-window";
/// Short names.
pub const ALIASES: &[&str] = &["unlinkw"];
/// How it may be used.
pub const EXAMPLE: &str = "unlink-window -k";
/// What `-t` names.
pub const TARGET: Target = Target::Window;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Take a window out of one of the sessions that show it
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// End it if no other session shows it
    #[arg(short = 'k')]
    pub kill: bool,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
