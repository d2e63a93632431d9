//! `load-buffer`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "load-buffer";
/// Short names.
pub const ALIASES: &[&str] = &["loadb"];
/// How it may be used.
pub const EXAMPLE: &str = "load-buffer notes.txt";
/// What `-t` names.
pub const TARGET: Target = Target::Client;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Load a file into a paste buffer
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Send it to the terminal's clipboard, too
    #[arg(short = 'w')]
    pub clipboard: bool,
    /// Name of the buffer
    #[arg(short = 'b', value_name = "BUFFER")]
    pub buffer: Option<String>,
    /// The client for -w
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
    /// The file; - is standard input
    #[arg(value_name = "PATH")]
    pub path: String,
}
