//! `copy-mode`.

use crate::{Target, Traits};

pub const NAME: &str = "copy-mode";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "copy-mode -u";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::Pane;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Look at and copy from a pane's history
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Leave when the bottom is reached by scrolling
    #[arg(short = 'e')]
    pub exit_at_bottom: bool,
    /// With the cursor on this line, counted from the beginning of the pane's life, as search does
    #[arg(long = "line", value_name = "LINE")]
    pub line: Option<String>,
    /// Do not show the position
    #[arg(short = 'H')]
    pub hide_position: bool,
    /// Begin to drag a selection with the mouse
    #[arg(short = 'M')]
    pub mouse: bool,
    /// Scroll one page up
    #[arg(short = 'u')]
    pub page_up: bool,
    /// Leave this and any other mode
    #[arg(short = 'q')]
    pub cancel: bool,
    /// The pane whose history is shown
    #[arg(short = 's', value_name = "PANE")]
    pub source: Option<String>,
    /// The pane it is shown in
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
