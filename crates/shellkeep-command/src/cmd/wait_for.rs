//! `wait-for`.

use crate::{Target, Traits};

pub const NAME: &str = "wait-for";
pub const ALIASES: &[&str] = &["wait"];
pub const EXAMPLE: &str = "wait-for -S built";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Wait for a signal, or send one
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Lock the channel, and wait until it can be locked
    #[arg(short = 'L')]
    pub lock: bool,
    /// Wake all waiting commands
    #[arg(short = 'S')]
    pub signal: bool,
    /// Unlock the channel
    #[arg(short = 'U')]
    pub unlock: bool,
    /// The channel
    #[arg(value_name = "CHANNEL")]
    pub channel: String,
}
