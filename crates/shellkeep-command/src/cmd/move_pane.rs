//! `move-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "move-pane";
pub const ALIASES: &[&str] = &["movep"];
pub const EXAMPLE: &str = "move-pane -s %3 -t :2";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::Pane;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

pub use super::join_pane::Args;
