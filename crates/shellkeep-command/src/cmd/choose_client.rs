//! `choose-client`.

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
    /// Start without the preview
    #[arg(short = 'N')]
    pub no_preview: bool,
    /// Sort the other way round
    #[arg(short = 'r')]
    pub reverse: bool,
    /// Zoom the pane
    #[arg(short = 'Z')]
    pub zoom: bool,
    /// How to print each line
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Only what this format is true for
    #[arg(short = 'f', value_name = "FILTER")]
    pub filter: Option<String>,
    /// Which key chooses each line
    #[arg(short = 'K', value_name = "FORMAT")]
    pub key_format: Option<String>,
    /// What to sort by
    #[arg(short = 'O', value_name = "ORDER")]
    pub sort_order: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// The command to run; %% is the client
    #[arg(value_name = "TEMPLATE")]
    pub template: Option<Script>,
}
