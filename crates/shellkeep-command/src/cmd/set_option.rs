//! `set-option`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "set-option";
/// Short names.
pub const ALIASES: &[&str] = &["set"];
/// What `-t` names.
pub const TARGET: Target = Target::Session;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: false,
};

/// Set an option
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// For every session that has not set it itself
    #[arg(short = 'g')]
    pub global: bool,
    /// A server option
    #[arg(short = 's')]
    pub server: bool,
    /// Take it back to what it was before
    #[arg(short = 'u')]
    pub unset: bool,
    /// Say nothing about an unknown option
    #[arg(short = 'q')]
    pub quiet: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// The option
    #[arg(value_name = "OPTION")]
    pub option: String,
    /// Its value; a flag without one is turned over
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub value: Option<String>,
}
