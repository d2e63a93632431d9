//! `unbind-key`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "unbind-key";
/// Short names.
pub const ALIASES: &[&str] = &["unbind"];
/// How it may be used.
pub const EXAMPLE: &str = "unbind-key C-b";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Take a key's binding away
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Every key of the table
    #[arg(short = 'a')]
    pub all: bool,
    /// In the root table
    #[arg(short = 'n')]
    pub root: bool,
    /// Say nothing if there is none
    #[arg(short = 'q')]
    pub quiet: bool,
    /// The key table
    #[arg(short = 'T', value_name = "TABLE")]
    pub table: Option<String>,
    /// The key
    #[arg(value_name = "KEY")]
    pub key: Option<String>,
}
