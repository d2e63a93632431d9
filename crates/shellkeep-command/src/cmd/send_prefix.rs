//! `send-prefix`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "send-prefix";
/// Short names.
pub const ALIASES: &[&str] = &[];
/// How it may be used.
pub const EXAMPLE: &str = "send-prefix";
/// What `-t` names.
pub const TARGET: Target = Target::Pane;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
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
