//! `list-windows`.

use crate::{Target, Traits};

pub const NAME: &str = "list-windows";
pub const ALIASES: &[&str] = &["lsw"];
pub const EXAMPLE: &str = "list-windows -t work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// List the windows
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Of every session
    #[arg(short = 'a')]
    pub all: bool,
    /// How to print each
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Only those this format is true for
    #[arg(short = 'f', value_name = "FILTER")]
    pub filter: Option<String>,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
