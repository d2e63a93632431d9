//! `rotate-window`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "rotate-window";
/// Short names.
pub const ALIASES: &[&str] = &["rotatew"];
/// How it may be used.
pub const EXAMPLE: &str = "rotate-window -D";
/// What `-t` names.
pub const TARGET: Target = Target::Window;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Move every pane of a window one place on
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
