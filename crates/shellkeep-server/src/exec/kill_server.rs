//! Ends everything.

use shellkeep_command::cmd::kill_server::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Ending, Server};

pub(super) fn run(server: &mut Server, args: &Args) -> Outcome {
    if args.keep {
        return super::unsupported("kill-server --keep");
    }
    server.ending = Some(Ending::Killed);
    Ok(Reply::default())
}
