//! What can go wrong with the store, in sentences that name the file.

use std::io;
use std::path::{Path, PathBuf};

use nix::errno::Errno;

use crate::id::StoreId;
use crate::schema::header::FormatError;

/// What went wrong in the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused something.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was being done, e.g. `write`.
        doing: &'static str,
        /// The file it was done to.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file was written by a later version of shellkeep; it was left as it is.
    #[error(
        "{} was written by a later shellkeep (format {found}, this one knows up to {known}); it was left untouched",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version it says.
        found: u32,
        /// The latest version this program knows.
        known: u32,
    },
    /// A file does not hold what it should.
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
    /// No number is left for a server of this label.
    #[error("too many servers of label {0:?} are running")]
    Crowded(String),
    /// The store cannot be written yet: its server has not got hold of it.
    #[error("{0}")]
    Waiting(String),
    /// The store was opened for looking only.
    #[error("the store was opened to look at, not to be written")]
    LookOnly,
    /// The description of a session is not a JSON object.
    #[error("the description of session {0} is not a JSON object")]
    Body(StoreId),
    /// The session is in neither the store nor the archive.
    #[error("no session {0} is kept")]
    Unknown(StoreId),
    /// A session cannot be put where another of the same id is.
    #[error("session {0} is kept twice, as open and as archived")]
    Twice(StoreId),
    /// Something too large to be read back was to be written.
    #[error("{} would have {size} bytes, more than the {limit} that can be read back", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The size asked for.
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

    /// Sorts what a codec found into "newer than we are" and "broken".
    pub(crate) fn format(path: &Path, why: FormatError) -> Self {
        let path = path.to_owned();
        match why {
            FormatError::Newer { found, known } => Self::Newer { path, found, known },
            why => Self::Broken { path, why },
        }
    }

    /// Whether another try may succeed: the system may allow later what it refused now, for example after the user has freed room. A
    /// missing file does not come back.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Io { source, .. } => source.kind() != io::ErrorKind::NotFound,
            Self::Waiting(_) => true,
            _ => false,
        }
    }

    /// Whether nothing may be written there.
    pub(crate) fn is_refused(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        let is_refused = matches!(self, Self::Io { source, .. }
            if matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem));
        is_refused || self.is_full()
    }

    /// Whether the reason is want of room, on the disk or in what a file may have (`ulimit -f`): it may pass by itself.
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

/// What went wrong while output was moved from the transit pipe into the journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The output is in the buffer, but this much of it is not in the journal. From here on this journal
    /// takes nothing more, since a journal with a hole would give a wrong screen.
    #[error("{bytes} bytes of output could not be kept: {source}")]
    NotKept {
        /// Bytes that are in the buffer only.
        bytes: usize,
        /// What the system said.
        source: io::Error,
    },
    /// The transit pipe held less than it was said to.
    #[error("the transit pipe ran dry {missing} bytes too early")]
    Dry {
        /// Bytes that did not come.
        missing: usize,
    },
    /// Neither the journal nor the transit pipe could be read: this output is lost for the screen.
    #[error("{bytes} bytes of output could not be read back: {source}")]
    Unread {
        /// Bytes that are missing in the buffer.
        bytes: usize,
        /// What the system said.
        source: io::Error,
    },
}
