//! `show-buffer`.

use crate::{Target, Traits};

pub const NAME: &str = "show-buffer";
pub const ALIASES: &[&str] = &["showb"];
pub const EXAMPLE: &str = "show-buffer -b buffer0";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Print a paste buffer
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The buffer; the newest if none is named
    #[arg(short = 'b', value_name = "BUFFER")]
    pub buffer: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
