//! `list-clients`.

use crate::{Target, Traits};

pub const NAME: &str = "list-clients";
pub const ALIASES: &[&str] = &["lsc"];
pub const EXAMPLE: &str = "list-clients -t work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// List the clients
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// How to print each
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Only those of this session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
