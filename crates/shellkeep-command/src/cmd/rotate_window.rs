//! `rotate-window`.

use crate::{Target, Traits};

pub const NAME: &str = "rotate-window";
pub const ALIASES: &[&str] = &["rotatew"];
pub const EXAMPLE: &str = "rotate-window -D";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Move every pane of a window to the next position
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Downwards
    #[arg(short = 'D')]
    pub down: bool,
    /// Upwards
    #[arg(short = 'U')]
    pub up: bool,
    /// Keep the window zoomed
    #[arg(short = 'Z')]
    pub keep_zoom: bool,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
