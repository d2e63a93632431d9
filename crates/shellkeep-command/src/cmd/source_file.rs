//! `source-file`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "source-file";
/// Short names.
pub const ALIASES: &[&str] = &["source"];
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: false,
};

/// Run the commands in a file
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Say nothing about a file that is not there
    #[arg(short = 'q')]
    pub quiet: bool,
    /// The files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
}
