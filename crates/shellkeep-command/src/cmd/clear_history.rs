//! `clear-history`.

use crate::{Target, Traits};

pub const NAME: &str = "clear-history";
pub const ALIASES: &[&str] = &["clearhist"];
pub const EXAMPLE: &str = "clear-history -t %3";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Forget what has scrolled off a pane
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
