//! `list-sessions`.

use crate::{Target, Traits};

pub const NAME: &str = "list-sessions";
pub const ALIASES: &[&str] = &["ls"];
pub const EXAMPLE: &str = "list-sessions --json";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
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
