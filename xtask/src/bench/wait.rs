//! Waits for conditions without an event.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use nix::poll::{PollTimeout, poll};

/// The longest wait; after it, something counts as broken.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);

/// Repeats until `condition` holds.
pub(super) fn wait_until(what: &str, mut condition: impl FnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + ANSWER_TIMEOUT;
    while !condition()? {
        if Instant::now() > deadline {
            bail!("waited {} s in vain until {what}", ANSWER_TIMEOUT.as_secs());
        }
        pause(Duration::from_millis(2));
    }
    Ok(())
}

/// Lets time pass: between two checks of [`wait_until`], or as the thing that is measured ("an idle second").
pub(super) fn pause(time: Duration) {
    let deadline = Instant::now() + time;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        // A poll without descriptors, rounded up to a whole millisecond. If a signal ends it early, that does no harm.
        let millis = u16::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u16::MAX);
        let _ = poll(&mut [], PollTimeout::from(millis));
    }
}
