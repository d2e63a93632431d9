//! `list-keys`.

use crate::{Target, Traits};

pub const NAME: &str = "list-keys";
pub const ALIASES: &[&str] = &["lsk"];
pub const EXAMPLE: &str = "list-keys -N";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: true,
};

/// List the key bindings
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Only the first
    #[arg(short = '1')]
    pub first: bool,
    /// With -N, also keys without a note
    #[arg(short = 'a')]
    pub all: bool,
    /// Only keys and notes
    #[arg(short = 'N')]
    pub notes: bool,
    /// With -N, what to write before each key
    #[arg(short = 'P', value_name = "PREFIX")]
    pub prefix: Option<String>,
    /// Only this key table
    #[arg(short = 'T', value_name = "TABLE")]
    pub table: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// Only this key
    #[arg(value_name = "KEY")]
    pub key: Option<String>,
}
