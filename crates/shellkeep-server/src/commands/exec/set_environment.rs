//! `set-environment`: sets a variable for new programs.

use shellkeep_command::Target;
use shellkeep_command::cmd::set_environment::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::formats;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if args.name.is_empty() {
        return Err("empty variable name".to_owned());
    }
    if args.name.contains('=') {
        return Err("variable name contains =".to_owned());
    }
    let target = args.target.as_deref();
    let found = targets::find(&server.model, caller, target, Target::Session).ok();
    let value = args.value.as_deref().map(|value| {
        if !args.expand {
            return value.to_owned();
        }
        let scope = formats::scope(&server.model).client(caller.client);
        let scope = found.map_or(scope.clone(), |found| scope.found(found));
        scope.expand(value)
    });
    let session = match found {
        _ if args.global => None,
        Some(found) => Some(found.session),
        None => return Err(no_session(target)),
    };
    let state = &mut server.model;
    let environ = match session.and_then(|id| state.sessions.get_mut(&id)) {
        Some(session) => &mut session.environ,
        None => &mut state.environ,
    };
    match (args.unset, args.remove, value) {
        (true, _, Some(_)) => return Err("can't specify a value with -u".to_owned()),
        (true, _, None) => environ.forget(&args.name),
        (false, true, Some(_)) => return Err("can't specify a value with -r".to_owned()),
        (false, true, None) => environ.remove(&args.name),
        (false, false, None) => return Err("no value specified".to_owned()),
        (false, false, Some(value)) if args.hidden => environ.set_hidden(&args.name, value),
        (false, false, Some(value)) => environ.set(&args.name, value),
    }
    match session {
        Some(id) => server.model.session_note_due(id),
        None => server.model.server_note_due(),
    }
    Ok(Reply::default())
}

/// The error if there is no session.
pub(crate) fn no_session(target: Option<&str>) -> String {
    match target {
        Some(target) => format!("no such session: {target}"),
        None => "no current session".to_owned(),
    }
}
