//! A command line is answered when what it has changed of what is kept is written: in the page cache, so that the death of all
//! processes undoes nothing. The answer waits as a command waits for anything else, and nothing else waits with it.

use std::sync::Arc;

use super::Server;
use crate::control_feed::{Barrier, ControlFeed};
use crate::exec::Reply;
use crate::queue::{Origin, QueueId, Wait};

/// Answers that wait.
#[derive(Default)]
pub(super) struct Unwritten {
    /// Queues of the event at hand: their changes are not even noted down yet.
    due: Vec<QueueId>,
    /// Queues whose changes are being written, and the revision they wait for.
    waiting: Vec<(u64, QueueId)>,
    /// Answers to clients in control mode, in the same two stages.
    barred: Vec<BarredAnswer>,
    waiting_barred: Vec<(u64, BarredAnswer)>,
    /// Everything up to this revision is written.
    written: u64,
}

/// An answer to a client in control mode that waits in the client's feed.
struct BarredAnswer {
    feed: Arc<ControlFeed>,
    barrier: Barrier,
}

impl Unwritten {
    /// Has all that is told to a client in control mode from now on wait until the changes of the event at hand are written.
    pub(super) fn bar(&mut self, feed: &Arc<ControlFeed>) {
        let (feed, barrier) = (feed.clone(), feed.bar());
        self.barred.push(BarredAnswer { feed, barrier });
    }
}

impl BarredAnswer {
    fn open(&self) {
        self.feed.open(self.barrier);
    }
}

impl Server {
    /// Whether something that is kept has changed in the event at hand.
    fn has_kept_changes(&self) -> bool {
        let due = &self.state.changes.notes;
        !due.sessions.is_empty()
            || !due.windows.is_empty()
            || due.server
            || due.keys
            || !self.persistence.closed_panes.is_empty()
            || !self.persistence.closed_sessions.is_empty()
    }

    /// A command was run: notes whether it has changed something that is kept.
    pub(super) fn note_changes(&mut self, id: QueueId) {
        let is_changing = self.has_kept_changes();
        if let Some(queue) = self.commands.queues.get_mut(&id) {
            queue.is_changing |= is_changing;
        }
    }

    /// Has a queue wait with its answer until its changes are written, if there are any; whether it waits. A client in control mode has
    /// an answer to each command instead: see [`Self::end_answer`].
    pub(super) fn hold_answer(&mut self, id: QueueId) -> bool {
        if self.persistence.keeping.is_none() {
            return false;
        }
        let queue = self.commands.queues.get_mut(&id).filter(|queue| {
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
        self.persistence.unwritten.due.push(id);
        self.state.changes.is_unsettled = true;
        true
    }

    /// The changes of the event at hand are on their way: queues go on whose changes are written, the others when the writer says so.
    /// Whether some went on.
    pub(super) fn await_written(&mut self) -> bool {
        let due = std::mem::take(&mut self.persistence.unwritten.due);
        let barred = std::mem::take(&mut self.persistence.unwritten.barred);
        if due.is_empty() && barred.is_empty() {
            return false;
        }
        let Some(keeping) = &self.persistence.keeping else {
            return false;
        };
        let last = keeping.recorder.last_revision();
        if last <= self.persistence.unwritten.written {
            barred.iter().for_each(BarredAnswer::open);
            let goes_on = !due.is_empty();
            due.into_iter().for_each(|id| self.go_on_written(id));
            return goes_on;
        }
        let barred = barred.into_iter().map(|answer| (last, answer));
        self.persistence.unwritten.waiting_barred.extend(barred);
        keeping.recorder.say_when_written(last);
        let waiting = due.into_iter().map(|id| (last, id));
        self.persistence.unwritten.waiting.extend(waiting);
        false
    }

    /// Everything up to this revision is written.
    pub(super) fn written(&mut self, revision: u64) {
        self.persistence.unwritten.written = self.persistence.unwritten.written.max(revision);
        self.persistence
            .unwritten
            .waiting_barred
            .retain(|(until, answer)| {
                let is_written = *until <= revision;
                if is_written {
                    answer.open();
                }
                !is_written
            });
        let waiting = std::mem::take(&mut self.persistence.unwritten.waiting);
        let (done, waiting) = waiting
            .into_iter()
            .partition(|(until, _)| *until <= revision);
        self.persistence.unwritten.waiting = waiting;
        let done: Vec<(u64, QueueId)> = done;
        done.into_iter().for_each(|(_, id)| self.go_on_written(id));
    }

    fn go_on_written(&mut self, id: QueueId) {
        let queue = self.commands.queues.get(&id);
        if queue.is_some_and(|queue| queue.wait == Some(Wait::Written)) {
            self.resume(id, Ok(Reply::default()));
        }
    }
}
