//! Numbers for undertakings that are answered later: an answer that carries another number than the undertaking at hand is about an
//! earlier one.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that was given to nothing else in the life of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ticket(u64);

impl Ticket {
    pub(crate) fn new() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed))
    }
}
