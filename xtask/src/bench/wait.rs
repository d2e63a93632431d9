//! Waiting for conditions that nothing announces.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use nix::poll::{PollTimeout, poll};

/// How long anything may take before it counts as broken.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);

/// Looks again and again until `condition` holds.
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

/// Lets time pass: between two looks of [`wait_until`], or as the thing measured ("an idle second").
pub(super) fn pause(time: Duration) {
    let deadline = Instant::now() + time;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        // A poll of nothing; rounded up to a whole millisecond, and an early end by a signal does no harm.
        let millis = u16::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u16::MAX);
        let _ = poll(&mut [], PollTimeout::from(millis));
    }
}
