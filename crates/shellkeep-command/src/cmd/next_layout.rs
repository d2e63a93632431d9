//! `next-layout`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "next-layout";
/// Short names.
pub const ALIASES: &[&str] = &["nextl"];
/// How it may be used.
pub const EXAMPLE: &str = "next-layout";
/// What `-t` names.
pub const TARGET: Target = Target::Window;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Arrange the panes in the next way
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
