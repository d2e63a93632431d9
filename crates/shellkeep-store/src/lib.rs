//! What shellkeep stores on disk: sessions and their panes, in files that survive a crash at any moment.
//!
//! A stored pane consists of a checkpoint of its terminal (`screen`), the output since then (`journal.<generation>`),
//! and the lines that left the screen (`history`). Journals that no checkpoint needs can be kept as a `recording`.
//! Paste buffers are files of their own. All formats are in `schema`, which is pure. The rest reads and writes them,
//! and must neither lose nor invent bytes.

#![warn(missing_docs)]

mod access;
pub mod catalogue;
mod damage;
mod dir;
mod disk;
mod error;
mod file_stamp;
mod history;
#[cfg(any(test, feature = "hostile"))]
pub mod hostile;
mod id;
mod journal;
mod log;
mod pane;
mod quarantine;
mod recovery;
pub mod schema;
mod store;
mod together;

pub use damage::Damage;
pub use dir::make_state_dir;
pub use error::{JournalError, StoreError};
pub use history::{AppendedPages, History, PageReader};
pub use id::{BadStoreId, StoreId};
pub use journal::{Journal, JournalStart};
pub use log::{RotatingLog, log_path};
pub use pane::commands::CommandEntries;
pub use pane::{FIRST_JOURNAL, PaneDir};
pub use recovery::Recovery;
pub use schema::header::FormatError;
pub use schema::history::{NewPage, PackedPage, Page, PageEntry, PagePacker};
pub use schema::index::{IndexBlock, RestMark};
pub use schema::journal::Record;
pub use schema::screen::Checkpoint;
pub use store::Store;
pub use store::buffers::{FoundBuffers, KeptBuffer};
pub use store::expire::Expired;
pub use store::lock::is_at;
pub use store::sweep::{Complaint, KeptSession, Orphan, Sweep};
pub use store::taking_up::{TakenSession, TakingUp};
pub use together::{Unsynced, sync_dirs, sync_together};

/// Calls `hear` with every file that was written and is about to be read back, for tests that kill the server there.
/// Release builds ignore it.
pub fn on_written(hear: fn(&std::path::Path)) {
    #[cfg(debug_assertions)]
    let _ = disk::WRITTEN.set(hear);
    #[cfg(not(debug_assertions))]
    let _ = hear;
}
