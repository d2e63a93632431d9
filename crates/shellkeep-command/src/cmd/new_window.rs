//! `new-window`.

use crate::{Target, Traits};

pub const NAME: &str = "new-window";
pub const ALIASES: &[&str] = &["neww"];
pub const EXAMPLE: &str = "new-window -n logs 'tail -f app.log'";
pub const TARGET: Target = Target::WindowIndex;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Open a window with a program in it
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Put it behind the target
    #[arg(short = 'a')]
    pub after: bool,
    /// Put it in front of the target
    #[arg(short = 'b')]
    pub before: bool,
    /// Do not make it the current window
    #[arg(short = 'd')]
    pub detached: bool,
    /// End a window that is at this index
    #[arg(short = 'k')]
    pub kill: bool,
    /// Print where it is
    #[arg(short = 'P')]
    pub print: bool,
    /// Go to the window of this name if there is one
    #[arg(short = 'S')]
    pub select_existing: bool,
    /// Directory to start in
    #[arg(short = 'c', value_name = "DIR")]
    pub directory: Option<String>,
    /// Set a variable in the program's environment
    #[arg(short = 'e', value_name = "VAR=VALUE")]
    pub environment: Vec<String>,
    /// What -P prints
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Name of the window
    #[arg(short = 'n', value_name = "NAME")]
    pub name: Option<String>,
    /// Where it goes
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
    /// Program to run instead of the shell
    #[arg(trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<String>,
}
