//! Writing how programs were started. A start is in the page cache already, so its sync can be delayed and shared. One
//! by one, each would take five syncs, and with many sessions made one after another, a checkpoint that a command waits
//! for would wait for all of them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shellkeep_store::schema::StoredStart;
use shellkeep_store::{PaneDir, Store, StoreError, StoreId, Unsynced};

/// The delay. Until the new program shows its prompt, it needs the CPU and the disk for itself.
pub(crate) const START_DELAY: Duration = Duration::from_millis(20);

/// How the program of a pane was started.
pub(crate) struct Start {
    pub(crate) session: StoreId,
    pub(crate) pane: StoreId,
    pub(crate) start: Arc<StoredStart>,
    /// Later ones have higher numbers.
    pub(crate) revision: u64,
}

impl Start {
    fn dir(&self, store: &Store) -> PaneDir {
        store.pane(self.session, self.pane)
    }

    pub(crate) fn write(&self, store: &Store) -> Result<(), StoreError> {
        self.dir(store).write_start(&self.start)
    }

    /// Writes it without waiting for the disk.
    pub(crate) fn write_unsynced(&self, store: &Store) -> Result<Unsynced, StoreError> {
        self.dir(store).write_start_unsynced(&self.start)
    }

    pub(crate) fn dirs(&self, store: &Store) -> Vec<PathBuf> {
        self.dir(store).dirs_above()
    }
}

#[derive(Default)]
pub(crate) struct Starts {
    waiting: Vec<Start>,
    due: Option<Instant>,
}

impl Starts {
    /// Adds one, replacing an earlier one of the same pane.
    pub(crate) fn add(&mut self, start: Start, asked: Instant) {
        self.waiting.retain(|other| other.pane != start.pane);
        self.waiting.push(start);
        self.due.get_or_insert(asked + START_DELAY);
    }

    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.due
    }

    pub(crate) fn take_all(&mut self) -> Vec<Start> {
        self.due = None;
        std::mem::take(&mut self.waiting)
    }

    pub(crate) fn take_of(&mut self, sessions: &BTreeSet<StoreId>) -> Vec<Start> {
        let is_of = |start: &mut Start| sessions.contains(&start.session);
        let taken = self.waiting.extract_if(.., is_of).collect();
        self.due = self.due.filter(|_| !self.waiting.is_empty());
        taken
    }

    /// Drops those of a session that is deleted.
    pub(crate) fn forget(&mut self, session: StoreId) {
        self.waiting.retain(|start| start.session != session);
    }
}
