//! How long nothing has been typed in a session.

use tokio::time::Instant;

use crate::alarm::Timer;

/// When something was last typed, and the timer that checks it (`lock-after-time`).
pub(crate) struct Idleness {
    pub(crate) since: Instant,
    pub(crate) _timer: Timer,
}
