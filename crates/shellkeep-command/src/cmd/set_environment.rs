//! `set-environment`.

use crate::{Target, Traits};

pub const NAME: &str = "set-environment";
pub const ALIASES: &[&str] = &["setenv"];
pub const EXAMPLE: &str = "set-environment -g EDITOR vim";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Set a variable in the environment of new programs
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Expand formats in the value
    #[arg(short = 'F')]
    pub expand: bool,
    /// Only for formats and configurations: programs do not get it
    #[arg(short = 'h')]
    pub hidden: bool,
    /// For every session
    #[arg(short = 'g')]
    pub global: bool,
    /// Programs do not get it, even if the server has it
    #[arg(short = 'r')]
    pub remove: bool,
    /// Forget it
    #[arg(short = 'u')]
    pub unset: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// The variable
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Its value
    #[arg(value_name = "VALUE")]
    pub value: Option<String>,
}
