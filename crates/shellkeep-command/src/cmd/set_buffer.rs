//! `set-buffer`.

use crate::{Target, Traits};

pub const NAME: &str = "set-buffer";
pub const ALIASES: &[&str] = &["setb"];
pub const EXAMPLE: &str = "set-buffer -b note 'some text'";
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Set the contents or the name of a paste buffer
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Append to it
    #[arg(short = 'a')]
    pub append: bool,
    /// Also send it to the terminal's clipboard
    #[arg(short = 'w')]
    pub clipboard: bool,
    /// The buffer; a new one if none is named
    #[arg(short = 'b', value_name = "BUFFER")]
    pub buffer: Option<String>,
    /// Its new name
    #[arg(short = 'n', value_name = "NAME")]
    pub new_name: Option<String>,
    /// The client for -w
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
    /// Its contents
    #[arg(value_name = "DATA")]
    pub data: Option<String>,
}
