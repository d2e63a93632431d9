//! Ends everything.

use shellkeep_command::cmd::kill_server::Args;

use shellkeep_core::PaneId;

use super::{Outcome, Reply};
use crate::event_loop::{Ending, Rest, Server};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if !args.force {
        if !server.has_flushed() {
            let panes: Vec<PaneId> = server.state.panes.keys().copied().collect();
            match server.capture_first(&panes) {
                Ok(missed) => server.missed_at_the_end(missed),
                Err(wait) => return Ok(wait),
            }
        }
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
    server.shutdown.ending = Some(Ending::Killed(rest));
    let missed = server.take_missed();
    Ok(Reply {
        stdout: if args.keep { missed } else { Vec::new() },
        ..Reply::default()
    })
}
