//! The sizes of sessions on disk, as last measured. Lists read them here, since reading every file of thousands of
//! sessions takes seconds.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use shellkeep_store::{Store, StoreId};

/// The sizes, shared by the threads that measure and the loop.
#[derive(Clone, Default)]
pub(crate) struct Sizes(Arc<Mutex<BTreeMap<StoreId, u64>>>);

impl Sizes {
    /// The size of a session, if it was measured.
    pub(crate) fn get(&self, id: StoreId) -> Option<u64> {
        let sizes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sizes.get(&id).copied()
    }

    pub(crate) fn set(&self, id: StoreId, size: u64) {
        let mut sizes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sizes.insert(id, size);
    }

    /// Adds up the files of a session. Must not run on the event loop.
    pub(crate) fn measure(&self, store: &Store, id: StoreId) {
        self.set(id, store.disk_use(id));
    }
}
