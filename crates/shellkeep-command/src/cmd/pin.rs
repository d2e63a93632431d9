//! `pin`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "pin";
/// Short names.
pub const ALIASES: &[&str] = &[];
/// How it may be used.
pub const EXAMPLE: &str = "pin -t work";
/// What `-t` names.
pub const TARGET: Target = Target::Session;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Keep a session from being put to sleep or archived by itself
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// No longer
    #[arg(short = 'u')]
    pub unpin: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
}
