//! Shell commands of our own, and what waits for them; and alarms.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use shellkeep_core::SessionId;
use tokio::task::AbortHandle;

use super::{Server, spawn};
use crate::exec::{Outcome, Reply};
use crate::job::{self, JobEnd, JobId, JobSpec};
use crate::queue::{Caller, Origin, QueueId, Wait};
use crate::shim::StartedAs;
use crate::state::{Model, Seconds};

/// What to do when a job has ended. Its outcome is that of the command which started it, if that waits.
pub(crate) type Then = Box<dyn FnOnce(&mut Server, JobEnd) -> Outcome + Send>;

/// A job that runs.
pub(super) struct Job {
    /// What it runs, for who asks.
    command: String,
    then: Then,
    handle: AbortHandle,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

/// What `#(…)` printed last.
///
/// A format is evaluated while the model is only looked at, so commands it names are noted here and started when the event at
/// hand is done; what they print is shown the next time.
#[derive(Default)]
pub(crate) struct FormatJobs(RefCell<BTreeMap<String, FormatJob>>);

#[derive(Default)]
struct FormatJob {
    output: String,
    /// When it was last started.
    started: Option<Seconds>,
    is_wanted: bool,
    is_running: bool,
    session: Option<SessionId>,
}

/// So many commands of formats are remembered; beyond that the ones used least recently go.
const MOST_FORMAT_JOBS: usize = 500;

impl Server {
    /// What a format's command printed last. It is run again if that was not in this second.
    pub(crate) fn format_job(&self, command: &str, session: Option<SessionId>) -> String {
        let mut jobs = self.commands.format_jobs.0.borrow_mut();
        if jobs.len() >= MOST_FORMAT_JOBS && !jobs.contains_key(command) {
            let oldest = jobs.iter().filter(|(_, job)| !job.is_running);
            let oldest = oldest
                .min_by_key(|(_, job)| job.started)
                .map(|(name, _)| name.clone());
            if let Some(name) = oldest {
                jobs.remove(&name);
            }
        }
        let job = jobs.entry(command.to_owned()).or_default();
        job.session = session;
        job.is_wanted =
            !job.is_running && job.started.is_none_or(|started| started < self.state.now());
        job.output.clone()
    }

    /// Starts the commands that formats have asked for.
    pub(super) fn start_format_jobs(&mut self) {
        let now = self.state.now();
        let mut wanted = Vec::new();
        for (command, job) in self.commands.format_jobs.0.borrow_mut().iter_mut() {
            if std::mem::take(&mut job.is_wanted) {
                (job.is_running, job.started) = (true, Some(now));
                wanted.push((command.clone(), job.session));
            }
        }
        for (command, session) in wanted {
            let cwd = session.and_then(|id| self.state.sessions.get(&id));
            let spec = JobSpec {
                command: command.clone(),
                cwd: cwd.map(|session| session.cwd.clone()).unwrap_or_default(),
                environ: self.job_environ(session),
                umask: self.state.birth.umask,
                input: Vec::new(),
            };
            let then = move |server: &mut Server, end: JobEnd| {
                server.format_job_ended(&command, &end);
                Ok(Reply::default())
            };
            self.start_job(&spec, Box::new(then));
        }
    }

    fn format_job_ended(&mut self, command: &str, end: &JobEnd) {
        let output = String::from_utf8_lossy(&end.output);
        // A status line has room for one line, and tmux shows the last.
        let line = output.lines().last().unwrap_or_default().to_owned();
        let mut has_changed = false;
        if let Some(job) = self.commands.format_jobs.0.borrow_mut().get_mut(command) {
            has_changed = job.output != line;
            job.output = line;
            job.is_running = false;
        }
        if has_changed {
            self.state.redraw_all();
        }
    }

    /// Starts a shell command.
    pub(crate) fn start_job(&mut self, spec: &JobSpec, then: Then) -> JobId {
        let id = JobId(self.commands.next_job);
        self.commands.next_job += 1;
        let handle = job::start(id, spec, self.events.clone());
        let command = spec.command.clone();
        let job = Job {
            command,
            then,
            handle,
        };
        self.commands.jobs.insert(id, job);
        id
    }

    /// The shell commands that run.
    pub(crate) fn running_jobs(&self) -> impl Iterator<Item = (JobId, &str)> {
        self.commands
            .jobs
            .iter()
            .map(|(id, job)| (*id, &job.command[..]))
    }

    pub(super) fn job_ended(&mut self, id: JobId, end: JobEnd) {
        let Some(mut job) = self.commands.jobs.remove(&id) else {
            return;
        };
        let then = std::mem::replace(&mut job.then, Box::new(|_, _| Ok(Default::default())));
        let waiting = self.waiting_for(&Wait::Job(id));
        self.set_running(waiting);
        let outcome = then(self, end);
        self.set_running(None);
        match waiting {
            Some(queue) => self.resume(queue, outcome),
            None => {
                if let Err(message) = outcome {
                    tracing::info!(message, "after a shell command");
                }
            }
        }
    }

    fn waiting_for(&self, wait: &Wait) -> Option<QueueId> {
        let mut queues = self.commands.queues.iter();
        let found = queues.find(|(_, queue)| queue.wait.as_ref() == Some(wait));
        found.map(|(id, _)| *id)
    }

    /// How a shell command is run for a caller, about a session.
    pub(crate) fn job_spec(
        &self,
        caller: &Caller,
        session: Option<SessionId>,
        command: String,
    ) -> JobSpec {
        JobSpec {
            command,
            cwd: job_directory(&self.state, caller, session)
                .into_os_string()
                .into_vec(),
            environ: self.job_environ(session),
            umask: self.state.birth.umask,
            input: Vec::new(),
        }
    }

    /// What a shell command of ours finds in its environment.
    pub(crate) fn job_environ(&self, session: Option<SessionId>) -> Vec<Vec<u8>> {
        let mut whole = self.state.environ.clone();
        // The server may have been started in a pane of another one.
        for name in ["SHELLKEEP_PANE", "TMUX", "TMUX_PANE"] {
            whole.remove(name);
        }
        let place = spawn::place_of(&self.state, session);
        if let Some(session) = session.and_then(|id| self.state.sessions.get(&id)) {
            whole.overlay(&session.environ);
            if session.environ.get("TMUX").is_some() {
                whole.set("TMUX", &place);
            }
        }
        whole.set("SHELLKEEP", &place);
        self.enter_shim(&mut whole, session, (StartedAs::Command, &place));
        whole.entries().collect()
    }
}

/// Where a command is run, or a file is looked for: where it was typed, or where the session began, or at home. The
/// configuration is read where the server was started.
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
