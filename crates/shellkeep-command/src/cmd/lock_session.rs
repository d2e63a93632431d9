//! `lock-session`.

use crate::{Target, Traits};

pub const NAME: &str = "lock-session";
pub const ALIASES: &[&str] = &["locks"];
pub const EXAMPLE: &str = "lock-session -t work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Lock the clients of a session
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
}
