//! `pipe-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "pipe-pane";
pub const ALIASES: &[&str] = &["pipep"];
pub const EXAMPLE: &str = "pipe-pane -o 'cat >>pane.log'";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Pipe what a pane's program writes to a command
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// What the command writes is typed into the pane
    #[arg(short = 'I')]
    pub input: bool,
    /// What the pane's program writes goes to the command
    #[arg(short = 'O')]
    pub output: bool,
    /// Only if there is no pipe yet
    #[arg(short = 'o')]
    pub only_new: bool,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// The command; without one the pipe is closed
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}
