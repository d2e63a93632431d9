//! `archive`: closes a session and moves it to the archive.

use shellkeep_command::cmd::archive::Args;
use shellkeep_core::SessionId;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::sessions;
use crate::persistence::archive;
use crate::persistence::closed_by_hand::ClosedByHand;
use crate::process::call;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref().or(args.name.as_deref());
    let session = targets::session(&server.model, caller, target)?;
    let picked = targets::picked(&server.model, caller, (target, session));
    let closed = closed_by_hand(server, caller, session);
    let closed = closed.or_else(|| {
        picked.map(|name| ClosedByHand {
            name,
            call: call::call_for(&server.model, caller),
        })
    });
    let kept = server.model.sessions.get(&session);
    if kept.is_some_and(|session| session.standing.kept.is_none()) {
        return Err("a private session is not on disk and cannot be archived".to_owned());
    }
    sessions::close_session(&mut server.model, session);
    Ok(Reply {
        wait: archive::until_archived(
            &mut server.model,
            &mut server.persistence,
            closed.into_iter().collect(),
        ),
        ..Reply::default()
    })
}

/// Adds to the reply how to get the session back, for a user at a terminal. Programs expect no output.
pub(crate) fn closed_by_hand(
    server: &Server,
    caller: &Caller,
    id: SessionId,
) -> Option<ClosedByHand> {
    let client = caller.client.and_then(|id| server.model.clients.get(&id));
    let is_person = client.is_some_and(|client| {
        client.context.terminal.is_some() && client.session.is_none() && !client.is_tmux
    });
    let session = server.model.sessions.get(&id);
    let session = session.filter(|session| is_person && session.standing.kept.is_some());
    session.map(|session| ClosedByHand {
        name: session.name.clone(),
        call: call::call_for(&server.model, caller),
    })
}
