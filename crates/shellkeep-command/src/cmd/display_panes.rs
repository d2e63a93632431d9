//! `display-panes`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "display-panes";
pub const ALIASES: &[&str] = &["displayp"];
pub const EXAMPLE: &str = "display-panes -d 2000";
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Show the panes' numbers
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Do not wait for the choice
    #[arg(short = 'b')]
    pub background: bool,
    /// Keep them on a key press; only time takes them away
    #[arg(short = 'N')]
    pub ignore_keys: bool,
    /// How long to show them
    #[arg(short = 'd', value_name = "MILLISECONDS")]
    pub duration: Option<String>,
    /// The client
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
    /// The command to run; %% is the pane
    #[arg(value_name = "TEMPLATE")]
    pub template: Option<Script>,
}
