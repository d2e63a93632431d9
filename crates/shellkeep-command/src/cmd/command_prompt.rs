//! `command-prompt`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "command-prompt";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = r#"command-prompt -p name: "rename-window '%%'""#;
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Ask for a command, or for what to put in one
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Take a single key, without Enter
    #[arg(short = '1')]
    pub one_key: bool,
    /// Do not wait for the answer
    #[arg(short = 'b')]
    pub background: bool,
    /// Expand formats in the template
    #[arg(short = 'F')]
    pub expand: bool,
    /// Take a single key and use its name
    #[arg(short = 'k')]
    pub key_name: bool,
    /// Run the command at every change
    #[arg(short = 'i')]
    pub incremental: bool,
    /// Take a number and end at anything else
    #[arg(short = 'N')]
    pub numeric: bool,
    /// The initial text, with commas between the prompts
    #[arg(short = 'I', value_name = "INPUTS")]
    pub inputs: Option<String>,
    /// The prompts, with commas between them
    #[arg(short = 'p', value_name = "PROMPTS")]
    pub prompts: Option<String>,
    /// The client
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
    /// Which history and completion to use
    #[arg(short = 'T', value_name = "TYPE")]
    pub prompt_type: Option<String>,
    /// The command to run; %1 or %% is the first answer
    #[arg(value_name = "TEMPLATE")]
    pub template: Option<Script>,
}
