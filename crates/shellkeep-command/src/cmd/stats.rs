//! `stats`.

use crate::{Target, Traits};

pub const NAME: &str = "stats";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "stats --json";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
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
