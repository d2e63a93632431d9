//! `new-session`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "new-session";
/// Short names.
pub const ALIASES: &[&str] = &["new"];
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: true,
};

/// Open a session with a program in it
///
/// Without -d the session is shown in this terminal. The program is the user's shell unless one is
/// given; a single word is run by the shell, several are run as they stand.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Do not show it
    #[arg(short = 'd')]
    pub detached: bool,
    /// Attach to the session if one of this name exists
    #[arg(short = 'A')]
    pub attach_existing: bool,
    /// Name of the session
    #[arg(short = 's', value_name = "NAME")]
    pub name: Option<String>,
    /// Columns of a session that nobody looks at
    #[arg(short = 'x', value_name = "COLS", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub cols: Option<u16>,
    /// Rows of a session that nobody looks at
    #[arg(short = 'y', value_name = "ROWS", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub rows: Option<u16>,
    /// Directory to start in
    #[arg(short = 'c', value_name = "DIR")]
    pub directory: Option<String>,
    /// Set a variable in the session's environment
    #[arg(short = 'e', value_name = "VAR=VALUE")]
    pub environment: Vec<String>,
    /// Program to run instead of the shell
    #[arg(trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<String>,
}
