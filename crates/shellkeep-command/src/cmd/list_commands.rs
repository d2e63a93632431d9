//! `list-commands`.

use crate::{Target, Traits};

pub const NAME: &str = "list-commands";
pub const ALIASES: &[&str] = &["lscm"];
pub const EXAMPLE: &str = "list-commands --json";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
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
