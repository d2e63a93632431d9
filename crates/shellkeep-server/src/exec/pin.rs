//! Keeps a session from being put to sleep by itself.

use shellkeep_command::cmd::pin::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = super::session(server, caller, args.target.as_deref())?;
    if let Some(session) = server.state.sessions.get_mut(&id) {
        session.standing.is_pinned = !args.unpin;
    }
    server.session_changed(id);
    server.sleepers_due();
    Ok(Reply::default())
}
