//! How many bytes sessions have on disk, as it was when somebody last looked. Whoever lists sessions reads it here, since looking at
//! every file of thousands of them would take seconds.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use shellkeep_store::{Store, StoreId};

/// The sizes, for those who measure and those who read.
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

    /// Looks at the files of a session. Not for the event loop.
    pub(crate) fn measure(&self, store: &Store, id: StoreId) {
        self.set(id, store.disk_use(id));
    }
}
