//! Runs one command or another, as a shell command or a format has it.

use shellkeep_command::Script;
use shellkeep_command::cmd::if_shell::Args;

use super::{Outcome, Reply};
use crate::config::Reader;
use crate::event_loop::{Server, commands};
use crate::job::JobEnd;
use crate::queue::{Caller, Wait, items};

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    // A target that is not there is no reason not to ask.
    let found = super::find_partly(server, caller, args.target.as_deref());
    let scope = server.scope().client(caller.client);
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
    let spec = server.job_spec(caller, found.map(|found| found.session), condition);
    let background = args
        .background
        .then(|| commands::in_background(&server.state, caller));
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
                    Ok(reply) => server.run_items_for(caller, reply.next),
                    Err(message) => server.complain(&caller, message),
                }
                Ok(Reply::default())
            }
        }
    };
    let job = server.start_job(&spec, Box::new(ended));
    Ok(Reply {
        wait: is_waiting.then_some(Wait::Job(job)),
        ..Reply::default()
    })
}

/// The commands of what was chosen.
pub(super) fn choose(server: &mut Server, chosen: Option<&Script>) -> Outcome {
    let Some(script) = chosen else {
        return Ok(Reply::default());
    };
    let list = script.commands(&mut Reader(server));
    let list = list.map_err(|error| error.message)?;
    match list.check().into_iter().next() {
        Some(error) => Err(error.message),
        None => Ok(Reply {
            next: items(&list),
            ..Reply::default()
        }),
    }
}
