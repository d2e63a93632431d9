//! Errors of the store. Each prints as a sentence that names the file.

use std::io;
use std::path::{Path, PathBuf};

use nix::errno::Errno;

use crate::id::StoreId;
use crate::schema::header::FormatError;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A system call failed.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// The operation, e.g. `write`.
        doing: &'static str,
        /// The file on which it failed.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file was written by a later version of shellkeep, and was not changed.
    #[error(
        "{} was written by a later shellkeep (format {found}, this one knows up to {known}); it was left untouched",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The latest version that this program knows.
        known: u32,
    },
    /// A file has wrong content.
    #[error("{} is damaged: {why}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: FormatError,
    },
    /// A server's label cannot be part of a file name.
    #[error("a server label must have 1 to 60 characters: {0:?}")]
    Label(String),
    /// There are too many servers of this label.
    #[error("too many servers of label {0:?} are running")]
    Crowded(String),
    /// The store cannot be written yet, because its server could not open it.
    #[error("{0}")]
    Waiting(String),
    /// The store was opened for reading only.
    #[error("the store was opened to look at, not to be written")]
    LookOnly,
    /// The description of a session is not a JSON object.
    #[error("the description of session {0} is not a JSON object")]
    Body(StoreId),
    /// The session is in neither the store nor the archive.
    #[error("no session {0} is kept")]
    Unknown(StoreId),
    /// There is a session of the same id already.
    #[error("session {0} is kept twice, as open and as archived")]
    Twice(StoreId),
    /// The data is larger than what can be read back.
    #[error("{} would have {size} bytes, more than the {limit} that can be read back", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The size of the data.
        size: u64,
        /// The largest size.
        limit: u64,
    },
}

impl StoreError {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            doing,
            path,
            source,
        }
    }

    /// Distinguishes files of later versions from broken files.
    pub(crate) fn format(path: &Path, why: FormatError) -> Self {
        let path = path.to_owned();
        match why {
            FormatError::Newer { found, known } => Self::Newer { path, found, known },
            why => Self::Broken { path, why },
        }
    }

    /// Whether trying again may succeed, because the system may allow later what it refuses now, for example after the
    /// user has freed disk space. A missing file does not come back.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Io { source, .. } => source.kind() != io::ErrorKind::NotFound,
            Self::Waiting(_) => true,
            _ => false,
        }
    }

    /// Whether the system refuses writes at this path.
    pub(crate) fn is_refused(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        let is_refused = matches!(self, Self::Io { source, .. }
            if matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem));
        is_refused || self.is_full()
    }

    /// Whether the disk is full, or the file has reached its limit (`ulimit -f`). This may pass by itself.
    #[must_use]
    pub fn is_full(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        let Self::Io { source, .. } = self else {
            return false;
        };
        let is_too_large = source.raw_os_error() == Some(Errno::EFBIG as i32);
        is_too_large || matches!(source.kind(), StorageFull | QuotaExceeded)
    }
}

/// An error while output was moved from the transit pipe to the journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The output is in the buffer, but this much of it is not in the journal. The journal accepts nothing more,
    /// because replaying a journal with a hole would give a wrong screen.
    #[error("{bytes} bytes of output could not be kept: {source}")]
    NotKept {
        /// Bytes that are only in the buffer.
        bytes: usize,
        /// The system's error.
        source: io::Error,
    },
    /// The transit pipe held less than the caller claimed.
    #[error("the transit pipe ran dry {missing} bytes too early")]
    Dry {
        /// Bytes that are missing.
        missing: usize,
    },
    /// Neither the journal nor the transit pipe could be read, so the screen does not get this output.
    #[error("{bytes} bytes of output could not be read back: {source}")]
    Unread {
        /// Bytes that are missing in the buffer.
        bytes: usize,
        /// The system's error.
        source: io::Error,
    },
}
