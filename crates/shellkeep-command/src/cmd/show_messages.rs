//! `show-messages`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "show-messages";
/// Short names.
pub const ALIASES: &[&str] = &["showmsgs"];
/// How it may be used.
pub const EXAMPLE: &str = "show-messages";
/// What `-t` names.
pub const TARGET: Target = Target::Client;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show the messages of late
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Show the shell commands that run
    #[arg(short = 'J')]
    pub jobs: bool,
    /// Show the terminals and what they can do
    #[arg(short = 'T')]
    pub terminals: bool,
    /// The client
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
