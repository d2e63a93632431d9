//! `run-shell`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "run-shell";
pub const ALIASES: &[&str] = &["run"];
pub const EXAMPLE: &str = "run-shell -b 'notify-send done'";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Run a shell command, or a shellkeep command, without a window
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Do not wait for it
    #[arg(short = 'b')]
    pub background: bool,
    /// It is a shellkeep command
    #[arg(short = 'C')]
    pub as_command: bool,
    /// Wait for this long first
    #[arg(short = 'd', value_name = "SECONDS")]
    pub delay: Option<String>,
    /// The pane its formats are about
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// The command
    #[arg(value_name = "COMMAND")]
    pub command: Option<Script>,
}
