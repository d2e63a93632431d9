//! A session that was changed and is to be written.

use std::time::{Duration, Instant};

use crate::persistence::recorder::page_cache::Version;

/// Changes of a session that follow each other within so long are written together.
pub(crate) const TOGETHER: Duration = Duration::from_millis(100);

/// Whether something was written before the recorder hears of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begun {
    /// It is safe from the death of all processes: the disk can wait until its program has started, which wants the processor.
    Yes,
    No,
}

/// A session's latest form.
pub(crate) struct Session {
    /// Not yet written.
    pub(crate) version: Option<Version>,
    /// What was written last.
    pub(crate) written: Option<Version>,
    pub(crate) due: Instant,
    /// Why it could not be written.
    pub(crate) trouble: Option<String>,
}
