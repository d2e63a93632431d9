//! The flood throttle: pauses floods of output for a moment after a key.
//!
//! A flooding program and the event loop that shows its output keep two CPUs busy, and a key would then wait three
//! times: in the event loop, in the kernel that passes it to its program, and in that program. So after a key no
//! flooding pane is read until the key can have been answered. Meanwhile the flooding program blocks on its full
//! terminal, as it would with a slow reader.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// How long floods pause after a key: longer than most programs take to answer.
const PAUSE: Duration = Duration::from_millis(5);

/// The shortest time from one pause to the next. A flood keeps at least three quarters of its speed, however fast a
/// client types.
const MIN_PAUSE_INTERVAL: Duration = Duration::from_millis(20);

/// Whether floods pause now. Shared by all panes and clients of a server.
pub(crate) struct FloodThrottle {
    began: Instant,
    /// Microseconds from `began` to the start of the last pause, plus one; 0 before the first key.
    held_since: AtomicU64,
}

impl FloodThrottle {
    pub(crate) fn new() -> Self {
        Self {
            began: Instant::now(),
            held_since: AtomicU64::new(0),
        }
    }

    fn held_since(&self) -> Option<Instant> {
        let since = self.held_since.load(Ordering::Relaxed).checked_sub(1)?;
        Some(self.began + Duration::from_micros(since))
    }

    /// A client has sent a key.
    pub(crate) fn key(&self) {
        let now = Instant::now();
        if self
            .held_since()
            .is_none_or(|since| now >= since + MIN_PAUSE_INTERVAL)
        {
            let since = u64::try_from((now - self.began).as_micros()).unwrap_or(u64::MAX - 1);
            self.held_since.store(since + 1, Ordering::Relaxed);
        }
    }

    /// Called between two turns of a flood: lets other tasks run, and waits for the end of a pause.
    pub(crate) async fn between_turns(&self) {
        // The runtime polls for keys before it resumes this task.
        tokio::task::yield_now().await;
        if let Some(since) = self.held_since()
            && Instant::now() < since + PAUSE
        {
            sleep_until(since + PAUSE).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long a flood waits now.
    async fn wait(throttle: &FloodThrottle) -> Duration {
        let begun = Instant::now();
        throttle.between_turns().await;
        begun.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn flood_is_held_back_once_after_a_key() {
        let throttle = FloodThrottle::new();
        assert!(wait(&throttle).await.is_zero(), "no key was sent");
        throttle.key();
        assert!(wait(&throttle).await >= PAUSE);
        assert!(wait(&throttle).await.is_zero());
    }

    #[tokio::test(start_paused = true)]
    async fn flood_goes_on_for_most_of_the_time_however_many_keys_come() {
        let throttle = FloodThrottle::new();
        let mut held = Duration::ZERO;
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(1) {
            throttle.key();
            held += wait(&throttle).await;
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert!(held >= begun.elapsed() / 5, "{held:?}");
        assert!(held <= begun.elapsed() / 3, "{held:?}");
    }
}
