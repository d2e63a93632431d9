//! Since when nothing was typed in a session.

use tokio::time::Instant;

use crate::alarm::Timer;

/// When something was typed last, and what looks at that again.
pub(crate) struct Idleness {
    pub(crate) since: Instant,
    pub(crate) _timer: Timer,
}
