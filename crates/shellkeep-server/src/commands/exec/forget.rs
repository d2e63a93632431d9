//! `forget`: deletes a session for good.

use shellkeep_command::call::word;
use shellkeep_command::cmd::forget::Args;

use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::persistence::{archive, forgetting};
use crate::process::call;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let Some(target) = args.target.as_deref().or(args.name.as_deref()) else {
        return Err("forget what? Name a session: shellkeep forget NAME".to_owned());
    };
    let call = call::call_for(&server.model, caller);
    if let Ok(session) = targets::session(&server.model, caller, Some(target)) {
        check_meant(args, target, &call)?;
        return forgetting::forget_session(&mut server.model, &mut server.persistence, session)
            .map(waiting);
    }
    let archived = match archive::archived(
        &mut server.model,
        &mut server.persistence,
        &server.thread_events,
    ) {
        Ok(archived) => archived,
        Err(wait) => return Ok(wait),
    };
    let found = crate::commands::exec::lookup::archived(&archived, Some(target), &call)?;
    check_meant(args, target, &call)?;
    forgetting::forget_archived(&mut server.model, &mut server.persistence, found).map(waiting)
}

/// Refuses to delete a session unless the user confirms it with `-y`.
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
