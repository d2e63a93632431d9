//! A command line is answered when what it has changed of what is kept is written: in the page cache, so that the death of all
//! processes undoes nothing. The answer waits as a command waits for anything else, and nothing else waits with it.

use super::Server;
use crate::exec::Reply;
use crate::queue::{Origin, QueueId, Wait};

/// Answers that wait.
#[derive(Default)]
pub(super) struct Unwritten {
    /// Queues of the event at hand: their changes are not even noted down yet.
    due: Vec<QueueId>,
    /// Queues whose changes are being written, and the revision they wait for.
    waiting: Vec<(u64, QueueId)>,
    /// Everything up to this revision is written.
    written: u64,
}

impl Server {
    /// Whether something that is kept has changed in the event at hand.
    fn has_kept_changes(&self) -> bool {
        let due = &self.due;
        !due.sessions.is_empty()
            || !due.windows.is_empty()
            || due.server
            || due.keys
            || !self.closed_panes.is_empty()
            || !self.closed_sessions.is_empty()
    }

    /// A command was run: notes whether it has changed something that is kept.
    pub(super) fn note_changes(&mut self, id: QueueId) {
        let is_changing = self.has_kept_changes();
        if let Some(queue) = self.queues.get_mut(&id) {
            queue.is_changing |= is_changing;
        }
    }

    /// Has a queue wait with its answer until its changes are written, if there are any; whether it waits. A client in control mode has
    /// an answer to each command, in an order with notices and hooks that would be another if it waited: it is told at once.
    pub(super) fn hold_answer(&mut self, id: QueueId) -> bool {
        if self.keeping.is_none() {
            return false;
        }
        let queue = self.queues.get_mut(&id).filter(|queue| {
            let client = queue.caller.client;
            let client = client.and_then(|id| self.state.clients.get(&id));
            client.is_none_or(|client| client.control.is_none())
        });
        let queue = queue.filter(|queue| queue.caller.origin == Origin::CommandLine);
        let Some(queue) = queue.filter(|queue| queue.is_changing) else {
            return false;
        };
        queue.is_changing = false;
        queue.wait = Some(Wait::Written);
        self.unwritten.due.push(id);
        self.is_unsettled = true;
        true
    }

    /// The changes of the event at hand are on their way: queues go on whose changes are written, the others when the writer says so.
    /// Whether some went on.
    pub(super) fn await_written(&mut self) -> bool {
        let due = std::mem::take(&mut self.unwritten.due);
        let Some(keeping) = self.keeping.as_ref().filter(|_| !due.is_empty()) else {
            return false;
        };
        let last = keeping.recorder.last_revision();
        if last <= self.unwritten.written {
            due.into_iter().for_each(|id| self.go_on_written(id));
            return true;
        }
        keeping.recorder.say_when_written(last);
        let waiting = due.into_iter().map(|id| (last, id));
        self.unwritten.waiting.extend(waiting);
        false
    }

    /// Everything up to this revision is written.
    pub(super) fn written(&mut self, revision: u64) {
        self.unwritten.written = self.unwritten.written.max(revision);
        let waiting = std::mem::take(&mut self.unwritten.waiting);
        let (done, waiting) = waiting
            .into_iter()
            .partition(|(until, _)| *until <= revision);
        self.unwritten.waiting = waiting;
        let done: Vec<(u64, QueueId)> = done;
        done.into_iter().for_each(|(_, id)| self.go_on_written(id));
    }

    fn go_on_written(&mut self, id: QueueId) {
        let queue = self.queues.get(&id);
        if queue.is_some_and(|queue| queue.wait == Some(Wait::Written)) {
            self.resume(id, Ok(Reply::default()));
        }
    }
}
