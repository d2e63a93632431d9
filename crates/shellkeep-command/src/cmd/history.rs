//! `history`.

use crate::{Target, Traits};

pub const NAME: &str = "history";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "history --exit failed --since yesterday make";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// List the commands that were run
///
/// Lists what was typed at the prompts of bash, zsh and fish in all sessions, awake or asleep, the newest last: when it
/// began, how long it took, its exit status (- if that is not known), where it ran, and the line as typed. A duration
/// with a plus is that of a command that still runs. A line that the user keeps out of the shell's history, with a space
/// before it for example, is not recorded, and neither is anything in a private session. The pattern is a part of the
/// line; capitals matter if it has any. The exit status is 1 if nothing was found.
///
/// In formats, command_line is the line, command_id names it for output, command_cwd, command_started, command_ended,
/// command_duration (in milliseconds), command_exit, command_by, command_branch, command_commit and command_lines (of
/// its output) tell the rest, and session_name, session_id, session_archive_id, window_index and pane_id where it ran.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Commands of archived sessions, too
    #[arg(short = 'a')]
    pub archived: bool,
    /// How to print each command
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// No more than these, the newest; 0 for all (1000)
    #[arg(short = 'n', value_name = "COUNT")]
    pub count: Option<String>,
    /// Only in this session, window or pane
    #[arg(short = 't', value_name = "TARGET")]
    pub target: Option<String>,
    /// Only in sessions made by a user, or by an agent
    #[arg(long = "by", value_name = "MAKER")]
    pub by: Option<String>,
    /// Only what began in this directory or below it
    #[arg(long = "cwd", value_name = "DIRECTORY")]
    pub cwd: Option<String>,
    /// Only what ended like this: ok, failed or a status
    #[arg(long = "exit", value_name = "STATUS")]
    pub exit: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// Only what took longer than this, e.g. 10s
    #[arg(long = "longer-than", value_name = "TIME")]
    pub longer_than: Option<String>,
    /// Only what began then or later: 14:05, yesterday, -2h, 2026-11-18
    #[arg(long = "since", value_name = "WHEN", allow_hyphen_values = true)]
    pub since: Option<String>,
    /// Only in sessions with this tag
    #[arg(long = "tag", value_name = "TAG")]
    pub tag: Option<String>,
    /// Only what began before then
    #[arg(long = "until", value_name = "WHEN", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// A part of the line
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<String>,
}
