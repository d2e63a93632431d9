//! `switch-client`.

use crate::{Target, Traits};

pub const NAME: &str = "switch-client";
pub const ALIASES: &[&str] = &["switchc"];
pub const EXAMPLE: &str = "switch-client -t work";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show another session in a client
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Leave the session's environment as it is
    #[arg(short = 'E')]
    pub keep_environment: bool,
    /// No effect; accepted as in tmux
    #[arg(short = 'F')]
    pub unused: bool,
    /// The one that was shown before
    #[arg(short = 'l')]
    pub last: bool,
    /// The next
    #[arg(short = 'n')]
    pub next: bool,
    /// The previous
    #[arg(short = 'p')]
    pub previous: bool,
    /// Make the client read-only, or writable again
    #[arg(short = 'r')]
    pub read_only: bool,
    /// Keep the window zoomed
    #[arg(short = 'Z')]
    pub keep_zoom: bool,
    /// The client
    #[arg(short = 'c', value_name = "CLIENT")]
    pub client: Option<String>,
    /// The session, window or pane
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// The key table its next key is looked up in
    #[arg(short = 'T', value_name = "TABLE")]
    pub table: Option<String>,
}
