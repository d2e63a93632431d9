//! Whether input of clients is read.
//!
//! What a task has read of a terminal or a socket is in this process alone. So a server that is replaced by another program first
//! stops to read, and handles all that was read; what is left in terminals is read by the next program, and what a client cannot
//! send any more it sends there.

use std::sync::Arc;

use tokio::sync::watch;

/// Stops all that read input of clients.
#[derive(Clone)]
pub(crate) struct Intake(Arc<watch::Sender<bool>>);

/// Held by a task for as long as it may read something.
pub(crate) struct Reading(watch::Receiver<bool>);

impl Default for Intake {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(true)))
    }
}

impl Intake {
    /// For one more that reads.
    pub(crate) fn reading(&self) -> Reading {
        Reading(self.0.subscribe())
    }

    pub(crate) fn is_open(&self) -> bool {
        *self.0.borrow()
    }

    /// Has nothing more read.
    pub(crate) fn close(&self) {
        self.0.send_replace(false);
    }

    /// Waits until nothing reads, and the event loop was sent all that was read.
    pub(crate) async fn drained(&self) {
        self.0.closed().await;
    }
}

impl Reading {
    /// Waits until nothing more is to be read.
    pub(crate) async fn is_over(&mut self) {
        if self.0.wait_for(|is_open| !is_open).await.is_err() {
            // The server has ended without being replaced; there are other words for that.
            std::future::pending().await
        }
    }
}
