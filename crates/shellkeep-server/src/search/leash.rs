//! Cancels a search or capture when the queue that waits for it is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels a search or capture when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Leash(Arc<AtomicBool>);

impl Leash {
    /// The flag that the search checks.
    pub(crate) fn cancel(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
