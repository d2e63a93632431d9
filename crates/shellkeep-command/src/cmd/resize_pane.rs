//! `resize-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "resize-pane";
pub const ALIASES: &[&str] = &["resizep"];
pub const EXAMPLE: &str = "resize-pane -R 10";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Change the size of a pane
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Move the border down
    #[arg(short = 'D')]
    pub down: bool,
    /// Move the border to the left
    #[arg(short = 'L')]
    pub left: bool,
    /// Begin to drag a border with the mouse
    #[arg(short = 'M')]
    pub mouse: bool,
    /// Move the border to the right
    #[arg(short = 'R')]
    pub right: bool,
    /// Drop the rows below the cursor and bring back as many from above
    #[arg(short = 'T')]
    pub trim: bool,
    /// Move the border up
    #[arg(short = 'U')]
    pub up: bool,
    /// Let it fill the window, or take its place again
    #[arg(short = 'Z')]
    pub zoom: bool,
    /// Its width, in columns or per cent
    #[arg(short = 'x', value_name = "WIDTH")]
    pub width: Option<String>,
    /// Its height, in rows or per cent
    #[arg(short = 'y', value_name = "HEIGHT")]
    pub height: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// How far to move the border
    #[arg(value_name = "ADJUSTMENT")]
    pub adjustment: Option<String>,
}
