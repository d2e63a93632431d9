//! `restore`.

use crate::{Target, Traits};

pub const NAME: &str = "restore";
pub const ALIASES: &[&str] = &["wake"];
pub const EXAMPLE: &str = "restore -t work";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Wake sleeping sessions, windows or panes
///
/// They also wake up by themselves when a client attaches to them (with revive-on key: when a user types into them), or
/// when keys are sent to them. Panes that clients show wake up first, the others one after another until revive-budget
/// is used up. A program that was ended is run again, or typed and not sent, by resume-rules and the built-in rules; a
/// program that was part of a longer command is typed with all of the command. One line for each pane reports what was
/// restored and what was not. Targets are read as by hibernate.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// All sessions
    #[arg(short = 'a', conflicts_with = "target")]
    pub all: bool,
    /// Only sessions with this tag
    #[arg(long = "tag", value_name = "TAG")]
    pub tag: Option<String>,
    /// Only print what would happen
    #[arg(long = "dry-run")]
    pub dry_run: bool,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// The session, window or pane
    #[arg(short = 't', value_name = "TARGET")]
    pub target: Option<String>,
}
