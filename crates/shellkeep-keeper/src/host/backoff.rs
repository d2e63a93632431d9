//! Decides when to start another keeper.
//!
//! A keeper that was killed is replaced at once. One that exits right after its start would exit again, a thousand
//! times a second, so each pause is twice as long as the one before.

use std::time::Duration;

use tokio::time::Instant;

/// A keeper that has lived this long resets the count.
const STABLE_AFTER: Duration = Duration::from_secs(10);

/// The pause before the third start. The first two failures may be accidents.
const MIN_PAUSE: Duration = Duration::from_millis(50);

/// The longest pause after keepers that have answered: these were killed and did not fail. Programs to be started wait
/// for it.
const MAX_PAUSE_AFTER_KILL: Duration = Duration::from_secs(1);

/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// After this many keepers in a row that never answered, starts of programs are refused instead of waiting for the
/// next.
const MAX_MUTE_STARTS: u32 = 3;

pub(super) struct RestartBackoff {
    started: Instant,
    has_answered: bool,
    /// How many keepers in a row ended early.
    failures: u32,
    /// How many keepers in a row never answered.
    mute: u32,
    /// When to start the next keeper; `None` while there is one.
    pub(super) retry: Option<Instant>,
}

impl RestartBackoff {
    /// A keeper was started or found.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            started: now,
            has_answered: false,
            failures: 0,
            mute: 0,
            retry: None,
        }
    }

    pub(super) fn started(&mut self, now: Instant) {
        (self.started, self.has_answered, self.retry) = (now, false, None);
    }

    /// The keeper has answered, so keepers work here.
    pub(super) fn answered(&mut self) {
        self.has_answered = true;
    }

    /// The keeper is gone, or could not be started. Returns the pause if it should be logged: the longest one is logged
    /// only once.
    pub(super) fn failed(&mut self, now: Instant) -> Option<Duration> {
        let has_lived = self.retry.is_none() && now.duration_since(self.started) >= STABLE_AFTER;
        let before = self.pause();
        self.failures = if has_lived { 1 } else { self.failures + 1 };
        let works = std::mem::take(&mut self.has_answered) || has_lived;
        self.mute = if works { 0 } else { self.mute + 1 };
        let pause = self.pause();
        self.retry = Some(now + pause);
        (pause < MAX_PAUSE || pause != before).then_some(pause)
    }

    /// Whether starts of programs are refused, because there is no keeper and probably will be none.
    pub(super) fn is_over(&self) -> bool {
        self.retry.is_some() && self.mute > MAX_MUTE_STARTS
    }

    fn pause(&self) -> Duration {
        let longest = if self.mute > 0 {
            MAX_PAUSE
        } else {
            MAX_PAUSE_AFTER_KILL
        };
        match self.failures {
            0 | 1 => Duration::ZERO,
            more => MIN_PAUSE
                .saturating_mul(1 << (more - 2).min(20))
                .min(longest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_words_end() {
        let now = Instant::now();
        let mut backoff = RestartBackoff::new(now);
        let logged: Vec<Duration> = std::iter::from_fn(|| {
            let pause = backoff.failed(now);
            backoff.started(now);
            pause
        })
        .collect();
        assert_eq!(logged[..3], [0, 50, 100].map(Duration::from_millis));
        assert!(logged.len() < 20, "{logged:?}");
        assert_eq!(logged.last(), Some(&MAX_PAUSE));
        assert_eq!(backoff.failed(now), None);
        assert!(backoff.is_over());
        backoff.started(now);
        assert!(!backoff.is_over());
        assert_eq!(backoff.failed(now + STABLE_AFTER), Some(Duration::ZERO));
        assert!(!backoff.is_over());
    }

    #[test]
    fn killed_keepers_have_programs_wait_and_not_be_refused() {
        let now = Instant::now();
        let mut backoff = RestartBackoff::new(now);
        for _ in 0..100 {
            backoff.answered();
            let pause = backoff.failed(now);
            assert!(
                pause.is_some_and(|pause| pause <= MAX_PAUSE_AFTER_KILL),
                "{pause:?}"
            );
            assert!(!backoff.is_over());
            backoff.started(now);
        }
    }
}
