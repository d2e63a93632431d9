//! `respawn-pane`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "respawn-pane";
/// Short names.
pub const ALIASES: &[&str] = &["respawnp"];
/// How it may be used.
pub const EXAMPLE: &str = "respawn-pane -k 'npm start'";
/// What `-t` names.
pub const TARGET: Target = Target::Pane;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Run a program anew in a pane
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
