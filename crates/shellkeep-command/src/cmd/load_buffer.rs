//! `load-buffer`.

use crate::{Target, Traits};

pub const NAME: &str = "load-buffer";
pub const ALIASES: &[&str] = &["loadb"];
pub const EXAMPLE: &str = "load-buffer notes.txt";
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Load a file into a paste buffer
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Also send it to the terminal's clipboard
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
