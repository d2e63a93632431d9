//! `display-message`.

use crate::{Target, Traits};

pub const NAME: &str = "display-message";
pub const ALIASES: &[&str] = &["display"];
pub const EXAMPLE: &str = "display-message -p '#{session_name} #{pane_current_path}'";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show or print a message
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// List the variables of formats and their values
    #[arg(short = 'a')]
    pub list_variables: bool,
    /// Send what is typed to an empty pane
    #[arg(short = 'I')]
    pub open_input: bool,
    /// Keep it on a key press; only time takes it away
    #[arg(short = 'N')]
    pub ignore_keys: bool,
    /// Print it to standard output
    #[arg(short = 'p')]
    pub print: bool,
    /// Print how the format is evaluated
    #[arg(short = 'v')]
    pub verbose: bool,
    /// The client
    #[arg(short = 'c', value_name = "CLIENT")]
    pub client: Option<String>,
    /// How long to show it
    #[arg(short = 'd', value_name = "MILLISECONDS")]
    pub delay: Option<String>,
    /// The message, as a format
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// The pane it is about
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// The message
    #[arg(value_name = "MESSAGE")]
    pub message: Option<String>,
}
