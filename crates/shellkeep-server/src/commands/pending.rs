//! Continuations of commands that wait.
//!
//! A queue has in its `Wait` what its command waits for. What the command then does is a closure here, since it may use
//! the whole server.

use std::collections::BTreeMap;

use shellkeep_core::ClientId;
use tokio::sync::oneshot;

use crate::commands::ids::{JobId, QueueId};
use crate::commands::job::{JobEnd, JobSpec};
use crate::commands::queue::Wait;
use crate::commands::reply::{Outcome, Reply};
use crate::event::Event;
use crate::server::Server;

pub(crate) type AfterJob = Box<dyn FnOnce(&mut Server, JobEnd) -> Outcome + Send>;
pub(crate) type AfterInput = Box<dyn FnOnce(&mut Server, Vec<u8>) -> Outcome + Send>;
pub(crate) type Rest = Box<dyn FnOnce(&mut Server) -> Outcome + Send>;

/// The continuations, by what they wait for.
#[derive(Default)]
pub(crate) struct Pending {
    pub(crate) jobs: BTreeMap<JobId, AfterJob>,
    pub(crate) inputs: BTreeMap<ClientId, AfterInput>,
    pub(crate) files: BTreeMap<u64, Rest>,
    turns: BTreeMap<QueueId, Rest>,
}

impl Pending {
    /// A client is gone, and its standard input with it.
    pub(crate) fn forget_client(&mut self, id: ClientId) {
        self.inputs.remove(&id);
    }

    /// A queue has ended, so its continuation never runs.
    pub(crate) fn forget_queue(&mut self, id: QueueId) {
        self.turns.remove(&id);
    }

    /// Takes the continuation of a command that waits for its turn.
    pub(crate) fn take_turn(&mut self, id: QueueId) -> Option<Rest> {
        self.turns.remove(&id)
    }

    /// Sets the continuation for when a client's standard input was read.
    pub(crate) fn after_input(&mut self, id: ClientId, then: AfterInput) {
        self.inputs.insert(id, then);
    }
}

/// Starts a shell command, with the continuation for its end.
pub(crate) fn start_job(server: &mut Server, spec: &JobSpec, then: AfterJob) -> JobId {
    let id = server.commands.jobs.start(spec, server.events.clone());
    server.pending.jobs.insert(id, then);
    id
}

/// Runs work on files on a thread, since a disk may be slow. The command continues with its result.
pub(crate) fn work_on_files<T: Send + 'static>(
    server: &mut Server,
    work: impl FnOnce() -> T + Send + 'static,
    then: impl FnOnce(&mut Server, T) -> Outcome + Send + 'static,
) -> Reply {
    let number = server.model.next_wait();
    let (done, mut result) = oneshot::channel();
    let rest: Rest = Box::new(move |server| match result.try_recv() {
        Ok(result) => then(server, result),
        Err(_) => Err("the file cannot be used; shellkeep's log says why".into()),
    });
    server.pending.files.insert(number, rest);
    let events = server.events.clone();
    tokio::spawn(async move {
        match tokio::task::spawn_blocking(work).await {
            Ok(result) => drop(done.send(result)),
            Err(error) => {
                tracing::error!(%error, "work on a file was dropped; this is a bug in shellkeep");
                drop(done);
            }
        }
        let _ = events.send(Event::FileWorkDone { number }).await;
    });
    Reply {
        wait: Some(Wait::Files(number)),
        ..Reply::default()
    }
}

/// Continues the running command with this when other events were handled.
pub(crate) fn in_next_turn(
    server: &mut Server,
    rest: impl FnOnce(&mut Server) -> Outcome + Send + 'static,
) -> Outcome {
    let Some(queue) = server.model.running() else {
        return rest(server);
    };
    server.pending.turns.insert(queue, Box::new(rest));
    Ok(Reply {
        wait: Some(Wait::Turn),
        ..Reply::default()
    })
}
