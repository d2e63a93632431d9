//! `attach-session`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "attach-session";
/// Short names.
pub const ALIASES: &[&str] = &["attach"];
/// What `-t` names.
pub const TARGET: Target = Target::Session;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: true,
};

/// Show a session in this terminal
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The session; the one used last if none is named
    #[arg(short = 't', value_name = "SESSION", conflicts_with = "name")]
    pub target: Option<String>,
    /// Detach all other clients of the session
    #[arg(short = 'd')]
    pub detach_others: bool,
    /// Only look: keys other than those that detach do nothing
    #[arg(short = 'r')]
    pub read_only: bool,
    /// The session, without -t
    #[arg(value_name = "SESSION")]
    pub name: Option<String>,
}
