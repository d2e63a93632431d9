//! `last-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "last-pane";
pub const ALIASES: &[&str] = &["lastp"];
pub const EXAMPLE: &str = "last-pane";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Go to the pane that was active before
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Disable input to the pane
    #[arg(short = 'd')]
    pub disable_input: bool,
    /// Enable input to the pane
    #[arg(short = 'e')]
    pub enable_input: bool,
    /// Keep the window zoomed
    #[arg(short = 'Z')]
    pub keep_zoom: bool,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
