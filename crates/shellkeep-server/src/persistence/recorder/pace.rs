//! The intervals of the recorder's work.

use std::time::Duration;

/// How long output may be unsynced.
pub(crate) const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// After how long background work gives way to work that a program or command waits for.
pub(crate) const SLICE: Duration = Duration::from_millis(10);

/// How often failed writes are retried.
pub(crate) const RETRY_INTERVAL: Duration = Duration::from_secs(2);

/// How long a sleeping pane that was shown stays in memory.
pub(crate) const LOADED_LIFETIME: Duration = Duration::from_secs(10);
