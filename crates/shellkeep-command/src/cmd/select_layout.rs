//! `select-layout`.

use crate::{Target, Traits};

pub const NAME: &str = "select-layout";
pub const ALIASES: &[&str] = &["selectl"];
pub const EXAMPLE: &str = "select-layout main-vertical";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Arrange the panes of a window
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Spread the pane and those beside it evenly
    #[arg(short = 'E')]
    pub spread: bool,
    /// In the next way
    #[arg(short = 'n')]
    pub next: bool,
    /// As before the last change
    #[arg(short = 'o')]
    pub undo: bool,
    /// In the previous way
    #[arg(short = 'p')]
    pub previous: bool,
    /// A pane of the window
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// One of the five ways, or a layout as printed
    #[arg(value_name = "LAYOUT")]
    pub layout: Option<String>,
}
