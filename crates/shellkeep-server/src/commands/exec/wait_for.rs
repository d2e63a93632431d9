//! `wait-for`: waits for a channel's signal or sends it; locks or unlocks a channel.

use shellkeep_command::cmd::wait_for::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let name = &args.channel;
    if args.signal {
        server.commands.channels.signal(name);
        return Ok(Reply::default());
    }
    // Without a client the caller may be the configuration, which must not wait: the first client's request is held
    // until it ends.
    let has_no_client = caller.client.is_none() && !args.unlock;
    if has_no_client {
        let what = if args.lock { "lock" } else { "wait" };
        return Err(format!("not able to {what}"));
    }
    if args.unlock {
        return server.commands.channels.unlock(name);
    }
    let what = if args.lock { "lock" } else { "wait" };
    let Some(queue) = server.model.running() else {
        return Err(format!("not able to {what}"));
    };
    let channels = &mut server.commands.channels;
    Ok(match args.lock {
        true => channels.lock(name, queue),
        false => channels.wait(name, queue),
    })
}
