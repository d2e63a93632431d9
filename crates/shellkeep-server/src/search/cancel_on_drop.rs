//! Cancels a search or capture when the queue that waits for it is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels a search or capture when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct CancelOnDrop(Arc<AtomicBool>);

impl CancelOnDrop {
    /// The flag that the search checks.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
