//! `archive`.

use crate::{Target, Traits};

pub const NAME: &str = "archive";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "archive -t old-work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// End a session and keep it as a record
///
/// Its programs end; names, layout, scrollback and all else stay on disk, out of the way. `list-sessions -a` lists it,
/// `reopen` brings it back, `forget` deletes it for good. This is what kill-session does too, unless the session is
/// private: a private one is not on disk, so nothing of it can stay.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// The session, without -t
    #[arg(value_name = "SESSION", conflicts_with = "target")]
    pub name: Option<String>,
}
