//! Stops reading the input of clients before the server is replaced.
//!
//! What a task has read from a terminal or a socket is in this process alone. So a server that is about to be replaced
//! first stops reading, and handles everything that was read. Input that is still in a terminal is read by the next
//! program; what clients cannot send any more they send to the next program.

use std::sync::Arc;

use tokio::sync::watch;

/// Stops all tasks that read input of clients.
#[derive(Clone)]
pub(crate) struct Intake(Arc<watch::Sender<bool>>);

/// Held by a task as long as it may read.
pub(crate) struct ReadGuard(watch::Receiver<bool>);

impl Default for Intake {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(true)))
    }
}

impl Intake {
    /// A guard for one more task that reads.
    pub(crate) fn reading(&self) -> ReadGuard {
        ReadGuard(self.0.subscribe())
    }

    pub(crate) fn is_open(&self) -> bool {
        *self.0.borrow()
    }

    /// Makes all tasks stop reading.
    pub(crate) fn close(&self) {
        self.0.send_replace(false);
    }

    /// Waits until no task reads, and all that was read was sent to the event loop.
    pub(crate) async fn drained(&self) {
        self.0.closed().await;
    }
}

impl ReadGuard {
    /// Waits until reading is to stop.
    pub(crate) async fn is_over(&mut self) {
        if self.0.wait_for(|is_open| !is_open).await.is_err() {
            // The server has ended without being replaced, which the tasks learn by other means.
            std::future::pending().await
        }
    }
}
