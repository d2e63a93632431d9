//! `attach-session`.

use crate::{Target, Traits};

pub const NAME: &str = "attach-session";
pub const ALIASES: &[&str] = &["attach"];
pub const EXAMPLE: &str = "attach-session -t work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: true,
};

/// Show a session in this terminal
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Detach all other clients of the session
    #[arg(short = 'd')]
    pub detach_others: bool,
    /// Leave the session's environment as it is
    #[arg(short = 'E')]
    pub keep_environment: bool,
    /// Only look: keys other than those that detach do nothing
    #[arg(short = 'r')]
    pub read_only: bool,
    /// Leave scrolling to the terminal: history, then output as it comes, for a session of one pane
    #[arg(long)]
    pub native: bool,
    /// With -d, also hang up the other clients' parents
    #[arg(short = 'x')]
    pub hang_up_others: bool,
    /// Directory new windows start in from now on
    #[arg(short = 'c', value_name = "DIR")]
    pub directory: Option<String>,
    /// Flags of the client, with commas between them
    #[arg(short = 'f', value_name = "FLAGS")]
    pub client_flags: Option<String>,
    /// The session; the one used last if none is named
    #[arg(short = 't', value_name = "SESSION", conflicts_with = "name")]
    pub target: Option<String>,
    /// The session, without -t
    #[arg(value_name = "SESSION")]
    pub name: Option<String>,
}
