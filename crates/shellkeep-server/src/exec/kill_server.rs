//! Ends everything.

use shellkeep_command::cmd::kill_server::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Ending, Rest, Server};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if !args.force {
        let saved = server.check_saved(caller);
        let lost = |why| format!("not ended: {why}; kill-server --force loses it");
        if let Some(wait) = saved.map_err(lost)? {
            return Ok(wait);
        }
    }
    let rest = if args.keep {
        Rest::Kept
    } else {
        Rest::Archived
    };
    server.ending = Some(Ending::Killed(rest));
    Ok(Reply::default())
}
