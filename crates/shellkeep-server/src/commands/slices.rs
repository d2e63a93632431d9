//! Slices of time for long lists of commands: a list whose slice is used up continues when the events that came
//! meanwhile are handled.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::commands::queue::QueueId;

/// How long a list runs before other events get their turn.
const SLICE: Duration = Duration::from_millis(4);

/// How many commands run without a break however long they take, so that a key binding is not interrupted.
const MIN_COMMANDS: usize = 32;

/// How many events are handled before a waiting list continues.
const EVENTS_BETWEEN: usize = 64;

/// Lists whose slice is used up, in order.
#[derive(Debug, Default)]
pub(crate) struct Slices {
    pub(crate) waiting: VecDeque<QueueId>,
    /// How many events were handled since one of them continued.
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

    /// Counts a command that is about to run. Returns whether other events go first.
    pub(crate) fn is_over(&mut self) -> bool {
        self.commands += 1;
        // Short lists, which most are, do not read the clock.
        if self.commands <= MIN_COMMANDS {
            return false;
        }
        self.start.get_or_insert_with(Instant::now).elapsed() > SLICE
    }
}
