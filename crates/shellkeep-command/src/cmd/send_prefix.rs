//! `send-prefix`.

use crate::{Target, Traits};

pub const NAME: &str = "send-prefix";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "send-prefix";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Type the prefix key into a pane
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The second prefix key
    #[arg(short = '2')]
    pub secondary: bool,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
