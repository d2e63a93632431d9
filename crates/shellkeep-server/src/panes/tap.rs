//! Taps: further receivers of a pane's output, besides its screen.
//!
//! A control client, a pipe (`pipe-pane`) and a client that scrolls natively each put a tap on a pane, under a key of
//! their own:
//!
//! ```text
//! pane.taps.put(TapKey::Pipe, tap);      // replaces the tap of that key
//! pane.taps.remove(TapKey::Pipe);        // the tap is called no more
//! ```
//!
//! The pane's reader calls every tap with the bytes it has read, right after it has fed the screen. It never waits: a
//! tap takes what it can at once and limits what it keeps.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use shellkeep_core::{ClientId, PaneId};

/// A receiver of a pane's output.
pub(crate) trait Tap: Send + Sync {
    /// The program has printed this. Called between two reads of the pane, so it must neither block nor take long.
    fn printed(&self, pane: PaneId, bytes: &[u8]);
}

/// The owner of a tap. Each has at most one on a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TapKey {
    /// A client in control mode or with native scrolling.
    Client(ClientId),
    /// `pipe-pane`.
    Pipe,
}

/// The taps of one pane, shared by the event loop, which changes them, and the pane's reader, which calls them.
#[derive(Default)]
pub(crate) struct Taps {
    /// Whether there are taps, so that a pane without one costs a single load.
    is_used: AtomicBool,
    taps: Mutex<Vec<(TapKey, Arc<dyn Tap>)>>,
}

impl Taps {
    /// Puts a tap on the pane, replacing that of the same key.
    pub(crate) fn put(&self, key: TapKey, tap: Arc<dyn Tap>) {
        self.change(|taps| {
            taps.retain(|(known, _)| *known != key);
            taps.push((key, tap));
        });
    }

    pub(crate) fn remove(&self, key: TapKey) {
        self.change(|taps| taps.retain(|(known, _)| *known != key));
    }

    /// Removes the taps of all clients but these.
    pub(crate) fn keep_clients(&self, clients: &[ClientId]) {
        if self.is_used.load(Ordering::Relaxed) {
            self.change(|taps| {
                taps.retain(|(key, _)| match key {
                    TapKey::Client(id) => clients.contains(id),
                    TapKey::Pipe => true,
                });
            });
        }
    }

    /// Passes on what a pane's program has printed.
    pub(crate) fn printed(&self, pane: PaneId, bytes: &[u8]) {
        if !self.is_used.load(Ordering::Relaxed) {
            return;
        }
        let taps = self.taps.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, tap) in taps.iter() {
            tap.printed(pane, bytes);
        }
    }

    /// Passes on to clients what the server has written on the screen. A pipe gets only the program's output.
    pub(crate) fn server_printed(&self, pane: PaneId, bytes: &[u8]) {
        let taps = self.taps.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, tap) in taps.iter() {
            if *key != TapKey::Pipe {
                tap.printed(pane, bytes);
            }
        }
    }

    fn change(&self, change: impl FnOnce(&mut Vec<(TapKey, Arc<dyn Tap>)>)) {
        let mut taps = self.taps.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut taps);
        self.is_used.store(!taps.is_empty(), Ordering::Relaxed);
    }
}

#[cfg(test)]
impl Taps {
    fn has(&self, key: TapKey) -> bool {
        let taps = self.taps.lock().unwrap_or_else(PoisonError::into_inner);
        taps.iter().any(|(known, _)| *known == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<u8>>);

    impl Tap for Heard {
        fn printed(&self, _pane: PaneId, bytes: &[u8]) {
            self.0.lock().unwrap().extend_from_slice(bytes);
        }
    }

    #[test]
    fn tap_hears_from_when_it_is_put_until_it_is_removed() {
        let taps = Taps::default();
        let (pipe, client) = (Arc::new(Heard::default()), Arc::new(Heard::default()));
        taps.printed(PaneId(0), b"a");
        taps.put(TapKey::Pipe, pipe.clone());
        taps.put(TapKey::Client(ClientId(1)), client.clone());
        taps.printed(PaneId(0), b"b");
        taps.remove(TapKey::Pipe);
        assert!(!taps.has(TapKey::Pipe) && taps.has(TapKey::Client(ClientId(1))));
        taps.printed(PaneId(0), b"c");
        assert_eq!(*pipe.0.lock().unwrap(), b"b");
        assert_eq!(*client.0.lock().unwrap(), b"bc");
    }

    #[test]
    fn tap_put_again_replaces_the_one_of_its_key() {
        let taps = Taps::default();
        let (old, new) = (Arc::new(Heard::default()), Arc::new(Heard::default()));
        taps.put(TapKey::Pipe, old.clone());
        taps.put(TapKey::Pipe, new.clone());
        taps.printed(PaneId(0), b"x");
        assert_eq!(*old.0.lock().unwrap(), b"");
        assert_eq!(*new.0.lock().unwrap(), b"x");
    }
}
