//! `lock-session`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "lock-session";
/// Short names.
pub const ALIASES: &[&str] = &["locks"];
/// How it may be used.
pub const EXAMPLE: &str = "lock-session -t work";
/// What `-t` names.
pub const TARGET: Target = Target::Session;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Lock the clients of a session
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
}
