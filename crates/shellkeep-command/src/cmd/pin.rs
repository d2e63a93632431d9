//! `pin`.

use crate::{Target, Traits};

pub const NAME: &str = "pin";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "pin -t work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Keep a session from being hibernated or archived automatically
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Undo this
    #[arg(short = 'u')]
    pub unpin: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
}
