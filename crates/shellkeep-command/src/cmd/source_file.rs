//! `source-file`.

use crate::{Target, Traits};

pub const NAME: &str = "source-file";
pub const ALIASES: &[&str] = &["source"];
pub const EXAMPLE: &str = "source-file -q my.conf";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Run the commands in a file
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Expand formats in the names
    #[arg(short = 'F')]
    pub expand: bool,
    /// Read the commands but do not run them
    #[arg(short = 'n')]
    pub parse_only: bool,
    /// No error for a missing file
    #[arg(short = 'q')]
    pub quiet: bool,
    /// Print the commands
    #[arg(short = 'v')]
    pub verbose: bool,
    /// The files; - is standard input
    #[arg(trailing_var_arg = true, value_name = "FILE", required = true)]
    pub files: Vec<String>,
}
