//! The queue of panes that are to fall asleep.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use shellkeep_core::PaneId;

use crate::alarm::Timer;
use crate::hibernation::refusal::Force;
use crate::process::processes::Processes;

/// How often a pane is judged again whose shell is about to show its prompt.
const MAX_REJUDGED: u32 = 20;

/// A pane that is to be judged, and to fall asleep if it can.
pub(crate) struct Waiting {
    pub(crate) pane: PaneId,
    pub(crate) force: Force,
    /// How many more times it is judged again, if it will be idle in a moment.
    pub(crate) left: u32,
}

impl Waiting {
    pub(crate) fn new(pane: PaneId, force: Force) -> Self {
        let left = MAX_REJUDGED;
        Self { pane, force, left }
    }
}

/// The queue, and the panes that have left it and are falling asleep.
#[derive(Default)]
pub(crate) struct AdmissionQueue {
    /// Panes that are falling asleep.
    pub(crate) falling: BTreeMap<PaneId, Waiting>,
    pub(crate) waiting: VecDeque<Waiting>,
    /// Panes that will be idle in a moment, and are queued again then.
    pub(crate) unsettled: Vec<Waiting>,
    pub(crate) timer: Option<Timer>,
    /// Fires when the queue is to be continued although no other event comes.
    pub(crate) pause: Option<Timer>,
    /// The scan of processes by which panes are judged, and when it was made.
    pub(crate) scan: Option<(Arc<Processes>, Instant)>,
}

impl AdmissionQueue {
    /// Queues a pane, once. A later request that may end running programs replaces an earlier one that may not.
    pub(crate) fn add(&mut self, pane: PaneId, force: Force) {
        let mut others = self.waiting.iter_mut().chain(&mut self.unsettled);
        match others.find(|other| other.pane == pane) {
            Some(other) if force == Force::On => other.force = force,
            Some(_) => {}
            None => self.waiting.push_back(Waiting::new(pane, force)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pane_waits_once_and_with_force_if_one_wish_has_it() {
        let mut queue = AdmissionQueue::default();
        for force in [Force::Off, Force::On, Force::Off] {
            queue.add(PaneId(1), force);
        }
        let waiting: Vec<_> = queue.waiting.iter().map(|it| (it.pane, it.force)).collect();
        assert_eq!(waiting, [(PaneId(1), Force::On)]);
    }
}
