//! The contents of the archive, as it was last read.

use shellkeep_store::StoreId;

use crate::process::wall::Seconds;

#[derive(Debug, Default)]
pub(crate) struct Archive {
    /// Sessions, the newest last.
    pub(crate) sessions: Vec<Archived>,
    /// Why there may be more sessions.
    pub(crate) unread: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Archived {
    pub(crate) id: StoreId,
    pub(crate) name: String,
    /// For a closed pane: the session that it was in.
    pub(crate) part_of: Option<StoreId>,
    pub(crate) size: u64,
    pub(crate) windows: usize,
    pub(crate) created: Seconds,
    pub(crate) activity: Seconds,
}
