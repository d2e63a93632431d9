//! `stats`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "stats";
/// Short names.
pub const ALIASES: &[&str] = &[];
/// How it may be used.
pub const EXAMPLE: &str = "stats --json";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Say what keeping costs: sessions, memory, disk, time
///
/// How many sessions there are by state, the memory of server and keeper, memory and disk of each session and how long ago
/// it was saved, and how often and how fast checkpoints, hibernations and revivals were.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
