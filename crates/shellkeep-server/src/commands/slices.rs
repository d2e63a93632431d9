//! Turns between long lists of commands and everything else: a list that has had its slice of time goes on when the events that
//! came meanwhile are handled.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::commands::queue::QueueId;

/// How long the commands of a list run before others get a turn.
const SLICE: Duration = Duration::from_millis(4);

/// So many commands run in one go however long they take: what a key is bound to is not torn apart.
const WHOLE: usize = 32;

/// Events that are handled before a list that waits for its turn goes on.
const EVENTS_BETWEEN: usize = 64;

/// Lists that have had their slice, in the order in which they go on.
#[derive(Debug, Default)]
pub(crate) struct Slices {
    pub(crate) waiting: VecDeque<QueueId>,
    /// Events handled since one of them went on.
    pub(crate) events: usize,
}

impl Slices {
    pub(crate) fn add(&mut self, queue: QueueId) {
        self.waiting.push_back(queue);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether another event goes first.
    pub(crate) fn lets_event_first(&mut self) -> bool {
        self.events += 1;
        self.events <= EVENTS_BETWEEN
    }
}

/// The time that a list of commands has taken in its turn.
pub(crate) struct Slice {
    commands: usize,
    start: Option<Instant>,
}

impl Slice {
    pub(crate) fn begin() -> Self {
        Self {
            commands: 0,
            start: None,
        }
    }

    /// One more command is about to run. Returns whether it is others' turn before it.
    pub(crate) fn is_over(&mut self) -> bool {
        self.commands += 1;
        // Most lists are short and need not know the time.
        if self.commands <= WHOLE {
            return false;
        }
        self.start.get_or_insert_with(Instant::now).elapsed() > SLICE
    }
}
