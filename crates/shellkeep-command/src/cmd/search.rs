//! `search`.

use crate::{Target, Traits};

pub const NAME: &str = "search";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "search -E 'error.*timeout'";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Find lines in everything that was ever printed
///
/// Searches the screens and the whole scrollback of all sessions: live, sleeping and archived ones. This wakes up and
/// changes nothing. A line that was wrapped at the margin is one line. Case matters if the pattern has capitals. The
/// most recently used panes come last, next to the prompt; with a limit the newest lines are shown. Lines are counted
/// from the beginning of the pane's life. The exit status is 1 if nothing was found.
///
/// With --since only lines that were printed at that time or later are found, with --until only those printed before.
/// Lines whose time is unknown, because an older version stored them, are left out then. WHEN is a time of day (14:05
/// or 14:05:09; the last time that clocks showed it), today or yesterday (the beginning of the day), now, a duration
/// ago (-2h; units are s, m, h, d and w), a day (2026-11-18), a day with a time (2026-11-18T14:05; in the server's time
/// zone unless Z or +02:00 follows), or @ and seconds since 1970.
///
/// In formats, search_line is the line, search_text the part that matches, search_line_number and search_column its
/// position, search_time the time when it was printed, search_context is 1 for a line of context, and search_count the
/// number of lines found in the pane.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag")]
pub struct Args {
    /// So many lines of context after each
    #[arg(short = 'A', value_name = "LINES")]
    pub after: Option<String>,
    /// So many lines of context before each
    #[arg(short = 'B', value_name = "LINES")]
    pub before: Option<String>,
    /// So many lines of context before and after each
    #[arg(short = 'C', value_name = "LINES")]
    pub context: Option<String>,
    /// Only how many lines were found in each pane
    #[arg(short = 'c')]
    pub count: bool,
    /// The pattern is a regular expression
    #[arg(short = 'E')]
    pub regex: bool,
    /// In the colours in which they were printed
    #[arg(short = 'e')]
    pub colors: bool,
    /// How to print each line
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Go to the line in copy mode: 1 is the newest
    #[arg(short = 'g', value_name = "NUMBER", conflicts_with_all = ["count", "list", "format", "json", "limit"])]
    pub go: Option<String>,
    /// Ignore case
    #[arg(short = 'i')]
    pub ignore_case: bool,
    /// Only the panes in which something was found
    #[arg(short = 'l', conflicts_with = "count")]
    pub list: bool,
    /// No more lines than these, the newest; 0 for all
    #[arg(short = 'n', long = "limit", value_name = "LINES", conflicts_with_all = ["count", "list"])]
    pub limit: Option<String>,
    /// Case matters, even if the pattern has no capitals
    #[arg(short = 's', conflicts_with = "ignore_case")]
    pub exact_case: bool,
    /// Only in this session, window or pane
    #[arg(short = 't', value_name = "TARGET")]
    pub target: Option<String>,
    /// Only in panes in this directory or below it
    #[arg(long = "cwd", value_name = "DIRECTORY")]
    pub cwd: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// Only lines that were printed at this time or later
    #[arg(long = "since", value_name = "WHEN", allow_hyphen_values = true)]
    pub since: Option<String>,
    /// Only in sessions that are active, hibernated or archived
    #[arg(long = "state", value_name = "STATE")]
    pub state: Option<String>,
    /// Only in sessions with this tag
    #[arg(long = "tag", value_name = "TAG")]
    pub tag: Option<String>,
    /// Only lines that were printed before this time
    #[arg(long = "until", value_name = "WHEN", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// The pattern
    #[arg(value_name = "PATTERN", required = true)]
    pub pattern: String,
}
