//! Turns between long lists of commands and everything else: a list that has had its slice of time goes on when the events that
//! came meanwhile are handled.

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

use super::Server;
use crate::event::Event;
use crate::exec::{Outcome, Reply};
use crate::queue::{Origin, QueueId, Wait};

/// How long the commands of a list run before others get a turn.
const SLICE: Duration = Duration::from_millis(4);

/// So many commands run in one go however long they take: what a key is bound to is not torn apart.
const WHOLE: usize = 32;

/// Events that are handled before a list that waits for its turn goes on.
const EVENTS_BETWEEN: usize = 64;

/// Lists that have had their slice, in the order in which they go on.
#[derive(Debug, Default)]
pub(super) struct Slices {
    waiting: VecDeque<QueueId>,
    /// Events handled since one of them went on.
    events: usize,
}

impl Slices {
    pub(super) fn add(&mut self, queue: QueueId) {
        self.waiting.push_back(queue);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether another event goes first.
    pub(super) fn lets_event_first(&mut self) -> bool {
        self.events += 1;
        self.events <= EVENTS_BETWEEN
    }
}

/// The time that a list of commands has taken in its turn.
pub(super) struct Slice {
    commands: usize,
    start: Option<Instant>,
}

impl Slice {
    pub(super) fn begin() -> Self {
        Self {
            commands: 0,
            start: None,
        }
    }

    /// One more command is about to run. Returns whether it is others' turn before it.
    pub(super) fn is_over(&mut self) -> bool {
        self.commands += 1;
        // Most lists are short and need not know the time.
        if self.commands <= WHOLE {
            return false;
        }
        self.start.get_or_insert_with(Instant::now).elapsed() > SLICE
    }
}

/// The rest of a command's work, to be done in its list's next turn.
pub(crate) struct Again(Box<dyn FnOnce(&mut Server) -> Outcome + Send>);

impl fmt::Debug for Again {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Again")
    }
}

impl Reply {
    /// The command goes on with this when others have had their turn.
    pub(crate) fn again(work: impl FnOnce(&mut Server) -> Outcome + Send + 'static) -> Self {
        Self {
            wait: Some(Wait::Turn),
            again: Some(Again(Box::new(work))),
            ..Self::default()
        }
    }
}

impl Server {
    /// A list that has waited for its turn goes on.
    pub(super) fn next_slice(&mut self) {
        self.commands.slices.events = 0;
        let Some(id) = self.commands.slices.waiting.pop_front() else {
            return;
        };
        self.state.changes.is_unsettled = true;
        // A list goes with its client.
        let Some(queue) = self.commands.queues.get_mut(&id) else {
            return;
        };
        match queue.again.take() {
            Some(Again(work)) => {
                let outcome = work(self);
                self.resume(id, outcome);
            }
            None => {
                queue.wait = None;
                self.advance(id);
            }
        }
    }

    /// Whether the next command of a list has to wait until its client has read what was printed before: what it prints would only
    /// be kept in memory.
    pub(super) fn waits_for_room(&mut self, id: QueueId) -> bool {
        let Some(queue) = self
            .commands
            .queues
            .get_mut(&id)
            .filter(|it| !it.items.is_empty())
        else {
            return false;
        };
        let client = queue.caller.client;
        let client = client.filter(|_| queue.caller.origin == Origin::CommandLine);
        let client = client.and_then(|client| self.state.clients.get(&client));
        let Some(client) = client.filter(|client| client.writer.is_full()) else {
            return false;
        };
        queue.wait = Some(Wait::Room);
        let (room, events) = (client.writer.room(), self.events.clone());
        tokio::spawn(async move {
            room.await;
            let _ = events.send(Event::HasRoom { queue: id }).await;
        });
        true
    }

    pub(super) fn has_room(&mut self, id: QueueId) {
        let Some(queue) = self.commands.queues.get_mut(&id) else {
            return;
        };
        if queue.wait == Some(Wait::Room) {
            queue.wait = None;
            self.state.changes.is_unsettled = true;
            self.advance(id);
        }
    }
}
