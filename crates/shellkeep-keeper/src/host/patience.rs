//! When to start another keeper. One that was killed has a successor at once; one that ends as soon as it is started would only do so again, a
//! thousand times a second, so each waits twice as long as the one before.

use std::time::Duration;

use tokio::time::Instant;

/// Who has lived so long could be started.
const LIFE: Duration = Duration::from_secs(10);

/// So long the third waits: the first that fails may be an accident.
const SHORTEST: Duration = Duration::from_millis(50);

/// No one waits longer.
const LONGEST: Duration = Duration::from_secs(60);

/// After so many it is no accident any more.
const ACCIDENTS: u32 = 3;

/// How the last keepers fared.
pub(super) struct Patience {
    /// When the last one was started.
    started: Instant,
    /// How many before it had no life.
    failures: u32,
    /// When to start the next; none while there is one.
    pub(super) retry: Option<Instant>,
}

impl Patience {
    /// One was started, or found.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            started: now,
            failures: 0,
            retry: None,
        }
    }

    /// Another was started.
    pub(super) fn started(&mut self, now: Instant) {
        (self.started, self.retry) = (now, None);
    }

    /// The last one is gone, or could not even be started. How long to wait, if that is worth a word: if it cannot be any longer, it was said often
    /// enough.
    pub(super) fn failed(&mut self, now: Instant) -> Option<Duration> {
        let has_lived = self.retry.is_none() && now.duration_since(self.started) >= LIFE;
        self.failures = if has_lived { 1 } else { self.failures + 1 };
        let pause = pause(self.failures);
        self.retry = Some(now + pause);
        (pause < LONGEST || pause != pause_before(self.failures)).then_some(pause)
    }

    /// Whether whoever wants a program must hear that there is nobody to start it.
    pub(super) fn is_over(&self) -> bool {
        self.retry.is_some() && self.failures > ACCIDENTS
    }
}

fn pause(failures: u32) -> Duration {
    match failures {
        0 | 1 => Duration::ZERO,
        more => SHORTEST
            .saturating_mul(1 << (more - 2).min(20))
            .min(LONGEST),
    }
}

fn pause_before(failures: u32) -> Duration {
    pause(failures.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_words_end() {
        let now = Instant::now();
        let mut patience = Patience::new(now);
        let said: Vec<Duration> = std::iter::from_fn(|| {
            let pause = patience.failed(now);
            patience.started(now);
            pause
        })
        .collect();
        assert_eq!(said[..3], [0, 50, 100].map(Duration::from_millis));
        assert!(said.len() < 20, "{said:?}");
        assert_eq!(said.last(), Some(&LONGEST));
        assert_eq!(patience.failed(now), None);
        assert!(patience.is_over());
        patience.started(now);
        assert!(!patience.is_over());
        assert_eq!(patience.failed(now + LIFE), Some(Duration::ZERO));
        assert!(!patience.is_over());
    }
}
