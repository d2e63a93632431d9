//! `list-buffers`.

use crate::{Target, Traits};

pub const NAME: &str = "list-buffers";
pub const ALIASES: &[&str] = &["lsb"];
pub const EXAMPLE: &str = "list-buffers -F '#{buffer_name}'";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// List the paste buffers
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
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
