//! Ends a session and keeps it as a record.

use shellkeep_command::cmd::archive::Args;
use shellkeep_core::SessionId;

use super::{Outcome, Reply};
use crate::call;
use crate::event_loop::{ClosedByHand, Server};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref().or(args.name.as_deref());
    let session = super::session(server, caller, target)?;
    let picked = super::picked(server, caller, (target, session));
    let closed = closed_by_hand(server, caller, session);
    let closed = closed.or_else(|| {
        picked.map(|name| ClosedByHand {
            name,
            call: call::call_for(&server.state, caller),
        })
    });
    let kept = server.state.sessions.get(&session);
    if kept.is_some_and(|session| session.standing.kept.is_none()) {
        return Err("a private session is not on disk and cannot be archived".to_owned());
    }
    server.close_session(session);
    Ok(Reply {
        wait: server.until_archived(closed.into_iter().collect()),
        ..Reply::default()
    })
}

/// What somebody at a terminal who ends a session is told, to have it back. Programs that call us expect no word.
pub(super) fn closed_by_hand(
    server: &Server,
    caller: &Caller,
    id: SessionId,
) -> Option<ClosedByHand> {
    let client = caller.client.and_then(|id| server.state.clients.get(&id));
    let is_person = client.is_some_and(|client| {
        client.context.terminal.is_some() && client.session.is_none() && !client.is_tmux
    });
    let session = server.state.sessions.get(&id);
    let session = session.filter(|session| is_person && session.standing.kept.is_some());
    session.map(|session| ClosedByHand {
        name: session.name.clone(),
        call: call::call_for(&server.state, caller),
    })
}
