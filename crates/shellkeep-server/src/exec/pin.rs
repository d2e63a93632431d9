//! Keeps a session from being put to sleep by itself.

use shellkeep_command::cmd::pin::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Server, sessions};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref();
    let id = super::session(server, caller, target)?;
    let picked = super::picked(server, caller, (target, id));
    if let Some(session) = server.state.sessions.get_mut(&id) {
        session.standing.is_pinned = !args.unpin;
    }
    sessions::session_changed(&mut server.state, id);
    server.sleepers_due();
    let is = if args.unpin { "is no longer" } else { "is" };
    let said = picked.map(|name| format!("session {name} {is} pinned\n"));
    Ok(Reply::text(said.unwrap_or_default()))
}
