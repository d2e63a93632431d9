//! Ends a session and keeps it as a record.

use shellkeep_command::cmd::archive::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref().or(args.name.as_deref());
    let session = super::session(server, caller, target)?;
    let hint = hint(server, caller, session);
    let kept = server.state.sessions.get(&session);
    if kept.is_some_and(|session| session.standing.kept.is_none()) {
        return Err("a private session is not on disk and cannot be archived".to_owned());
    }
    server.close_session(session);
    Ok(Reply {
        stdout: hint.into_bytes(),
        ..Reply::default()
    })
}

/// What to tell somebody at a terminal who has ended a session: how to have it back. Programs that call us expect no word.
pub(super) fn hint(server: &Server, caller: &Caller, session: shellkeep_core::SessionId) -> String {
    let client = caller.client.and_then(|id| server.state.clients.get(&id));
    let is_person = client.is_some_and(|client| {
        client.context.terminal.is_some() && client.session.is_none() && !client.is_tmux
    });
    let session = server.state.sessions.get(&session);
    match session.filter(|session| is_person && session.standing.kept.is_some()) {
        Some(session) => format!(
            "session {0} is in the archive; to have it back, type: shellkeep reopen {0}\n",
            session.name
        ),
        None => String::new(),
    }
}
