//! `customize-mode`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "customize-mode";
/// Short names.
pub const ALIASES: &[&str] = &[];
/// How it may be used.
pub const EXAMPLE: &str = "customize-mode";
/// What `-t` names.
pub const TARGET: Target = Target::Pane;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
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
