//! `set-hook`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "set-hook";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "set-hook -g client-attached 'display-message hello'";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Set commands to run when something happens
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Append to what is there
    #[arg(short = 'a')]
    pub append: bool,
    /// For every session or window
    #[arg(short = 'g')]
    pub global: bool,
    /// For the pane
    #[arg(short = 'p')]
    pub pane: bool,
    /// Run it now
    #[arg(short = 'R')]
    pub run: bool,
    /// Forget it
    #[arg(short = 'u')]
    pub unset: bool,
    /// For the window
    #[arg(short = 'w')]
    pub window: bool,
    /// The session, window or pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// What happens
    #[arg(value_name = "HOOK")]
    pub hook: String,
    /// The command
    #[arg(value_name = "COMMAND")]
    pub command: Option<Script>,
}
