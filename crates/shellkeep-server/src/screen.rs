//! A pane's screen, shared between the task that feeds it and the clients that look at it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shellkeep_term::Emulator;
use tokio::sync::Notify;

/// The emulator of a pane, and whom to wake when it has changed.
pub(crate) struct Screen {
    emulator: Mutex<Emulator>,
    viewers: Mutex<Vec<Arc<Notify>>>,
}

impl Screen {
    pub(crate) fn new(emulator: Emulator) -> Arc<Self> {
        Arc::new(Self {
            emulator: Mutex::new(emulator),
            viewers: Mutex::new(Vec::new()),
        })
    }

    /// The emulator, for a moment: it is locked meanwhile, so never across an await.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Emulator> {
        // A panic in the engine would be a bug, but one bad pane must not hurt the others.
        self.emulator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says who looks at this pane from now on.
    pub(crate) fn set_viewers(&self, viewers: Vec<Arc<Notify>>) {
        *self.viewers.lock().unwrap_or_else(PoisonError::into_inner) = viewers;
    }

    /// Wakes everybody who looks.
    pub(crate) fn changed(&self) {
        for viewer in self
            .viewers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
        {
            viewer.notify_one();
        }
    }
}
