//! The shell commands of the server that run, and what they are started with.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use shellkeep_core::SessionId;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use crate::commands::ids::JobId;
use crate::commands::job;
use crate::commands::job::JobSpec;
use crate::commands::queue::{Caller, Origin};
use crate::event::Event;
use crate::model::Model;
use crate::panes::enter_shim::enter_shim;
use crate::panes::shim::StartedAs;
use crate::panes::spawn;

#[derive(Default)]
pub(crate) struct Jobs {
    running: BTreeMap<JobId, Job>,
    next: u64,
}

struct Job {
    /// The command line, for `show-messages -J`.
    command: String,
    handle: AbortHandle,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

impl Jobs {
    /// Starts a shell command. Its end is an event.
    pub(crate) fn start(&mut self, spec: &JobSpec, events: mpsc::Sender<Event>) -> JobId {
        let id = JobId(self.next);
        self.next += 1;
        let job = Job {
            command: spec.command.clone(),
            handle: start(id, spec, events),
        };
        self.running.insert(id, job);
        id
    }

    /// Removes a shell command that has ended.
    pub(crate) fn forget(&mut self, id: JobId) {
        self.running.remove(&id);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    pub(crate) fn running(&self) -> impl Iterator<Item = (JobId, &str)> {
        self.running.iter().map(|(id, job)| (*id, &job.command[..]))
    }
}

/// How to run a shell command for a caller and a session.
pub(crate) fn job_spec(
    model: &Model,
    caller: &Caller,
    session: Option<SessionId>,
    command: String,
) -> JobSpec {
    JobSpec {
        command,
        cwd: job_directory(model, caller, session)
            .into_os_string()
            .into_vec(),
        environ: job_environ(model, session),
        umask: model.birth.umask,
        input: Vec::new(),
    }
}

/// The environment of the server's shell commands.
pub(crate) fn job_environ(model: &Model, session: Option<SessionId>) -> Vec<Vec<u8>> {
    let mut whole = model.environ.clone();
    // The server may have been started in a pane of another server.
    for name in ["SHELLKEEP_PANE", "TMUX", "TMUX_PANE"] {
        whole.remove(name);
    }
    let place = spawn::place_of(model, session);
    if let Some(session) = session.and_then(|id| model.sessions.get(&id)) {
        whole.overlay(&session.environ);
        if session.environ.get("TMUX").is_some() {
            whole.set("TMUX", &place);
        }
    }
    whole.set("SHELLKEEP", &place);
    enter_shim(model, &mut whole, session, (StartedAs::Command, &place));
    whole.entries().collect()
}

/// The directory of a command, and of relative file names: the client's, or the session's, or home. For the
/// configuration, the one the server was started in.
pub(crate) fn job_directory(model: &Model, caller: &Caller, session: Option<SessionId>) -> PathBuf {
    let client = caller.client.and_then(|id| model.clients.get(&id));
    let typed = client
        .filter(|client| client.session.is_none())
        .map(|client| client.context.cwd.as_slice())
        .filter(|cwd| !cwd.is_empty());
    let session = session.or_else(|| client.and_then(|client| client.session));
    let session = session.and_then(|id| model.sessions.get(&id));
    let started = || model.environ.get("PWD");
    let started = match caller.origin {
        Origin::Config => started(),
        _ => None,
    };
    let home = || model.environ.get("HOME");
    let directory = typed
        .or(started)
        .or_else(|| session.map(|session| session.cwd.as_slice()))
        .or_else(home)
        .unwrap_or(b"/");
    PathBuf::from(OsStr::from_bytes(directory))
}

/// Starts a command; its end is an event. Aborting the handle kills it.
fn start(id: JobId, spec: &JobSpec, events: mpsc::Sender<Event>) -> AbortHandle {
    let end = job::run(spec);
    let task = tokio::spawn(async move {
        let end = end.await;
        let _ = events.send(Event::JobEnded { job: id, end }).await;
    });
    task.abort_handle()
}
