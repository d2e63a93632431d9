//! Shows options.

use shellkeep_command::cmd::show_options::Args;
use shellkeep_command::options::{
    self, Form, Hooks, Inherited, OptionError, Scope, Show, View, show_all, show_one,
};

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;
use crate::state::{Options, refusal};

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let show = Show {
        form: if args.value_only {
            Form::Value
        } else {
            Form::Line
        },
        inherited: if args.inherited {
            Inherited::Mark
        } else {
            Inherited::Leave
        },
        hooks: Hooks::Leave,
    };
    let wanted = if args.server {
        Scope::Server
    } else {
        Scope::Session
    };
    let Some(name) = &args.option else {
        let (options, parents) = sets(server, caller, args, wanted)?;
        return Ok(text(&show_all(wanted, options, parents, show)));
    };
    let lines = match options::find(name) {
        Ok(name) => {
            let scope = name.spec().map_or(wanted, |spec| spec.scope);
            let (options, parents) = sets(server, caller, args, scope)?;
            show_one(&name, options, parents, show)
        }
        Err(error) => Err(error),
    };
    match lines {
        Ok(lines) => Ok(text(&lines)),
        Err(OptionError::Unknown(_) | OptionError::Ambiguous(_)) if args.quiet => {
            Ok(Reply::default())
        }
        Err(error) => Err(refusal(&error)),
    }
}

/// The set that is asked about, and those it falls back on.
fn sets<'a>(
    server: &'a Server,
    caller: &Caller,
    args: &Args,
    scope: Scope,
) -> Result<(&'a Options, View<'a>), String> {
    let global = &server.state.options;
    if args.global || scope != Scope::Session {
        return Ok((global.of(scope), View::default()));
    }
    let id = super::session(server, caller, args.target.as_deref())?;
    let session = server.state.sessions.get(&id);
    let session = session.ok_or_else(|| "no current session".to_owned())?;
    Ok((&session.options, global.sessions()))
}

fn text(lines: &[String]) -> Reply {
    Reply::text(
        lines
            .iter()
            .flat_map(|line| [line, "\n"])
            .collect::<String>(),
    )
}
