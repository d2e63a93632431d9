//! What a capture that is made beside the event loop has come to.

use tokio::sync::OwnedSemaphorePermit;

use crate::model::Secrecy;

/// What a capture has come to.
pub(crate) struct Captured {
    pub(crate) number: u64,
    pub(crate) news: News,
}

pub(crate) enum News {
    /// These lines; the permit lets another piece be made.
    Lines(Vec<u8>, OwnedSemaphorePermit),
    /// All of it, for a buffer.
    Whole(Vec<u8>, Destination),
    /// There is no more.
    End(Result<(), String>),
}

/// The buffer that a capture goes to. Known from the start: its pane may be gone when it is done.
pub(crate) struct Destination {
    pub(crate) buffer: Option<String>,
    pub(crate) secrecy: Secrecy,
}
