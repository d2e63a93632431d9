//! `kill-session`.

use crate::{Target, Traits};

pub const NAME: &str = "kill-session";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "kill-session -t work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// End a session and the programs in it
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Every session but this one
    #[arg(short = 'a')]
    pub all_others: bool,
    /// Only clear the alerts of its windows
    #[arg(short = 'C')]
    pub clear_alerts: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
}
