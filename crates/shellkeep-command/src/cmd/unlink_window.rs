//! `unlink-window`.

use crate::{Target, Traits};

pub const NAME: &str = "unlink-window";
pub const ALIASES: &[&str] = &["unlinkw"];
pub const EXAMPLE: &str = "unlink-window -k";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Remove a window from one of the sessions that show it
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// End it if no other session shows it
    #[arg(short = 'k')]
    pub kill: bool,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
