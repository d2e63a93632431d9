//! `forget`.

use crate::{Target, Traits};

pub const NAME: &str = "forget";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "forget -y -t old-work";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Delete a session for good, with everything that is kept of it
///
/// The session may be running, hibernated or archived. On a terminal the user is asked first; elsewhere -y is required.
/// It cannot be restored afterwards. A session that cannot be deleted, as on a read-only disk, stays as it is, and
/// forget reports why.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Do not ask
    #[arg(short = 'y')]
    pub yes: bool,
    /// The session, or the id of an archived one as list-sessions -a prints it
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// The session, without -t
    #[arg(value_name = "SESSION", conflicts_with = "target")]
    pub name: Option<String>,
}
