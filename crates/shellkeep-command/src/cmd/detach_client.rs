//! `detach-client`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "detach-client";
/// Short names.
pub const ALIASES: &[&str] = &["detach"];
/// What `-t` names.
pub const TARGET: Target = Target::Client;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Give a client's terminal back; the session goes on
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The client, by its terminal; the one that asks if none is named
    #[arg(short = 't', value_name = "CLIENT", conflicts_with = "session")]
    pub target: Option<String>,
    /// Every client of this session
    #[arg(short = 's', value_name = "SESSION")]
    pub session: Option<String>,
    /// Every client but this one
    #[arg(short = 'a')]
    pub all_others: bool,
}
