//! A session that is to be deleted for good.

use shellkeep_store::{Store, StoreError, StoreId};

use crate::persistence::record::Home;

/// A session that is to be deleted for good.
#[derive(Debug)]
pub(crate) struct Forgotten {
    pub(crate) id: StoreId,
    /// Panes of it that are still where they were before they came to it.
    pub(crate) elsewhere: Vec<Home>,
}

impl Forgotten {
    /// Deletes as much of it as can be deleted. What was closed in it before goes with it.
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
        // What is where nobody can look may be a part of it.
        let mut unseen = archive.complaints.into_iter();
        let unseen = unseen.find(|complaint| complaint.session.is_none());
        done.and(unseen.map_or(Ok(()), |complaint| Err(complaint.error)))
    }
}
