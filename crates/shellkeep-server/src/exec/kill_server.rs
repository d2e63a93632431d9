//! Ends everything.

use shellkeep_command::cmd::kill_server::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Ending, Rest, Server};

pub(super) fn run(server: &mut Server, Args {}: &Args) -> Outcome {
    server.ending = Some(Ending::Killed(Rest::Archived));
    Ok(Reply::default())
}
