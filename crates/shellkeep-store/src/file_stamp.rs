//! Detects whether a file has changed since it was read.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Modification time and length of a file. If both are the same, so is the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStamp {
    /// Nanoseconds since 1970 of the last write.
    pub mtime: i64,
    /// Its length in bytes.
    pub len: u64,
}

impl FileStamp {
    /// The stamp of a file.
    ///
    /// # Errors
    /// When the file is missing or cannot be reached.
    pub fn of(path: &Path) -> io::Result<Self> {
        std::fs::metadata(path).map(|metadata| Self::from_metadata(&metadata))
    }

    /// The stamp in the result of `stat`.
    #[must_use]
    pub fn from_metadata(metadata: &std::fs::Metadata) -> Self {
        let seconds = metadata.mtime().saturating_mul(1_000_000_000);
        Self {
            mtime: seconds.saturating_add(metadata.mtime_nsec()),
            len: metadata.len(),
        }
    }
}
