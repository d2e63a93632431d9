//! `rename-session`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "rename-session";
/// Short names.
pub const ALIASES: &[&str] = &["rename"];
/// How it may be used.
pub const EXAMPLE: &str = "rename-session -t work play";
/// What `-t` names.
pub const TARGET: Target = Target::Session;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Give a session another name
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// Its new name
    #[arg(value_name = "NAME")]
    pub name: String,
}
