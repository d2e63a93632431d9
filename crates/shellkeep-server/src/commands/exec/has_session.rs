//! `has-session`: reports by its exit status whether a session exists.

use shellkeep_command::cmd::has_session::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    targets::session(&server.model, caller, args.target.as_deref()).map(|_| Reply::default())
}
