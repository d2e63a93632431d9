//! `clock-mode`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "clock-mode";
/// Short names.
pub const ALIASES: &[&str] = &[];
/// How it may be used.
pub const EXAMPLE: &str = "clock-mode";
/// What `-t` names.
pub const TARGET: Target = Target::Pane;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Show a clock in a pane
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
