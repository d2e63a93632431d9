//! `customize-mode`.

use crate::{Target, Traits};

pub const NAME: &str = "customize-mode";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "customize-mode";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Browse and change the options
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Start without the preview
    #[arg(short = 'N')]
    pub no_preview: bool,
    /// Zoom the pane
    #[arg(short = 'Z')]
    pub zoom: bool,
    /// How to print each line
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Only what this format is true for
    #[arg(short = 'f', value_name = "FILTER")]
    pub filter: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
