//! `lock-server`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "lock-server";
/// Short names.
pub const ALIASES: &[&str] = &["lock"];
/// How it may be used.
pub const EXAMPLE: &str = "lock-server";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Lock every client
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {}
