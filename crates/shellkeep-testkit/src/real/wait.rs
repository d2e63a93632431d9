//! Waiting for what nothing announces.

use std::time::{Duration, Instant};

use nix::poll::{PollTimeout, poll};

/// How long anything may take. Generous: it is only ever reached by a test that fails, and the machine
/// may be busy.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(4);

/// Looks until `condition` gives something; `None` after [`DEADLINE`].
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

/// Waits until `condition` gives something.
///
/// # Panics
/// When it has not by the deadline.
pub fn wait_for<T>(what: &str, condition: impl FnMut() -> Option<T>) -> T {
    match look_for(condition) {
        Some(found) => found,
        None => panic!("waited in vain for {what}"),
    }
}

/// Lets time pass: for tests that something does *not* happen, and for nothing else.
pub fn nothing_happens_for(time: Duration) {
    let timeout = PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX);
    let _ = poll(&mut [], timeout);
}
