//! The panes that wake one after another.

use std::collections::{BTreeSet, VecDeque};

use shellkeep_core::PaneId;

/// Panes that wake one after another.
#[derive(Default)]
pub(crate) struct Turns {
    pub(crate) waiting: VecDeque<PaneId>,
    /// Whose turn it is: one, or all that are seen.
    pub(crate) current: Vec<PaneId>,
    /// Those that have had theirs, and nobody has looked at yet.
    pub(crate) woken: BTreeSet<PaneId>,
}
