//! The state that a pane's shell reported last, on its way to the pane's `shell` file.
//!
//! It stays in a slot until it is written, so that a closed pane takes it to the archive even if the first write has
//! failed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use shellkeep_shell::ShellState;
use shellkeep_store::{PaneDir, StoreError};

/// The last reported state, shared by the event loop and the recorder.
#[derive(Default)]
pub(crate) struct Captured {
    /// When the shell was asked for the state on disk, in milliseconds since 1970; 0 if there is none.
    at: AtomicU64,
    has_failed: AtomicBool,
    unwritten: Mutex<Option<ReportedState>>,
}

/// A state, and when its shell was asked for it.
struct ReportedState {
    state: ShellState,
    at: u64,
}

impl Captured {
    fn unwritten(&self) -> MutexGuard<'_, Option<ReportedState>> {
        let unwritten = self.unwritten.lock();
        unwritten.unwrap_or_else(PoisonError::into_inner)
    }

    /// When the shell was asked for the state on disk.
    pub(crate) fn at(&self) -> Option<u64> {
        let at = self.at.load(Ordering::Relaxed);
        (at > 0).then_some(at)
    }

    /// Whether the last write has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// The same, and resets it: the shell is asked again.
    pub(crate) fn take_failure(&self) -> bool {
        self.has_failed.swap(false, Ordering::Relaxed)
    }

    /// The file has a later state, which must not be replaced.
    pub(crate) fn is_superseded(&self) {
        *self.unwritten() = None;
    }

    /// Sets the state that the shell has reported, and when it was asked.
    pub(crate) fn set_reported(&self, state: ShellState, at: u64) {
        *self.unwritten() = Some(ReportedState { state, at });
    }

    /// Writes a state that is not written.
    ///
    /// # Errors
    /// If it cannot be written; it stays in the slot then.
    pub(crate) fn write(&self, dir: &PaneDir) -> Result<(), StoreError> {
        let Some(reported) = self.unwritten().take() else {
            return Ok(());
        };
        let written = dir.write_shell(&reported.state.encode());
        match &written {
            Ok(()) => self.at.store(reported.at, Ordering::Relaxed),
            Err(error) => {
                tracing::warn!(pane = ?dir.path(), %error, "cannot write a shell's state");
                self.has_failed.store(true, Ordering::Relaxed);
                // Unless a newer state has arrived meanwhile.
                self.unwritten().get_or_insert(reported);
            }
        }
        written
    }
}
