//! `list-clients`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "list-clients";
/// Short names.
pub const ALIASES: &[&str] = &["lsc"];
/// How it may be used.
pub const EXAMPLE: &str = "list-clients -t work";
/// What `-t` names.
pub const TARGET: Target = Target::Session;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
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
