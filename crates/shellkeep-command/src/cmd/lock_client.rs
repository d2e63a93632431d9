//! `lock-client`.

use crate::{Target, Traits};

pub const NAME: &str = "lock-client";
pub const ALIASES: &[&str] = &["lockc"];
pub const EXAMPLE: &str = "lock-client";
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::None;
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
