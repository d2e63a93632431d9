//! Gives a session another name.

use shellkeep_command::cmd::rename_session::Args;
use shellkeep_core::ClientId;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::state::clean_name;

pub(super) fn run(server: &mut Server, client: ClientId, args: &Args) -> Outcome {
    let id = super::session(server, client, args.target.as_deref())?;
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
    server.remember_session(id);
    Ok(Reply::default())
}
