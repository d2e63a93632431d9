//! A line from a client in control mode.

use tokio::sync::OwnedSemaphorePermit;

/// A command line; `None` at the end of input. The next line is read when the permit is dropped.
pub(crate) struct ControlLine {
    pub(crate) text: Option<Vec<u8>>,
    pub(crate) permit: OwnedSemaphorePermit,
}
