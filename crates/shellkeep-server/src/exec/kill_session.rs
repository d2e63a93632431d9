//! Ends a session, or all others.

use shellkeep_command::cmd::kill_session::Args;
use shellkeep_core::{ClientId, SessionId};

use super::{Outcome, Reply};
use crate::event_loop::Server;

pub(super) fn run(server: &mut Server, client: ClientId, args: &Args) -> Outcome {
    let session = super::session(server, client, args.target.as_deref())?;
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
