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
/// A sleeping pane has no process and takes no memory. Its screen, its scrollback and its shell's state are on disk,
/// and it wakes up when a client shows it or a user types into it. Only a shell that is idle at its prompt is put to
/// sleep. A pane in which a program runs is refused with the program's name, unless --force ends the program; restore
/// brings it back by a rule. A shell that does not report where its prompt is (shell-integration off, dash) needs
/// --force as well; a new shell comes back in its directory. A shell that is about to show its prompt is given a
/// second. A pane that a client shows stays awake, as it would wake up at once, unless revive-on is key. The name of a
/// session means all of its panes and takes precedence over windows whose names begin so, a window's target (work:1)
/// means those of the window, and --idle alone means everything that has been idle for so long.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag")]
pub struct Args {
    /// All sessions
    #[arg(short = 'a', conflicts_with = "target")]
    pub all: bool,
    /// End programs that run, if that is what it takes
    #[arg(long = "force")]
    pub force: bool,
    /// Only what has been idle for so long, e.g. 10m
    #[arg(long = "idle", value_name = "TIME")]
    pub idle: Option<String>,
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
