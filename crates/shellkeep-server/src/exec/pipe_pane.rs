//! Pipes what a pane's program prints to a command, and what the command prints to the pane.

use shellkeep_command::Target;
use shellkeep_command::cmd::pipe_pane::{Args, NAME};

use super::{Outcome, Reply};
use crate::event_loop::{Server, Waker};
use crate::job::JobSpec;
use crate::pipe::Ways;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Pane)?;
    let Some(pane) = server.state.panes.get_mut(&found.pane) else {
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
    let scope = server.command_scope(caller, NAME).client(caller.client);
    let session = server.state.sessions.get(&found.session);
    let spec = JobSpec {
        command: scope.found(found).expand_time(command),
        cwd: session
            .map(|session| session.cwd.clone())
            .unwrap_or_default(),
        environ: server.job_environ(Some(found.session)),
        umask: server.state.birth.umask,
        input: Vec::new(),
    };
    let ways = match (args.input, args.output) {
        (true, false) => Ways::In,
        (true, true) => Ways::Both,
        (false, _) => Ways::Out,
    };
    server.wake(found.pane, Waker::User);
    let pipe = server.start_pipe(found.pane, &spec, ways)?;
    if let Some(pane) = server.state.panes.get_mut(&found.pane) {
        pane.open_pipe(pipe);
    }
    Ok(Reply::default())
}
