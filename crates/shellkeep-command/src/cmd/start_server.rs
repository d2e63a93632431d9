//! `start-server`.

use crate::{Target, Traits};

pub const NAME: &str = "start-server";
pub const ALIASES: &[&str] = &["start"];
pub const EXAMPLE: &str = "start-server";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: true,
};

/// Start the server if there is none
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {}
