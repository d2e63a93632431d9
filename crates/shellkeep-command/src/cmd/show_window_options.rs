//! `show-window-options`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "show-window-options";
/// Short names.
pub const ALIASES: &[&str] = &["showw"];
/// How it may be used.
pub const EXAMPLE: &str = "show-window-options -g";
/// What `-t` names.
pub const TARGET: Target = Target::Window;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show window options and their values
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// For every window
    #[arg(short = 'g')]
    pub global: bool,
    /// Only the value
    #[arg(short = 'v')]
    pub value_only: bool,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// Only this option
    #[arg(value_name = "OPTION")]
    pub option: Option<String>,
}
