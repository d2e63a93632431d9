//! `rename-window`.

use crate::{Target, Traits};

pub const NAME: &str = "rename-window";
pub const ALIASES: &[&str] = &["renamew"];
pub const EXAMPLE: &str = "rename-window logs";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Rename a window
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
    /// Its new name
    #[arg(value_name = "NAME")]
    pub name: String,
}
