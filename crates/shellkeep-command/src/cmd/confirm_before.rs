//! `confirm-before`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "confirm-before";
pub const ALIASES: &[&str] = &["confirm"];
pub const EXAMPLE: &str = r#"confirm-before -p "end it? (y/n)" kill-session"#;
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Ask before a command is run
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Do not wait for the answer
    #[arg(short = 'b')]
    pub background: bool,
    /// The question
    #[arg(short = 'p', value_name = "PROMPT")]
    pub prompt: Option<String>,
    /// The client
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
    /// The command
    #[arg(value_name = "COMMAND")]
    pub command: Script,
}
