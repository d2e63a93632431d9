//! `list-commands`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "list-commands";
/// Short names.
pub const ALIASES: &[&str] = &["lscm"];
/// How it may be used.
pub const EXAMPLE: &str = "list-commands --json";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: true,
};

/// List the commands and their arguments
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// How to print each
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// Only this command
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}
