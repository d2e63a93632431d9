//! Waits for conditions without an event.

use std::time::{Duration, Instant};

use nix::poll::{PollTimeout, poll};

/// The longest wait. It is long because the machine may be busy, and only a test that fails reaches it.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// The time between two checks of a condition.
const LOOK: Duration = Duration::from_millis(4);

/// Repeats until `condition` returns a value; `None` after [`DEADLINE`].
pub(crate) fn look_for<T>(mut condition: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = condition() {
            return Some(found);
        }
        if Instant::now() >= deadline {
            return None;
        }
        nothing_happens_for(LOOK);
    }
}

/// Waits until `condition` returns a value.
///
/// # Panics
/// When it has not by the deadline.
pub fn wait_for<T>(what: &str, condition: impl FnMut() -> Option<T>) -> T {
    match look_for(condition) {
        Some(found) => found,
        None => panic!("waited in vain for {what}"),
    }
}

/// Lets time pass. Only for tests that something does *not* happen.
pub fn nothing_happens_for(time: Duration) {
    let timeout = PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX);
    let _ = poll(&mut [], timeout);
}
