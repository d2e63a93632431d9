//! The state that a pane's shell told last, on its way to the pane's `shell` file.
//!
//! It is in a slot until it is written, so that a pane that is closed takes it along, whatever became of the first try.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use shellkeep_shell::ShellState;
use shellkeep_store::{PaneDir, StoreError};

/// What became of the last state. The event loop shares it with the recorder.
#[derive(Default)]
pub(crate) struct Captured {
    /// When the shell was asked for what is on disk, in milliseconds since 1970; 0 if nothing was written.
    at: AtomicU64,
    has_failed: AtomicBool,
    unwritten: Mutex<Option<Told>>,
}

/// A state, and when its shell was asked.
struct Told {
    state: ShellState,
    at: u64,
}

impl Captured {
    fn unwritten(&self) -> MutexGuard<'_, Option<Told>> {
        let unwritten = self.unwritten.lock();
        unwritten.unwrap_or_else(PoisonError::into_inner)
    }

    /// When the shell was asked for what is on disk.
    pub(crate) fn at(&self) -> Option<u64> {
        let at = self.at.load(Ordering::Relaxed);
        (at > 0).then_some(at)
    }

    /// Whether the last one could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// The same once: the shell is asked again.
    pub(crate) fn take_failure(&self) -> bool {
        self.has_failed.swap(false, Ordering::Relaxed)
    }

    /// The file has a later state, which must not be written over.
    pub(crate) fn is_superseded(&self) {
        *self.unwritten() = None;
    }

    /// The shell has told its state, for which it was asked at this time.
    pub(crate) fn told(&self, state: ShellState, at: u64) {
        *self.unwritten() = Some(Told { state, at });
    }

    /// Writes what is not written.
    ///
    /// # Errors
    /// When it cannot be written; it is still here then.
    pub(crate) fn write(&self, dir: &PaneDir) -> Result<(), StoreError> {
        let Some(told) = self.unwritten().take() else {
            return Ok(());
        };
        let written = dir.write_shell(&told.state.encode());
        match &written {
            Ok(()) => self.at.store(told.at, Ordering::Relaxed),
            Err(error) => {
                tracing::warn!(pane = ?dir.path(), %error, "a shell's state is not kept");
                self.has_failed.store(true, Ordering::Relaxed);
                // Unless the shell has told another one meanwhile.
                self.unwritten().get_or_insert(told);
            }
        }
        written
    }
}
