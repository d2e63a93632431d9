//! `respawn-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "respawn-pane";
pub const ALIASES: &[&str] = &["respawnp"];
pub const EXAMPLE: &str = "respawn-pane -k 'npm start'";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Run a program again in a pane
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// End the program that runs there
    #[arg(short = 'k')]
    pub kill: bool,
    /// Directory to start in
    #[arg(short = 'c', value_name = "DIR")]
    pub directory: Option<String>,
    /// Set a variable in the program's environment
    #[arg(short = 'e', value_name = "VAR=VALUE")]
    pub environment: Vec<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Program to run instead of the one that ran there
    #[arg(trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<String>,
}
