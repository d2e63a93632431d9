//! `capture-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "capture-pane";
pub const ALIASES: &[&str] = &["capturep"];
pub const EXAMPLE: &str = "capture-pane -p -S -100 -t work";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Print or store what a pane shows
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Of the alternate screen
    #[arg(short = 'a')]
    pub alternate: bool,
    /// Write what does not print as octal numbers
    #[arg(short = 'C')]
    pub escape: bool,
    /// With escape sequences for colours and attributes
    #[arg(short = 'e')]
    pub styles: bool,
    /// Join wrapped lines and keep trailing spaces
    #[arg(short = 'J')]
    pub join: bool,
    /// Keep trailing spaces
    #[arg(short = 'N')]
    pub trailing: bool,
    /// Print it to standard output
    #[arg(short = 'p')]
    pub print: bool,
    /// Only what has arrived of an unfinished escape sequence
    #[arg(short = 'P')]
    pub pending: bool,
    /// No error if there is no alternate screen
    #[arg(short = 'q')]
    pub quiet: bool,
    /// The paste buffer to store it in
    #[arg(short = 'b', value_name = "BUFFER")]
    pub buffer: Option<String>,
    /// Last line: as for -S; - is the bottom of the screen
    #[arg(short = 'E', value_name = "LINE")]
    pub end: Option<String>,
    /// First line: 0 is the top of the screen, -1 the line above it, - the oldest there is
    #[arg(short = 'S', value_name = "LINE")]
    pub start: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
