//! `previous-layout`.

use crate::{Target, Traits};

pub const NAME: &str = "previous-layout";
pub const ALIASES: &[&str] = &["prevl"];
pub const EXAMPLE: &str = "previous-layout";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Arrange the panes in the previous way
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
}
