//! `has-session`.

use crate::{Target, Traits};

pub const NAME: &str = "has-session";
pub const ALIASES: &[&str] = &["has"];
pub const EXAMPLE: &str = "has-session -t =work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Succeed if there is such a session, fail if not
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
}
