//! `lock-client`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "lock-client";
/// Short names.
pub const ALIASES: &[&str] = &["lockc"];
/// How it may be used.
pub const EXAMPLE: &str = "lock-client";
/// What `-t` names.
pub const TARGET: Target = Target::Client;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Lock a client
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The client
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
}
