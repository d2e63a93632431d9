//! Shell commands of our own, and what waits for them; and alarms.

use std::time::Duration;

use shellkeep_core::SessionId;
use tokio::task::AbortHandle;

use super::Server;
use crate::alarm::{self, Alarm, Timer};
use crate::exec::Outcome;
use crate::job::{self, JobEnd, JobId, JobSpec};
use crate::queue::{QueueId, Wait};

/// What to do when a job has ended. Its outcome is that of the command which started it, if that waits.
pub(crate) type Then = Box<dyn FnOnce(&mut Server, JobEnd) -> Outcome + Send>;

/// A job that runs.
pub(super) struct Job {
    then: Then,
    handle: AbortHandle,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

impl Server {
    /// Starts a shell command.
    pub(crate) fn start_job(&mut self, spec: &JobSpec, then: Then) -> JobId {
        let id = JobId(self.next_job);
        self.next_job += 1;
        let handle = job::start(id, spec, self.events.clone());
        self.jobs.insert(id, Job { then, handle });
        id
    }

    pub(super) fn job_ended(&mut self, id: JobId, end: JobEnd) {
        let Some(mut job) = self.jobs.remove(&id) else {
            return;
        };
        let then = std::mem::replace(&mut job.then, Box::new(|_, _| Ok(Default::default())));
        let waiting = self.waiting_for(&Wait::Job(id));
        self.running = waiting;
        let outcome = then(self, end);
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
        let mut queues = self.queues.iter();
        let found = queues.find(|(_, queue)| queue.wait.as_ref() == Some(wait));
        found.map(|(id, _)| *id)
    }

    /// What a shell command of ours finds in its environment.
    pub(crate) fn job_environ(&self, session: Option<SessionId>) -> Vec<Vec<u8>> {
        let mut whole = self.state.environ.clone();
        if let Some(session) = session.and_then(|id| self.state.sessions.get(&id)) {
            whole.overlay(&session.environ);
        }
        let socket = self.socket.display();
        let number = session.map_or(-1, |session| i64::from(session.0));
        let place = format!("{socket},{},{number}", std::process::id());
        whole.set("SHELLKEEP", &place);
        whole.entries().collect()
    }

    /// Sets an alarm. Dropping it takes it back.
    pub(crate) fn set_alarm(&self, alarm: Alarm, after: Duration) -> Timer {
        alarm::set(alarm, after, self.events.clone())
    }
}
