//! `show-window-options`.

use crate::{Target, Traits};

pub const NAME: &str = "show-window-options";
pub const ALIASES: &[&str] = &["showw"];
pub const EXAMPLE: &str = "show-window-options -g";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
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
