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

/// Show what keeping costs: sessions, memory, disk, time
///
/// The number of sessions by state, the memory of server and keeper, memory and disk of each session and the time since
/// it was last saved, and the number and duration of checkpoints, hibernations and revivals.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
