//! Ends a search or a capture when nothing waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends a search, or something else that takes long, when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Leash(Arc<AtomicBool>);

impl Leash {
    /// What the search looks at, to know that it is over.
    pub(crate) fn cancel(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
