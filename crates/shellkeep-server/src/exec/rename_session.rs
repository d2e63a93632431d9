//! Gives a session another name.

use shellkeep_command::cmd::rename_session::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;
use crate::state::clean_name;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = super::session(server, caller, args.target.as_deref())?;
    let name = clean_name(&args.name).ok_or_else(|| format!("invalid session: {}", args.name))?;
    let is_same = server
        .state
        .sessions
        .get(&id)
        .is_some_and(|session| session.name == name);
    if is_same {
        return Ok(Reply::default());
    }
    if server.state.has_session_named(&name) {
        return Err(format!("duplicate session: {name}"));
    }
    if let Some(session) = server.state.sessions.get_mut(&id) {
        session.name = name;
    }
    server.session_note_due(id);
    Ok(Reply::default())
}
