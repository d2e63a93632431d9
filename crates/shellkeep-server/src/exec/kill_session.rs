//! Ends a session, or all others.

use shellkeep_command::cmd::kill_session::Args;
use shellkeep_core::SessionId;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let session = super::session(server, caller, args.target.as_deref())?;
    let doomed: Vec<SessionId> = if args.all_others {
        server
            .state
            .sessions
            .keys()
            .copied()
            .filter(|id| *id != session)
            .collect()
    } else {
        vec![session]
    };
    for session in doomed {
        server.close_session(session);
    }
    Ok(Reply::default())
}
