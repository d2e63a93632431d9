//! `respawn-window`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "respawn-window";
/// Short names.
pub const ALIASES: &[&str] = &["respawnw"];
/// How it may be used.
pub const EXAMPLE: &str = "respawn-window -k";
/// What `-t` names.
pub const TARGET: Target = Target::Window;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Run a program anew in a window
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
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
    /// Program to run instead of the one that ran there
    #[arg(trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<String>,
}
