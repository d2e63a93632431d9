//! `list-sessions`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "list-sessions";
/// Short names.
pub const ALIASES: &[&str] = &["ls"];
/// How it may be used.
pub const EXAMPLE: &str = "list-sessions --json";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// List the sessions
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Also those in the archive
    #[arg(short = 'a')]
    pub all: bool,
    /// How to print each
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Only those this format is true for
    #[arg(short = 'f', value_name = "FILTER")]
    pub filter: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
