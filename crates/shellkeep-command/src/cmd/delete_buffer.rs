//! `delete-buffer`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "delete-buffer";
/// Short names.
pub const ALIASES: &[&str] = &["deleteb"];
/// How it may be used.
pub const EXAMPLE: &str = "delete-buffer -b buffer0";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
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
