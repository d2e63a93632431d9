//! Gives a session another name.

use shellkeep_command::Target;
use shellkeep_command::cmd::rename_session::Args;

use super::{Outcome, Reply, placing};
use crate::event_loop::Server;
use crate::notice::Notice;
use crate::queue::Caller;
use crate::state::clean_name;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Session)?;
    let id = found.session;
    let name = placing::expand(server, caller, found, &args.name);
    let name = clean_name(&name).ok_or_else(|| format!("invalid session: {name}"))?;
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
    server.state.tell(Notice::SessionRenamed(id));
    server.state.session_note_due(id);
    server.state.redraw_session(id);
    Ok(Reply::default())
}
