//! Shows options.

use shellkeep_command::cmd::show_options::Args;
use shellkeep_command::lex;
use shellkeep_command::options_table::{self, OPTIONS, OptionError, OptionSpec, Scope};

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;
use crate::state::Options;

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let global = &server.state.options;
    if let Some(name) = &args.option {
        let spec = match options_table::find(name) {
            Ok(spec) => spec,
            Err(OptionError::Unknown(_)) if args.quiet => return Ok(Reply::default()),
            Err(error) => return Err(error.to_string()),
        };
        let value = if spec.scope == Scope::Server || args.global || args.server {
            Some(global.get(spec))
        } else {
            let own = session_options(server, caller, args)?.own(spec);
            own.or_else(|| args.inherited.then(|| global.get(spec)))
        };
        return Ok(Reply::text(
            value
                .map(|value| line(spec, value, args))
                .unwrap_or_default(),
        ));
    }
    let scope = if args.server {
        Scope::Server
    } else {
        Scope::Session
    };
    let specs = OPTIONS.iter().filter(|spec| spec.scope == scope);
    let lines: String = if args.server || args.global {
        specs
            .map(|spec| line(spec, global.get(spec), args))
            .collect()
    } else {
        let own = session_options(server, caller, args)?;
        specs
            .filter_map(|spec| own.own(spec).map(|value| line(spec, value, args)))
            .collect()
    };
    Ok(Reply::text(lines))
}

fn session_options<'a>(
    server: &'a Server,
    caller: &Caller,
    args: &Args,
) -> Result<&'a Options, String> {
    let id = super::session(server, caller, args.target.as_deref())?;
    let session = server.state.sessions.get(&id);
    session
        .map(|session| &session.options)
        .ok_or_else(|| "no current session".to_owned())
}

fn line(spec: &OptionSpec, value: &str, args: &Args) -> String {
    if args.value_only {
        format!("{value}\n")
    } else {
        format!("{} {}\n", spec.name, lex::print(&[value.to_owned()]))
    }
}
