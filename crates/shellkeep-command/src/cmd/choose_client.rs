//! `choose-client`.

use crate::cmd::choice::ChoiceArgs;
use crate::{Script, Target, Traits};

pub const NAME: &str = "choose-client";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "choose-client";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Choose a client from a list
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    #[command(flatten)]
    pub choice: ChoiceArgs,
    /// The command to run; %% is the client
    #[arg(value_name = "TEMPLATE")]
    pub template: Option<Script>,
}
