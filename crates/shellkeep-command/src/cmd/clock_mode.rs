//! `clock-mode`.

use crate::{Target, Traits};

pub const NAME: &str = "clock-mode";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "clock-mode";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
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
