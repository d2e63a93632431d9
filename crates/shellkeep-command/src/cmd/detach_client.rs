//! `detach-client`.

use crate::{Target, Traits};

pub const NAME: &str = "detach-client";
pub const ALIASES: &[&str] = &["detach"];
pub const EXAMPLE: &str = "detach-client -s work";
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::Session;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Give a client's terminal back; the session goes on
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Every client but this one
    #[arg(short = 'a')]
    pub all_others: bool,
    /// Also hang up the client's parent
    #[arg(short = 'P')]
    pub hang_up: bool,
    /// Run this in the client's place
    #[arg(short = 'E', value_name = "COMMAND")]
    pub command: Option<String>,
    /// Every client of this session
    #[arg(short = 's', value_name = "SESSION")]
    pub session: Option<String>,
    /// The client, by its terminal; the current one if none is named
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
}
