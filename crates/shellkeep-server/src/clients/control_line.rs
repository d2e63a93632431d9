//! A line that a client in control mode has sent.

use tokio::sync::OwnedSemaphorePermit;

/// A line of commands; nothing at the end of them. The permit lets the next one be read.
pub(crate) struct ControlLine {
    pub(crate) text: Option<Vec<u8>>,
    pub(crate) permit: OwnedSemaphorePermit,
}
