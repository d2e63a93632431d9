//! `reopen`.

use crate::{Target, Traits};

pub const NAME: &str = "reopen";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "reopen old-work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: false,
};

/// Bring an archived session back
///
/// Its windows, layout and scrollback are as they were, and it is asleep: a pane that was asleep when it was archived
/// comes back with the state of its shell, any other with a new shell in its old directory. It is not archived again
/// before it is used, or archive-after has passed. Without a name it is the session that was archived last. If its name
/// is in use, a number is appended.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The session's name, or its id as list-sessions -a prints it
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// The session, without -t
    #[arg(value_name = "SESSION", conflicts_with = "target")]
    pub name: Option<String>,
}
