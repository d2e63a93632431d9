//! `set-option`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "set-option";
pub const ALIASES: &[&str] = &["set"];
pub const EXAMPLE: &str = "set-option -g prefix C-a";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Set an option
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Append to what is there
    #[arg(short = 'a')]
    pub append: bool,
    /// Expand formats in the value
    #[arg(short = 'F')]
    pub expand: bool,
    /// For every session or window that has not set it itself
    #[arg(short = 'g')]
    pub global: bool,
    /// Only if it is not set yet
    #[arg(short = 'o')]
    pub only_unset: bool,
    /// For the pane
    #[arg(short = 'p')]
    pub pane: bool,
    /// Say nothing about an unknown option
    #[arg(short = 'q')]
    pub quiet: bool,
    /// A server option
    #[arg(short = 's')]
    pub server: bool,
    /// Take it back to what it was before
    #[arg(short = 'u')]
    pub unset: bool,
    /// As -u, and in every pane of the window
    #[arg(short = 'U')]
    pub unset_panes: bool,
    /// For the window
    #[arg(short = 'w')]
    pub window: bool,
    /// The session, window or pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// The option
    #[arg(value_name = "OPTION")]
    pub option: String,
    /// Its value; a flag without one is turned over
    #[arg(value_name = "VALUE")]
    pub value: Option<Script>,
}
