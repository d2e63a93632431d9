//! `capture-pane`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "capture-pane";
/// Short names.
pub const ALIASES: &[&str] = &["capturep"];
/// What `-t` names.
pub const TARGET: Target = Target::Pane;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Print what a pane shows
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Print it to standard output
    #[arg(short = 'p', required = true)]
    pub print: bool,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Join wrapped lines and keep trailing spaces
    #[arg(short = 'J')]
    pub join: bool,
    /// First line: 0 is the top of the screen, -1 the line above it, - the oldest there is
    #[arg(short = 'S', value_name = "LINE", allow_hyphen_values = true)]
    pub start: Option<String>,
    /// Last line: as for -S; - is the bottom of the screen
    #[arg(short = 'E', value_name = "LINE", allow_hyphen_values = true)]
    pub end: Option<String>,
}
