//! `save-buffer`.

use crate::{Target, Traits};

pub const NAME: &str = "save-buffer";
pub const ALIASES: &[&str] = &["saveb"];
pub const EXAMPLE: &str = "save-buffer -b buffer0 notes.txt";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
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
