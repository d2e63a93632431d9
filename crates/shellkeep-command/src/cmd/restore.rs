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
/// They also wake by themselves when somebody attaches to them (with revive-on key: types into them), or sends them keys. What
/// is seen wakes first, the rest one after another until revive-budget is used up. A program that was ended is run again, or
/// typed and not sent, by resume-rules and the rules that are built in; one that was part of a longer command is typed with all
/// of it. One line a pane says what has returned and what has not. Names mean what they mean to hibernate.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// All sessions
    #[arg(short = 'a', conflicts_with = "target")]
    pub all: bool,
    /// Only sessions with this tag
    #[arg(long = "tag", value_name = "TAG")]
    pub tag: Option<String>,
    /// Only say what would happen
    #[arg(long = "dry-run")]
    pub dry_run: bool,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// The session, window or pane
    #[arg(short = 't', value_name = "TARGET")]
    pub target: Option<String>,
}
