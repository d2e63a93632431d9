//! `resize-window`.

use crate::{Target, Traits};

pub const NAME: &str = "resize-window";
pub const ALIASES: &[&str] = &["resizew"];
pub const EXAMPLE: &str = "resize-window -x 120 -y 40";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Change the size of a window
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// As the smallest client that shows it
    #[arg(short = 'a')]
    pub smallest: bool,
    /// As the largest client that shows it
    #[arg(short = 'A')]
    pub largest: bool,
    /// Make it higher
    #[arg(short = 'D')]
    pub down: bool,
    /// Make it narrower
    #[arg(short = 'L')]
    pub left: bool,
    /// Make it wider
    #[arg(short = 'R')]
    pub right: bool,
    /// Make it lower
    #[arg(short = 'U')]
    pub up: bool,
    /// Its columns
    #[arg(short = 'x', value_name = "WIDTH")]
    pub width: Option<String>,
    /// Its rows
    #[arg(short = 'y', value_name = "HEIGHT")]
    pub height: Option<String>,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
    /// By how much
    #[arg(value_name = "ADJUSTMENT")]
    pub adjustment: Option<String>,
}
