//! A session that is to be deleted.

use shellkeep_store::{Store, StoreError, StoreId};

use crate::persistence::record::Home;

#[derive(Debug)]
pub(crate) struct Forgotten {
    pub(crate) id: StoreId,
    /// Panes of it that are still in the directory of their former session.
    pub(crate) elsewhere: Vec<Home>,
}

impl Forgotten {
    /// Deletes as much of it as can be deleted, including panes of it that were closed before.
    pub(crate) fn delete(&self, store: &Store) -> Result<(), StoreError> {
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
        // Part of it may be in a directory that cannot be read.
        let mut unseen = archive.complaints.into_iter();
        let unseen = unseen.find(|complaint| complaint.session.is_none());
        done.and(unseen.map_or(Ok(()), |complaint| Err(complaint.error)))
    }
}
