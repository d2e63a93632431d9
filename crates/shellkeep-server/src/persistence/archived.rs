//! What is in the archive.

use shellkeep_store::StoreId;

use crate::process::wall::Seconds;

/// What is in the archive.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    /// The newest last.
    pub(crate) sessions: Vec<Archived>,
    /// Why there may be more of them.
    pub(crate) unread: Option<String>,
}

/// A session in the archive.
#[derive(Clone, Debug)]
pub(crate) struct Archived {
    pub(crate) id: StoreId,
    pub(crate) name: String,
    /// The session that it was a pane of when it was closed.
    pub(crate) part_of: Option<StoreId>,
    /// Bytes on disk.
    pub(crate) size: u64,
    pub(crate) windows: usize,
    pub(crate) created: Seconds,
    pub(crate) activity: Seconds,
}
