//! `last-window`.

use crate::{Target, Traits};

pub const NAME: &str = "last-window";
pub const ALIASES: &[&str] = &["last"];
pub const EXAMPLE: &str = "last-window";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
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
