//! `swap-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "swap-pane";
pub const ALIASES: &[&str] = &["swapp"];
pub const EXAMPLE: &str = "swap-pane -D";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::Pane;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Exchange two panes
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Leave the same place active
    #[arg(short = 'd')]
    pub detached: bool,
    /// With the one below
    #[arg(short = 'D')]
    pub down: bool,
    /// With the one above
    #[arg(short = 'U')]
    pub up: bool,
    /// Keep the window zoomed
    #[arg(short = 'Z')]
    pub keep_zoom: bool,
    /// The one; the marked pane if there is one
    #[arg(short = 's', value_name = "PANE")]
    pub source: Option<String>,
    /// The other
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
