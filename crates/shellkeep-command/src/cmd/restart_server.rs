//! `restart-server`.

use crate::{Target, Traits};

pub const NAME: &str = "restart-server";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "restart-server";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Replace the server by the program of this command; all programs in panes go on
///
/// Use it after an upgrade. Clients attach again by themselves.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {}
