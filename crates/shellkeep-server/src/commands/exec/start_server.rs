//! `start-server`: does nothing, since the server that runs it has been started.

use shellkeep_command::cmd::start_server::Args;

use crate::commands::reply::{Outcome, Reply};
use crate::server::Server;
use crate::shutdown::ending::Idle;

pub(crate) fn run(server: &mut Server, Args {}: &Args) -> Outcome {
    server.shutdown.idle = Idle::Stays;
    Ok(Reply::default())
}
