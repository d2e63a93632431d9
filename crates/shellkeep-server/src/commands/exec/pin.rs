//! `pin`: keeps the policy from putting a session to sleep.

use shellkeep_command::cmd::pin::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::hibernation::policy_timer;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref();
    let id = targets::session(&server.model, caller, target)?;
    let picked = targets::picked(&server.model, caller, (target, id));
    if let Some(session) = server.model.sessions.get_mut(&id) {
        session.standing.is_pinned = !args.unpin;
    }
    server.model.session_changed(id);
    policy_timer::round_due(&server.model, &mut server.hibernation);
    let is = if args.unpin { "is no longer" } else { "is" };
    let said = picked.map(|name| format!("session {name} {is} pinned\n"));
    Ok(Reply::text(said.unwrap_or_default()))
}
