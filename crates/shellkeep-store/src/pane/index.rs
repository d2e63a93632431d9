//! The index of a pane in which nothing happens: filters that exclude parts of its text from a search.
//!
//! It is **derived**: it may be deleted at any time, and is valid only while the pane's other files are the same as
//! when it was made. It lies beside them, so that it is moved, archived and deleted with them.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::disk;
use crate::error::StoreError;
use crate::pane::PaneDir;
use crate::schema::index::{self, FileMark, IndexBlock, RestMark};
use crate::schema::journal;
use crate::schema::layout::{HISTORY, INDEX, SCREEN};

impl PaneDir {
    /// The index, if it matches the pane's present files.
    #[must_use]
    pub fn read_index(&self) -> Option<Vec<IndexBlock>> {
        self.refuse_links().ok()?;
        let bytes = disk::read(&self.file(INDEX), index::MAX_FILE).ok()??;
        let (mark, blocks) = index::decode(&bytes).ok()?;
        (self.mark_before(mark.journal)? == mark).then_some(blocks)
    }

    /// The identity of the pane's files, if nothing has happened since its checkpoint. An index made now is valid until
    /// that changes. Call this before the files are read.
    #[must_use]
    pub fn rest_mark(&self) -> Option<RestMark> {
        let checkpoint = self.read_checkpoint(SCREEN).ok()??;
        self.mark_before(checkpoint.journal)
    }

    /// As [`Self::rest_mark`], for a known next journal.
    fn mark_before(&self, journal: u64) -> Option<RestMark> {
        let has_more = |generation: u64, length: u64| {
            let metadata = std::fs::metadata(self.journal_path(generation));
            metadata.is_ok_and(|metadata| metadata.len() > length)
        };
        // A journal with only a header has no output; a later journal can only follow one that has.
        if has_more(journal, journal::HEADER as u64) || has_more(journal.checked_add(1)?, 0) {
            return None;
        }
        Some(RestMark {
            screen: file_mark(&self.file(SCREEN))?,
            history: file_mark(&self.file(HISTORY)).unwrap_or_default(),
            journal,
        })
    }

    /// Stores an index of the files that `mark` identifies.
    ///
    /// # Errors
    /// When it cannot be written. Nothing is lost then.
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
