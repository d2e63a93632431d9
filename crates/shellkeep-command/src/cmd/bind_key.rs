//! `bind-key`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "bind-key";
pub const ALIASES: &[&str] = &["bind"];
pub const EXAMPLE: &str = "bind-key -n M-Left select-pane -L";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Bind a key to a command
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// In the root table: no prefix is needed
    #[arg(short = 'n')]
    pub root: bool,
    /// The key may be repeated without the prefix
    #[arg(short = 'r')]
    pub repeat: bool,
    /// The key table
    #[arg(short = 'T', value_name = "TABLE")]
    pub table: Option<String>,
    /// A note, for list-keys -N
    #[arg(short = 'N', value_name = "NOTE")]
    pub note: Option<String>,
    /// The key
    #[arg(value_name = "KEY")]
    pub key: String,
    /// The command and its arguments, or a block
    #[arg(trailing_var_arg = true, value_name = "COMMAND")]
    pub command: Vec<Script>,
}
