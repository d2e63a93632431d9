//! `delete-buffer`.

use crate::{Target, Traits};

pub const NAME: &str = "delete-buffer";
pub const ALIASES: &[&str] = &["deleteb"];
pub const EXAMPLE: &str = "delete-buffer -b buffer0";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Delete a paste buffer
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The buffer; the newest if none is named
    #[arg(short = 'b', value_name = "BUFFER")]
    pub buffer: Option<String>,
}
