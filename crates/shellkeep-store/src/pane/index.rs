//! The index of a pane at rest: filters that tell where in its text something is not.
//!
//! It is **derived**: it may be deleted at any time, and counts only as long as the pane's other files are what they were when it was
//! made. It lies beside them, so that it is moved, archived and forgotten with them.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::disk;
use crate::error::StoreError;
use crate::pane::PaneDir;
use crate::schema::index::{self, FileMark, IndexBlock, RestMark};
use crate::schema::journal;
use crate::schema::layout::{HISTORY, INDEX, SCREEN};

impl PaneDir {
    /// The index, if it is one of what is there now.
    #[must_use]
    pub fn read_index(&self) -> Option<Vec<IndexBlock>> {
        self.refuse_links().ok()?;
        let bytes = disk::read(&self.file(INDEX), index::MAX_FILE).ok()??;
        let (mark, blocks) = index::decode(&bytes).ok()?;
        (self.mark_before(mark.journal)? == mark).then_some(blocks)
    }

    /// What the pane's files are, if it has a checkpoint after which nothing has happened: an index made now is good until that
    /// changes. To be asked before the files are read.
    #[must_use]
    pub fn rest_mark(&self) -> Option<RestMark> {
        let checkpoint = self.read_checkpoint(SCREEN).ok()??;
        self.mark_before(checkpoint.journal)
    }

    /// The same if it is known which journal is next.
    fn mark_before(&self, journal: u64) -> Option<RestMark> {
        let has_more = |generation: u64, length: u64| {
            let metadata = std::fs::metadata(self.journal_path(generation));
            metadata.is_ok_and(|metadata| metadata.len() > length)
        };
        // One that was only just begun says nothing; a later one can only follow one that does.
        if has_more(journal, journal::HEADER as u64) || has_more(journal.checked_add(1)?, 0) {
            return None;
        }
        Some(RestMark {
            screen: file_mark(&self.file(SCREEN))?,
            history: file_mark(&self.file(HISTORY)).unwrap_or_default(),
            journal,
        })
    }

    /// Keeps an index of what was there when it was marked.
    ///
    /// # Errors
    /// When it cannot be written; nothing is lost then.
    pub fn write_index(&self, mark: &RestMark, blocks: &[IndexBlock]) -> Result<(), StoreError> {
        self.check_writable()?;
        disk::put(self.path(), INDEX, &index::encode(mark, blocks))
    }
}

fn file_mark(path: &Path) -> Option<FileMark> {
    let metadata = std::fs::metadata(path).ok()?;
    let seconds = u64::try_from(metadata.mtime()).unwrap_or(0);
    let nanos = u64::try_from(metadata.mtime_nsec()).unwrap_or(0);
    Some(FileMark {
        inode: metadata.ino(),
        length: metadata.len(),
        modified: seconds.wrapping_mul(1_000_000_000).wrapping_add(nanos),
    })
}
