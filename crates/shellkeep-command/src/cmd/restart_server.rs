//! `restart-server`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "restart-server";
/// Short names.
pub const ALIASES: &[&str] = &[];
/// How it may be used.
pub const EXAMPLE: &str = "restart-server";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Replace the server by the program this command is run from; every program goes on
///
/// Use it after an upgrade. Clients come back by themselves.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {}
