//! `rename-session`.

use crate::{Target, Traits};

pub const NAME: &str = "rename-session";
pub const ALIASES: &[&str] = &["rename"];
pub const EXAMPLE: &str = "rename-session -t work play";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Rename a session
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// Its new name
    #[arg(value_name = "NAME")]
    pub name: String,
}
