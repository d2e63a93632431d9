//! Sets an option.

use shellkeep_command::cmd::set_option::Args;
use shellkeep_command::options_table::{self, OptionError, Scope};

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let spec = match options_table::find(&args.option) {
        Ok(spec) => spec,
        Err(OptionError::Unknown(_)) if args.quiet => return Ok(Reply::default()),
        Err(error) => return Err(error.to_string()),
    };
    let is_global = args.global || args.server || spec.scope == Scope::Server;
    let session = if is_global {
        None
    } else {
        Some(super::session(server, caller, args.target.as_deref())?)
    };
    let global = server.state.options.get(spec).to_owned();
    let options = match session {
        None => &mut server.state.options,
        Some(id) => match server.state.sessions.get_mut(&id) {
            Some(session) => &mut session.options,
            None => return Err("no current session".to_owned()),
        },
    };
    if args.unset {
        options.unset(spec);
    } else {
        let current = options.own(spec).unwrap_or(&global);
        let value = spec
            .accept(args.value.as_deref(), current)
            .map_err(|e| e.to_string())?;
        options.set(spec, value);
    }
    match session {
        Some(id) => server.session_note_due(id),
        None => {
            server.apply_options();
            server.server_note_due();
        }
    }
    Ok(Reply::default())
}
