//! What shellkeep keeps on disk: sessions and their panes, in files that survive a crash at any moment.
//!
//! A kept pane is a checkpoint of its terminal (`screen`), the output since then (`journal.<generation>`), and
//! the lines that left the screen long ago (`history`). Journals that are needed no more can go into a `recording`. Paste buffers are files of their own. The codecs are pure and live in `format`; everything
//! else here is about getting their bytes onto the disk and back without ever losing or inventing one.

#![warn(missing_docs)]

pub mod catalogue;
mod dir;
mod disk;
mod error;
mod format;
mod history;
#[cfg(any(test, feature = "hostile"))]
pub mod hostile;
mod id;
mod index;
mod inspect;
mod journal;
mod log;
mod pane;
mod quarantine;
mod recording;
mod recovery;
pub mod schema;
mod store;
mod together;

pub use dir::make_state_dir;
pub use error::{JournalError, StoreError};
pub use format::FormatError;
pub use format::history::{NewPage, PackedPage, Page, PageEntry, PagePacker};
pub use format::index::{IndexBlock, RestMark};
pub use format::journal::Record;
pub use format::screen::Checkpoint;
pub use history::{History, PageReader};
pub use id::{BadStoreId, StoreId};
pub use journal::{Journal, Place};
pub use log::{RotatingLog, log_path};
pub use pane::PaneDir;
pub use recovery::{Damage, FIRST_JOURNAL, Recovery};
pub use store::Store;
pub use store::buffers::{FoundBuffers, KeptBuffer};
pub use store::expire::Expired;
pub use store::lock::is_at;
pub use store::sweep::{Complaint, KeptSession, Orphan, Sweep};
pub use store::taking_up::{TakenSession, TakingUp};
pub use together::{Unsynced, sync_dirs, sync_together};

/// Has somebody told of every file that is written and about to be read back. For tests that kill the server there; a
/// release tells nobody.
pub fn on_written(hear: fn(&std::path::Path)) {
    #[cfg(debug_assertions)]
    let _ = disk::WRITTEN.set(hear);
    #[cfg(not(debug_assertions))]
    let _ = hear;
}
