//! `show-messages`.

use crate::{Target, Traits};

pub const NAME: &str = "show-messages";
pub const ALIASES: &[&str] = &["showmsgs"];
pub const EXAMPLE: &str = "show-messages";
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show recent messages
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Show running shell commands
    #[arg(short = 'J')]
    pub jobs: bool,
    /// Show the terminals and their features
    #[arg(short = 'T')]
    pub terminals: bool,
    /// The client
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
