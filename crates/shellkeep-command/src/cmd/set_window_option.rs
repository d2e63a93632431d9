//! `set-window-option`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "set-window-option";
pub const ALIASES: &[&str] = &["setw"];
pub const EXAMPLE: &str = "set-window-option -g mode-keys vi";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Set a window option
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Append to what is there
    #[arg(short = 'a')]
    pub append: bool,
    /// Expand formats in the value
    #[arg(short = 'F')]
    pub expand: bool,
    /// For every window that has not set it itself
    #[arg(short = 'g')]
    pub global: bool,
    /// Only if it is not set yet
    #[arg(short = 'o')]
    pub only_unset: bool,
    /// Say nothing about an unknown option
    #[arg(short = 'q')]
    pub quiet: bool,
    /// Take it back to what it was before
    #[arg(short = 'u')]
    pub unset: bool,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
    /// The option
    #[arg(value_name = "OPTION")]
    pub option: String,
    /// Its value; a flag without one is turned over
    #[arg(value_name = "VALUE")]
    pub value: Option<Script>,
}
