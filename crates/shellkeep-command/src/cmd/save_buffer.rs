//! `save-buffer`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "save-buffer";
/// Short names.
pub const ALIASES: &[&str] = &["saveb"];
/// How it may be used.
pub const EXAMPLE: &str = "save-buffer -b buffer0 notes.txt";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Save a paste buffer to a file
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Append to the file
    #[arg(short = 'a')]
    pub append: bool,
    /// The buffer; the newest if none is named
    #[arg(short = 'b', value_name = "BUFFER")]
    pub buffer: Option<String>,
    /// The file; - is standard output
    #[arg(value_name = "PATH")]
    pub path: String,
}
