//! `unbind-key`.

use crate::{Target, Traits};

pub const NAME: &str = "unbind-key";
pub const ALIASES: &[&str] = &["unbind"];
pub const EXAMPLE: &str = "unbind-key C-b";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Remove a key binding
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Every key of the table
    #[arg(short = 'a')]
    pub all: bool,
    /// In the root table
    #[arg(short = 'n')]
    pub root: bool,
    /// No error if there is none
    #[arg(short = 'q')]
    pub quiet: bool,
    /// The key table
    #[arg(short = 'T', value_name = "TABLE")]
    pub table: Option<String>,
    /// The key
    #[arg(value_name = "KEY")]
    pub key: Option<String>,
}
