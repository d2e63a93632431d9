//! `rename-session`: renames a session.

use shellkeep_command::Target;
use shellkeep_command::cmd::rename_session::Args;

use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::clean_name;
use crate::model::notice::Notice;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Session,
    )?;
    let id = found.session;
    let name = placing::expand(server, caller, found, &args.name);
    let name = clean_name(&name).ok_or_else(|| format!("invalid session: {name}"))?;
    let is_same = server
        .model
        .sessions
        .get(&id)
        .is_some_and(|session| session.name == name);
    if is_same {
        return Ok(Reply::default());
    }
    if server.model.has_session_named(&name) {
        return Err(format!("duplicate session: {name}"));
    }
    if let Some(session) = server.model.sessions.get_mut(&id) {
        session.name = name;
    }
    server.model.notify(Notice::SessionRenamed(id));
    server.model.session_note_due(id);
    server.model.redraw_session(id);
    Ok(Reply::default())
}
