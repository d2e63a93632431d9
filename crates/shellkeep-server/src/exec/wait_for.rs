//! Waits for a signal, or sends one; locks a channel, or unlocks it.

use shellkeep_command::cmd::wait_for::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let name = &args.channel;
    if args.signal {
        server.signal_channel(name);
        return Ok(Reply::default());
    }
    // Nobody could wake a configuration, and everybody would wait for it.
    let waits_for_nobody = caller.client.is_none() && !args.unlock;
    if waits_for_nobody {
        let what = if args.lock { "lock" } else { "wait" };
        return Err(format!("not able to {what}"));
    }
    if args.lock {
        return server.lock_channel(name);
    }
    if args.unlock {
        return server.unlock_channel(name);
    }
    server.wait_for_channel(name)
}
