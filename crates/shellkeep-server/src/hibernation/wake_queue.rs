//! The state of the wake queue.

use std::collections::{BTreeSet, VecDeque};

use shellkeep_core::PaneId;

/// Panes that wake one after another.
#[derive(Default)]
pub(crate) struct WakeQueue {
    pub(crate) waiting: VecDeque<PaneId>,
    /// The panes that wake now: one from the queue, or all that clients show.
    pub(crate) current: Vec<PaneId>,
    /// Panes that were woken and that no client has shown yet.
    pub(crate) woken: BTreeSet<PaneId>,
}
