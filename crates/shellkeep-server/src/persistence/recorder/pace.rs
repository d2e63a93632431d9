//! How long the recorder lets things wait.

use std::time::Duration;

/// How long output may be in the system's memory alone.
pub(crate) const SYNC_EVERY: Duration = Duration::from_secs(1);

/// What a program or a command does not wait for gives way to what it does after so long.
pub(crate) const SLICE: Duration = Duration::from_millis(10);

/// How often it is tried again while nothing can be written.
pub(crate) const RETRY: Duration = Duration::from_secs(2);

/// A sleeping pane that somebody looked at is dropped from memory after so long.
pub(crate) const LOOK: Duration = Duration::from_secs(10);
