//! `lock-server`.

use crate::{Target, Traits};

pub const NAME: &str = "lock-server";
pub const ALIASES: &[&str] = &["lock"];
pub const EXAMPLE: &str = "lock-server";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Lock every client
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {}
