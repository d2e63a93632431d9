//! A session that was changed and is to be written.

use std::time::{Duration, Instant};

use crate::persistence::recorder::page_cache::Version;

/// Changes of a session within this time are written together.
pub(crate) const SESSION_BATCH_DELAY: Duration = Duration::from_millis(100);

/// Whether a session was written before the recorder gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begun {
    /// It is in the page cache: syncing can wait until its program has started, which needs the CPU.
    Yes,
    No,
}

/// The latest state of a session's file.
pub(crate) struct Session {
    /// The version that is still to be written.
    pub(crate) version: Option<Version>,
    /// The version that was written last.
    pub(crate) written: Option<Version>,
    pub(crate) due: Instant,
    pub(crate) trouble: Option<String>,
}
