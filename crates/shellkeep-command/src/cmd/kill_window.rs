//! `kill-window`.

use crate::{Target, Traits};

pub const NAME: &str = "kill-window";
pub const ALIASES: &[&str] = &["killw"];
pub const EXAMPLE: &str = "kill-window -t :2";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// End a window and the programs in it
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Every window of the session but this one
    #[arg(short = 'a')]
    pub all_others: bool,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
