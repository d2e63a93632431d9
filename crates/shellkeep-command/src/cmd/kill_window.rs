//! `kill-window`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "kill-window";
/// Short names.
pub const ALIASES: &[&str] = &["killw"];
/// How it may be used.
pub const EXAMPLE: &str = "kill-window -t :2";
/// What `-t` names.
pub const TARGET: Target = Target::Window;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
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
