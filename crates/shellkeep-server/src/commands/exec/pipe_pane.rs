//! `pipe-pane`: connects a pane's output to a command, or a command's output to a pane.

use shellkeep_command::Target;
use shellkeep_command::cmd::pipe_pane::{Args, NAME};

use crate::commands::exec::listing::command_scope;
use crate::commands::exec::sleeping;
use crate::commands::job::JobSpec;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{jobs, targets};
use crate::model::Waker;
use crate::panes::pipe::Ways;
use crate::panes::pipes;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let Some(pane) = server.model.panes.get_mut(&found.pane) else {
        return Err(format!("can't find pane: {}", found.pane));
    };
    if pane.is_dead() {
        return Err("target pane has exited".to_owned());
    }
    let had_pipe = pane.has_pipe();
    pane.close_pipe();
    let command = args.command.as_deref().unwrap_or_default();
    if command.is_empty() || (args.only_new && had_pipe) {
        return Ok(Reply::default());
    }
    let scope = command_scope(&server.model, caller, NAME).client(caller.client);
    let session = server.model.sessions.get(&found.session);
    let spec = JobSpec {
        command: scope.found(found).expand_time(command),
        cwd: session
            .map(|session| session.cwd.clone())
            .unwrap_or_default(),
        environ: jobs::job_environ(&server.model, Some(found.session)),
        umask: server.model.birth.umask,
        input: Vec::new(),
    };
    let ways = match (args.input, args.output) {
        (true, false) => Ways::In,
        (true, true) => Ways::Both,
        (false, _) => Ways::Out,
    };
    sleeping::wake(server, found.pane, Waker::User);
    let pipe = pipes::start_pipe(&server.events, found.pane, &spec, ways)?;
    if let Some(pane) = server.model.panes.get_mut(&found.pane) {
        pane.open_pipe(pipe);
    }
    Ok(Reply::default())
}
