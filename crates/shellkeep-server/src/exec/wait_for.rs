//! Waits for a signal, or sends one; locks a channel, or unlocks it.

use shellkeep_command::cmd::wait_for::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;

pub(super) fn run(server: &mut Server, args: &Args) -> Outcome {
    let name = &args.channel;
    if args.signal {
        server.signal_channel(name);
        return Ok(Reply::default());
    }
    if args.lock {
        return server.lock_channel(name);
    }
    if args.unlock {
        return server.unlock_channel(name);
    }
    server.wait_for_channel(name)
}
