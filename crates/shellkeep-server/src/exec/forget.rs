//! Deletes a session for good.

use shellkeep_command::call::word;
use shellkeep_command::cmd::forget::Args;

use super::{Outcome, Reply};
use crate::call;
use crate::event_loop::Server;
use crate::queue::{Caller, Wait};

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let Some(target) = args.target.as_deref().or(args.name.as_deref()) else {
        return Err("forget what? Name a session: shellkeep forget NAME".to_owned());
    };
    let call = call::call_for(&server.state, caller);
    if let Ok(session) = super::session(server, caller, Some(target)) {
        check_meant(args, target, &call)?;
        return server.forget_session(session).map(waiting);
    }
    let archived = match server.archived() {
        Ok(archived) => archived,
        Err(wait) => return Ok(wait),
    };
    let found = super::archived(&archived, Some(target), &call)?;
    check_meant(args, target, &call)?;
    server.forget_archived(found).map(waiting)
}

/// A session that is there is forgotten only if somebody says so twice.
fn check_meant(args: &Args, target: &str, call: &str) -> Result<(), String> {
    if args.yes {
        return Ok(());
    }
    let target = word(target);
    Err(format!(
        "nothing brings a forgotten session back; to say that you mean it, type: {call} forget -y {target}"
    ))
}

fn waiting(wait: Option<Wait>) -> Reply {
    Reply {
        wait,
        ..Reply::default()
    }
}
