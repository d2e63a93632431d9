//! The pieces of a capture, on their way to the event loop.

use tokio::sync::OwnedSemaphorePermit;

use crate::model::Secrecy;

/// A piece of a capture.
pub(crate) struct Captured {
    pub(crate) number: u64,
    pub(crate) news: News,
}

pub(crate) enum News {
    /// Lines to be printed. Dropping the permit allows another piece to be made.
    Lines(Vec<u8>, OwnedSemaphorePermit),
    /// The whole text, for a buffer.
    Whole(Vec<u8>, Destination),
    End(Result<(), String>),
}

/// The buffer that a capture goes to. Determined at the start, since the pane may be gone at the end.
pub(crate) struct Destination {
    pub(crate) buffer: Option<String>,
    pub(crate) secrecy: Secrecy,
}
