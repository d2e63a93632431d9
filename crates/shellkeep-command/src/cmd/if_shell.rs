//! `if-shell`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "if-shell";
pub const ALIASES: &[&str] = &["if"];
pub const EXAMPLE: &str = "if-shell 'test -f .env' 'display-message found'";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Run a command if a shell command succeeds
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Do not wait for the shell command
    #[arg(short = 'b')]
    pub background: bool,
    /// It is a format, true unless empty or 0
    #[arg(short = 'F')]
    pub format: bool,
    /// The pane its formats are about
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// The shell command
    #[arg(value_name = "CONDITION")]
    pub condition: String,
    /// The command if it succeeds
    #[arg(value_name = "COMMAND")]
    pub then: Script,
    /// The command if it fails
    #[arg(value_name = "COMMAND")]
    pub otherwise: Option<Script>,
}
