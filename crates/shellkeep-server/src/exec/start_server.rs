//! Nothing to do: the server that runs this has been started, and now knows that it is wanted.

use shellkeep_command::cmd::start_server::Args;

use super::{Outcome, Reply};
use crate::Idle;
use crate::event_loop::Server;

pub(super) fn run(server: &mut Server, Args {}: &Args) -> Outcome {
    server.shutdown.idle = Idle::Stays;
    Ok(Reply::default())
}
