//! `show-options`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "show-options";
/// Short names.
pub const ALIASES: &[&str] = &["show"];
/// What `-t` names.
pub const TARGET: Target = Target::Session;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show options and their values
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Those for every session
    #[arg(short = 'g')]
    pub global: bool,
    /// Those of the server
    #[arg(short = 's')]
    pub server: bool,
    /// Only the value
    #[arg(short = 'v')]
    pub value_only: bool,
    /// Say nothing about an unknown option
    #[arg(short = 'q')]
    pub quiet: bool,
    /// Also those that were not set
    #[arg(short = 'A')]
    pub inherited: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// Only this option
    #[arg(value_name = "OPTION")]
    pub option: Option<String>,
}
