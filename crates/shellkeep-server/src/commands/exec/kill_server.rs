//! `kill-server`: closes all sessions and ends the server.

use shellkeep_command::cmd::kill_server::Args;
use shellkeep_core::PaneId;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::server::Server;
use crate::shutdown::ending::{Ending, Rest};
use crate::shutdown::{last_capture, leaving};

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if !args.force {
        if !leaving::has_flushed(&server.shutdown) {
            let panes: Vec<PaneId> = server.model.panes.keys().copied().collect();
            match last_capture::capture_first(
                &mut server.model,
                &mut server.shutdown,
                &mut server.hibernation,
                &panes,
            ) {
                Ok(missed) => last_capture::missed_at_the_end(&mut server.shutdown, missed),
                Err(wait) => return Ok(wait),
            }
        }
        let saved = leaving::check_saved(
            &mut server.model,
            &mut server.shutdown,
            &mut server.persistence,
            caller,
        );
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
    let missed = last_capture::take_missed(&mut server.shutdown);
    Ok(Reply {
        stdout: if args.keep { missed } else { Vec::new() },
        ..Reply::default()
    })
}
