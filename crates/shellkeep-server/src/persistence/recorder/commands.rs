//! Entries of commands on their way to the disk.

use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

use shellkeep_store::schema::{CommandEntry, PaneHome as Home};
use shellkeep_store::{Store, StoreError, StoreId};

use crate::persistence::recorder::pace::RETRY_INTERVAL;

/// No more entries wait while nothing can be written: the oldest are dropped then, which is logged.
const MAX_WAITING: usize = 10_000;

/// Entries that are still to be written.
#[derive(Default)]
pub(crate) struct Commands {
    waiting: VecDeque<(Home, CommandEntry)>,
    /// When writing is tried again.
    due: Option<Instant>,
    trouble: Option<String>,
}

impl Commands {
    /// Writes an entry, at once if possible.
    pub(crate) fn add(&mut self, store: &Store, home: Home, entry: CommandEntry) {
        self.waiting.push_back((home, entry));
        if self.due.is_none() {
            self.write(store);
        }
        if self.waiting.len() > MAX_WAITING {
            self.waiting.pop_front();
            tracing::error!("the record of a command is lost: nothing can be written");
        }
    }

    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.due
    }

    /// Why entries cannot be written at the moment.
    pub(crate) fn trouble(&self) -> Option<&String> {
        self.trouble.as_ref()
    }

    /// Tries again, if that is due.
    pub(crate) fn work(&mut self, store: &Store, until: Instant) {
        if self.due.is_some_and(|due| due <= until) {
            self.write(store);
        }
    }

    /// Forgets what waits of a session that is deleted.
    pub(crate) fn forget(&mut self, session: StoreId) {
        self.waiting.retain(|(home, _)| home.session != session);
    }

    /// Writes what waits, in order, until something fails that may work later.
    pub(crate) fn write(&mut self, store: &Store) {
        (self.due, self.trouble) = (None, None);
        while let Some((home, entry)) = self.waiting.pop_front() {
            // What was asked for together is written together.
            let mut entries = vec![entry];
            while self.waiting.front().is_some_and(|(next, _)| *next == home) {
                entries.extend(self.waiting.pop_front().map(|(_, next)| next));
            }
            let Err(error) = write(store, home, &entries) else {
                continue;
            };
            tracing::warn!(pane = %home.pane, %error, "cannot write the record of a command");
            if error.may_pass() {
                for entry in entries.into_iter().rev() {
                    self.waiting.push_front((home, entry));
                }
                self.due = Some(Instant::now() + RETRY_INTERVAL);
                self.trouble = Some(error.to_string());
                return;
            }
        }
    }
}

/// Appends to the file of a pane, wherever the pane is now.
fn write(store: &Store, home: Home, entries: &[CommandEntry]) -> Result<(), StoreError> {
    let session = store.home_of(home.session, home.pane);
    store.pane(session, home.pane).append_commands(entries)
}

/// The sessions of which commands were written since the catalogue was last brought up to date.
#[derive(Debug, Default)]
pub(crate) struct Uncatalogued {
    /// Whether that was done for all sessions since the server started.
    pub(crate) is_checked: bool,
    pub(crate) sessions: BTreeSet<StoreId>,
}
