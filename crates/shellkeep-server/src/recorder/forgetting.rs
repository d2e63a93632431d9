//! How sessions are deleted: at once. What waits for room is not waited for, since nothing makes room as this does, and what is to be
//! deleted need not be written first.

use std::time::Instant;

use shellkeep_store::{Store, StoreError, StoreId};

use super::Worker;
use crate::record::Home;

/// A session that is to be deleted for good.
#[derive(Debug)]
pub(crate) struct Forgotten {
    pub(crate) id: StoreId,
    /// Panes of it that are still where they were before they came to it.
    pub(crate) elsewhere: Vec<Home>,
}

impl Worker {
    /// Deletes a session, and drops whatever was to be written of it: it would bring it back.
    pub(super) fn forget(&mut self, forgotten: &Forgotten) -> Result<(), StoreError> {
        let id = forgotten.id;
        self.sessions.remove(&id);
        self.newest.close(id, u64::MAX);
        self.starts.forget(id);
        self.undone.work.retain(|(session, _)| *session != id);
        let deleted = forgotten.delete(&self.store);
        self.cataloguer.changed(id);
        self.try_again();
        deleted
    }

    /// There may be room now for all that waits for it.
    fn try_again(&mut self) {
        let now = Instant::now();
        self.undone.due = self.undone.due.map(|_| now);
        let sessions = self.sessions.values_mut();
        for session in sessions.filter(|session| session.trouble.is_some()) {
            session.due = now;
        }
        let watched = self.watched.iter_mut();
        for each in watched.filter(|each| each.trouble.is_some()) {
            each.due = now;
        }
    }
}

impl Forgotten {
    /// Deletes as much of it as can be deleted. What was closed in it before goes with it.
    fn delete(&self, store: &Store) -> Result<(), StoreError> {
        let mut done = match store.forget(self.id) {
            // Nothing of it was written yet.
            Err(StoreError::Unknown(_)) => Ok(()),
            done => done,
        };
        for home in &self.elsewhere {
            done = done.and(store.remove_pane(home.session, home.pane));
        }
        let archive = store.archived();
        for part in archive.sessions {
            if part.part_of() == Some(self.id) {
                done = done.and(store.forget(part.id));
            }
        }
        // What is where nobody can look may be a part of it.
        let mut unseen = archive.complaints.into_iter();
        let unseen = unseen.find(|complaint| complaint.session.is_none());
        done.and(unseen.map_or(Ok(()), |complaint| Err(complaint.error)))
    }
}
