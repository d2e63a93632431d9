//! `rename-window`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "rename-window";
/// Short names.
pub const ALIASES: &[&str] = &["renamew"];
/// How it may be used.
pub const EXAMPLE: &str = "rename-window logs";
/// What `-t` names.
pub const TARGET: Target = Target::Window;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Give a window another name
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
    /// Its new name
    #[arg(value_name = "NAME")]
    pub name: String,
}
