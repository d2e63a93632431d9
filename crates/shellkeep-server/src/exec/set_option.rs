//! Sets an option.

use shellkeep_command::cmd::set_option::Args;
use shellkeep_command::options::{self, Change, OptionError, Scope, View};
use shellkeep_core::ClientId;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::state::refusal;

pub(super) fn run(server: &mut Server, client: ClientId, args: &Args) -> Outcome {
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
        Some(super::session(server, client, args.target.as_deref())?)
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
    match session {
        Some(id) => server.remember_session(id),
        None => {
            server.apply_options();
            server.remember_server();
        }
    }
    Ok(Reply::default())
}
