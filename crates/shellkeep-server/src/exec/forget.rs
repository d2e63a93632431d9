//! Deletes a session for good.

use shellkeep_command::cmd::forget::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let Some(target) = args.target.as_deref().or(args.name.as_deref()) else {
        return Err("forget what? Name a session: shellkeep forget NAME".to_owned());
    };
    if !args.yes {
        return Err(format!(
            "nothing brings a forgotten session back; to say that you mean it, type: forget -y {target}"
        ));
    }
    if let Ok(session) = super::session(server, caller, Some(target)) {
        server.forget_session(session);
        return Ok(until_forgotten(server));
    }
    let archived = match server.archived() {
        Ok(archived) => archived,
        Err(wait) => return Ok(wait),
    };
    let found = super::archived(&archived, Some(target))?;
    server.forget_archived(found);
    Ok(until_forgotten(server))
}

fn until_forgotten(server: &mut Server) -> Reply {
    Reply {
        wait: server.until_forgotten(),
        ..Reply::default()
    }
}
