//! Deleting sessions. A deletion is done at once, even if other work waits for disk space: nothing frees space like it,
//! and what is deleted need not be written first.

use std::time::Instant;

use shellkeep_store::StoreError;

use crate::persistence::recorder::forgotten::Forgotten;
use crate::persistence::recorder::worker::Worker;

impl Worker {
    /// Deletes a session, and drops what was still to be written of it, which would bring it back.
    pub(crate) fn forget(&mut self, forgotten: &Forgotten) -> Result<(), StoreError> {
        let id = forgotten.id;
        self.sessions.remove(&id);
        self.shared.newest.close(id, u64::MAX);
        self.starts.forget(id);
        self.commands.forget(id);
        self.undone.work.retain(|(session, _)| *session != id);
        let deleted = forgotten.delete(&self.store);
        self.cataloguer.changed(id);
        self.try_again();
        deleted
    }

    /// Retries everything that waits for disk space.
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
