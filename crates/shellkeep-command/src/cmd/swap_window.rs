//! `swap-window`.

use crate::{Target, Traits};

pub const NAME: &str = "swap-window";
pub const ALIASES: &[&str] = &["swapw"];
pub const EXAMPLE: &str = "swap-window -s :1 -t :3";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::Window;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Exchange two windows
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Leave the same place current
    #[arg(short = 'd')]
    pub detached: bool,
    /// The one; that of the marked pane if there is one
    #[arg(short = 's', value_name = "WINDOW")]
    pub source: Option<String>,
    /// The other
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
