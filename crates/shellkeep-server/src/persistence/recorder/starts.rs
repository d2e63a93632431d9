//! How programs were started, on its way to the disk. It is in the page cache already, so the disk can wait for a moment; then all
//! that has come together is written together. One after the other, each would take five waits for the disk, and with sessions
//! that are made one after the other, a checkpoint that a pane waits for would wait for all of them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shellkeep_store::schema::StoredStart;
use shellkeep_store::{PaneDir, Store, StoreError, StoreId, Unsynced};

/// What is written of a program that starts waits so long: until its prompt is there it wants the processor, and the disk, for itself.
pub(crate) const SOON: Duration = Duration::from_millis(20);

/// How the program of a pane was started.
pub(crate) struct Start {
    pub(crate) session: StoreId,
    pub(crate) pane: StoreId,
    pub(crate) start: Arc<StoredStart>,
}

impl Start {
    fn dir(&self, store: &Store) -> PaneDir {
        store.pane(self.session, self.pane)
    }

    /// Writes it, and waits for the disk.
    pub(crate) fn write(&self, store: &Store) -> Result<(), StoreError> {
        self.dir(store).write_start(&self.start)
    }

    /// Writes it without waiting for the disk.
    pub(crate) fn write_unsynced(&self, store: &Store) -> Result<Unsynced, StoreError> {
        self.dir(store).write_start_unsynced(&self.start)
    }

    /// The directories that have to be safe before the pane is.
    pub(crate) fn dirs(&self, store: &Store) -> Vec<PathBuf> {
        self.dir(store).dirs_above()
    }
}

/// Those that wait.
#[derive(Default)]
pub(crate) struct Starts {
    waiting: Vec<Start>,
    due: Option<Instant>,
}

impl Starts {
    /// Takes one up, in place of an earlier one of the same pane.
    pub(crate) fn add(&mut self, start: Start, asked: Instant) {
        self.waiting.retain(|other| other.pane != start.pane);
        self.waiting.push(start);
        self.due.get_or_insert(asked + SOON);
    }

    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.due
    }

    pub(crate) fn take_all(&mut self) -> Vec<Start> {
        self.due = None;
        std::mem::take(&mut self.waiting)
    }

    /// Takes those of these sessions.
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
