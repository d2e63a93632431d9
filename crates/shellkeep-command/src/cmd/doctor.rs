//! `doctor`.

use crate::{Target, Traits};

pub const NAME: &str = "doctor";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "doctor --rebuild";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Report what is wrong, and how to fix it
///
/// Checks the state directory and what is kept in it, the server, its lock and the keeper, whether they can save what
/// they have, disk space, logging out, the terminal, the shell, limits and the clock. Each check is ok, a warning or a
/// problem. Runs without a server, and changes nothing except with --rebuild. The exit status is 0 if there is no
/// problem, and 1 if there is one.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag")]
pub struct Args {
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// Make the catalogue again from the files, before anything else
    #[arg(long = "rebuild")]
    pub rebuild: bool,
    /// Print a systemd user unit for the server, and nothing else
    #[arg(long = "unit")]
    pub unit: bool,
    /// With --rebuild, do not ask before a later version's catalogue is moved aside
    #[arg(short = 'y')]
    pub yes: bool,
}
