//! `if-shell`: runs one command or another, depending on a shell command or a format.

use shellkeep_command::Script;
use shellkeep_command::cmd::if_shell::Args;

use crate::action::Action;
use crate::commands::config::ConfigHost;
use crate::commands::job::JobEnd;
use crate::commands::queue::{Caller, Wait, items};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{answer, jobs, pending, targets};
use crate::formats;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    // A missing target is no error.
    let found = targets::find_partly(&server.model, caller, args.target.as_deref());
    let scope = formats::scope(&server.model).client(caller.client);
    let scope = found.map_or(scope.clone(), |found| scope.found(found));
    let condition = scope.expand(&args.condition);
    let (then, otherwise) = (args.then.clone(), args.otherwise.clone());
    if args.format {
        let is_true = !condition.is_empty() && !condition.starts_with('0');
        return choose(
            server,
            if is_true {
                Some(&then)
            } else {
                otherwise.as_ref()
            },
        );
    }
    let spec = jobs::job_spec(
        &server.model,
        caller,
        found.map(|found| found.session),
        condition,
    );
    let background = args
        .background
        .then(|| answer::in_background(&server.model, caller));
    let is_waiting = background.is_none();
    let ended = move |server: &mut Server, end: JobEnd| {
        let chosen = if end.status == 0 {
            Some(&then)
        } else {
            otherwise.as_ref()
        };
        let reply = choose(server, chosen);
        match background {
            None => reply,
            Some(caller) => {
                match reply {
                    Ok(reply) => server.model.act(Action::Run(caller, reply.next)),
                    Err(message) => answer::complain(&mut server.model, &caller, message),
                }
                Ok(Reply::default())
            }
        }
    };
    let job = pending::start_job(server, &spec, Box::new(ended));
    Ok(Reply {
        wait: is_waiting.then_some(Wait::Job(job)),
        ..Reply::default()
    })
}

/// The commands of the chosen branch.
pub(crate) fn choose(server: &mut Server, chosen: Option<&Script>) -> Outcome {
    let Some(script) = chosen else {
        return Ok(Reply::default());
    };
    let list = script.commands(&mut ConfigHost(&mut server.model));
    let list = list.map_err(|error| error.message)?;
    match list.check().into_iter().next() {
        Some(error) => Err(error.message),
        None => Ok(Reply {
            next: items(&list),
            ..Reply::default()
        }),
    }
}
