//! Numbers for requests that are answered later. An answer with another number than the current request's is about an
//! earlier one and is ignored.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that is unique in the life of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ticket(u64);

impl Ticket {
    pub(crate) fn new() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed))
    }
}
