//! What the recorder's thread shares with its handles.

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use shellkeep_store::StoreId;

use crate::persistence::disk_sizes::Sizes;
use crate::persistence::recorder::commands::Uncatalogued;
use crate::persistence::recorder::files::BufferChange;
use crate::persistence::recorder::page_cache::{Newest, Version};
use crate::persistence::recorder::unwritten::Unwritten;
use crate::stats::Timings;

#[derive(Clone, Default)]
pub(crate) struct Shared {
    pub(crate) status: Arc<Mutex<RecorderStatus>>,
    /// How many bytes of recording each pane may have.
    pub(crate) record_limit: Arc<AtomicU64>,
    pub(crate) sizes: Sizes,
    pub(crate) newest: Newest,
    pub(crate) unwritten: AllUnwritten,
    pub(crate) uncatalogued: Arc<Mutex<Uncatalogued>>,
}

/// What the thread was asked to write and has not taken yet.
#[derive(Clone, Default)]
pub(crate) struct AllUnwritten {
    pub(crate) sessions: Unwritten<StoreId, Version>,
    pub(crate) buffers: Unwritten<StoreId, BufferChange>,
    pub(crate) files: Unwritten<PathBuf, Vec<u8>>,
}

/// What the recorder reports.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecorderStatus {
    /// Why something cannot be written at the moment.
    pub(crate) trouble: Option<String>,
    pub(crate) checkpoints: Timings,
}
