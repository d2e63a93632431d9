//! Who types goes first.
//!
//! A flood takes a core for the program and one for its screen, and the scheduler then lets a key wait its
//! turn among equals. So while somebody types, panes that flood pause for a moment after each turn: their
//! programs block on the full terminal, as they would with a slow reader, and the key finds a free core. Nobody
//! types for most of the time, and then a flood goes as fast as it can.
//!
//! We stay awake in that moment, in which the flood would have kept us awake as well: a key that has to wake us comes a third later
//! to its program and back.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// So long after a key floods are held back.
const TYPING: Duration = Duration::from_millis(100);

/// So long each time: some megabytes a second still get through.
const PAUSE: Duration = Duration::from_millis(5);

/// When somebody last typed.
pub(crate) struct Courtesy {
    began: Instant,
    /// Milliseconds since then, plus one; 0 if nobody ever did.
    last_key: AtomicU64,
    /// Floods that are held back at this moment.
    held: AtomicUsize,
}

/// A flood that is held back.
struct Held<'a>(&'a AtomicUsize);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Courtesy {
    pub(crate) fn new() -> Self {
        Self {
            began: Instant::now(),
            last_key: AtomicU64::new(0),
            held: AtomicUsize::new(0),
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX - 1) + 1
    }

    /// Somebody types.
    pub(crate) fn key(&self) {
        self.last_key.store(self.now(), Ordering::Relaxed);
    }

    /// Whether floods are to be held back.
    pub(crate) fn is_somebody_typing(&self) -> bool {
        let last = self.last_key.load(Ordering::Relaxed);
        last > 0 && u128::from(self.now().saturating_sub(last)) < TYPING.as_millis()
    }

    /// How long a flood is to be held back now.
    fn pause(&self) -> Duration {
        if self.is_somebody_typing() {
            PAUSE
        } else {
            Duration::ZERO
        }
    }

    /// Whether we are awake only to hold a flood back: all that others do for us, they do on other processors then.
    pub(crate) fn holds_back(&self) -> bool {
        self.held.load(Ordering::Relaxed) > 0
    }

    /// Lets others go first, in the middle of a flood.
    pub(crate) async fn give_way(&self) {
        self.held.fetch_add(1, Ordering::Relaxed);
        let _held = Held(&self.held);
        // By the system's clock: where a test has stopped the runtime's, nothing but sleep would make that go on.
        let until = std::time::Instant::now() + self.pause();
        loop {
            tokio::task::yield_now().await;
            if std::time::Instant::now() >= until {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn poll_once<F: Future>(future: &mut Pin<Box<F>>) -> Poll<F::Output> {
        future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
    }

    #[tokio::test(start_paused = true)]
    async fn flood_pauses_while_somebody_types_and_not_after() {
        let courtesy = Courtesy::new();
        assert!(courtesy.pause().is_zero(), "nobody has ever typed");
        courtesy.key();
        assert_eq!(courtesy.pause(), PAUSE);
        assert!(!courtesy.holds_back());
        let mut way = Box::pin(courtesy.give_way());
        assert!(poll_once(&mut way).is_pending());
        assert!(courtesy.holds_back());
        way.await;
        assert!(!courtesy.holds_back());
        tokio::time::advance(TYPING).await;
        assert!(courtesy.pause().is_zero());
    }
}
