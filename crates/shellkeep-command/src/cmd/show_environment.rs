//! `show-environment`.

use crate::{Target, Traits};

pub const NAME: &str = "show-environment";
pub const ALIASES: &[&str] = &["showenv"];
pub const EXAMPLE: &str = "show-environment -g PATH";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show the environment of new programs
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Only the hidden variables
    #[arg(short = 'h')]
    pub hidden: bool,
    /// For every session
    #[arg(short = 'g')]
    pub global: bool,
    /// As commands for a shell
    #[arg(short = 's')]
    pub shell: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// Only this variable
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}
