//! `start-server`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "start-server";
/// Short names.
pub const ALIASES: &[&str] = &["start"];
/// How it may be used.
pub const EXAMPLE: &str = "start-server";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: true,
};

/// Start the server if there is none
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {}
