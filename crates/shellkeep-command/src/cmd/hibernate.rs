//! `hibernate`.

use crate::{Target, Traits};

pub const NAME: &str = "hibernate";
pub const ALIASES: &[&str] = &["sleep"];
pub const EXAMPLE: &str = "hibernate -t work";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Put sessions, windows or panes to sleep
///
/// A sleeping pane has no process and takes no memory; its screen, its scrollback and its shell's state are on disk, and it is
/// back when somebody looks at it or types into it. Only a shell that is idle at its prompt sleeps: a pane in which a program
/// runs is refused with the program's name, unless --force ends it; restore brings it back by a rule. A shell that does not tell
/// where its prompt is (shell-integration off, dash) takes --force as well; a new one comes back in its directory. A shell that is about to
/// show its prompt is given a second. What somebody looks at stays awake, as it would wake at once, unless revive-on is key. A
/// session's name means all of its panes and comes before windows whose names begin so, a window's place (work:1) those of the
/// window, and --idle alone all that was left alone for so long.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag")]
pub struct Args {
    /// All sessions
    #[arg(short = 'a', conflicts_with = "target")]
    pub all: bool,
    /// End programs that run, if that is what it takes
    #[arg(long = "force")]
    pub force: bool,
    /// Only what was idle for so long, e.g. 10m
    #[arg(long = "idle", value_name = "TIME")]
    pub idle: Option<String>,
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
