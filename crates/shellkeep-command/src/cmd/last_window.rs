//! `last-window`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "last-window";
/// Short names.
pub const ALIASES: &[&str] = &["last"];
/// How it may be used.
pub const EXAMPLE: &str = "last-window";
/// What `-t` names.
pub const TARGET: Target = Target::Session;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Go to the window that was current before
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
}
