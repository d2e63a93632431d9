//! Says by its exit status whether there is such a session.

use shellkeep_command::cmd::has_session::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    super::session(server, caller, args.target.as_deref()).map(|_| Reply::default())
}
