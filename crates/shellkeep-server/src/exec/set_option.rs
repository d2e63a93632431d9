//! Sets an option.

use shellkeep_command::cmd::set_option::Args;
use shellkeep_command::options::{self, Change, OptionError, Scope, View};

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;
use crate::state::refusal;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let name = match options::find(&args.option) {
        Ok(name) => name,
        Err(OptionError::Unknown(_) | OptionError::Ambiguous(_)) if args.quiet => {
            return Ok(Reply::default());
        }
        Err(error) => return Err(refusal(&error)),
    };
    let scope = match name.spec() {
        Some(spec) => spec.scope,
        None if args.server => Scope::Server,
        None => Scope::Session,
    };
    let session = if args.global || scope != Scope::Session {
        None
    } else {
        Some(super::session(server, caller, args.target.as_deref())?)
    };
    let change = if args.unset {
        Change::Unset
    } else {
        Change::Set(args.value.as_deref())
    };
    let global = &mut server.state.options;
    let changed = match session {
        None => global.of_mut(scope).change(&name, change, View::default()),
        Some(id) => match server.state.sessions.get_mut(&id) {
            Some(session) => session.options.change(&name, change, global.sessions()),
            None => return Err("no current session".to_owned()),
        },
    };
    changed.map_err(|error| refusal(&error))?;
    server.apply_options();
    match session {
        Some(id) => server.session_note_due(id),
        None => server.server_note_due(),
    }
    Ok(Reply::default())
}
