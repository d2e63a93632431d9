//! Nothing to do: the server that runs this has been started, and now knows that it is wanted.

use shellkeep_command::cmd::start_server::Args;

use crate::commands::reply::{Outcome, Reply};
use crate::server::Server;
use crate::shutdown::ending::Idle;

pub(crate) fn run(server: &mut Server, Args {}: &Args) -> Outcome {
    server.shutdown.idle = Idle::Stays;
    Ok(Reply::default())
}
