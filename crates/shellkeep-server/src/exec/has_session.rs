//! Says by its exit status whether there is such a session.

use shellkeep_command::cmd::has_session::Args;
use shellkeep_core::ClientId;

use super::{Outcome, Reply};
use crate::event_loop::Server;

pub(super) fn run(server: &Server, client: ClientId, args: &Args) -> Outcome {
    super::session(server, client, args.target.as_deref()).map(|_| Reply::default())
}
