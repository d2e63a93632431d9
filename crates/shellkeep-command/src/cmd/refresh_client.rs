//! `refresh-client`.

use crate::{Target, Traits};

pub const NAME: &str = "refresh-client";
pub const ALIASES: &[&str] = &["refresh"];
pub const EXAMPLE: &str = "refresh-client -S";
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Redraw a client's terminal, or change what it shows
///
/// Besides tmux's flags, -f accepts sleep-notices: a client in control mode then receives %pane-hibernated,
/// %pane-revived, %session-hibernated and %session-revived, and the same with -hibernate-failed and -revive-failed, of
/// all sessions.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Show the part of the window around the cursor again
    #[arg(short = 'c')]
    pub follow_cursor: bool,
    /// Show a part further down
    #[arg(short = 'D')]
    pub down: bool,
    /// Query the terminal's clipboard, for a new buffer; with a pane (-l%0), for the program there
    #[arg(short = 'l', value_name = "PANE", require_equals = true, num_args = 0..=1)]
    pub clipboard: Option<Option<String>>,
    /// Show a part further left
    #[arg(short = 'L')]
    pub left: bool,
    /// Show a part further right
    #[arg(short = 'R')]
    pub right: bool,
    /// Only redraw the status line
    #[arg(short = 'S')]
    pub status: bool,
    /// Show a part further up
    #[arg(short = 'U')]
    pub up: bool,
    /// In control mode, continue, pause or stop a pane's output
    #[arg(short = 'A', value_name = "PANE:STATE")]
    pub pane_states: Vec<String>,
    /// In control mode, report changes of a format
    #[arg(short = 'B', value_name = "NAME:WHAT:FORMAT")]
    pub subscriptions: Vec<String>,
    /// In control mode, the client's size
    #[arg(short = 'C', value_name = "SIZE")]
    pub size: Option<String>,
    /// Flags of the client, with commas between them
    #[arg(short = 'f', value_name = "FLAGS")]
    pub client_flags: Option<String>,
    /// The same, by its older name
    #[arg(short = 'F', value_name = "FLAGS")]
    pub old_client_flags: Option<String>,
    /// The client, by its terminal
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
    /// How far to move
    #[arg(value_name = "ADJUSTMENT")]
    pub adjustment: Option<String>,
}
