//! `kill-server`.

use crate::{Target, Traits};

pub const NAME: &str = "kill-server";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "kill-server";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// End every session, every program and the server
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Keep the sessions: save everything first, so that the next server has them again
    #[arg(long = "keep")]
    pub keep: bool,

    /// End it even if something cannot be saved, as on a full disk, and will be lost
    #[arg(long = "force")]
    pub force: bool,
}
