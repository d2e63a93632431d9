//! Why the catalogue cannot be used.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

use crate::error::StoreError;
use crate::schema::catalogue::VERSION;

/// Why the catalogue could not be asked. It is never a reason to refuse or lose anything: the sessions' files have all of it.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// The file system said no.
    #[error("{}: {source}", path.display())]
    File {
        /// What was to be opened or moved.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// It was found broken in the middle of something, moved aside, and made anew.
    #[error("the catalogue was broken; it was moved to {} and is made anew", aside.display())]
    Broken {
        /// Where the broken one is.
        aside: PathBuf,
    },
    /// It was made by a later version, and left as it is.
    #[error("{} was written by a later shellkeep (version {found}, this one knows {VERSION}); it was left untouched", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version it says.
        found: i64,
    },
    /// The store itself is not readable, so the catalogue cannot be filled from it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Anything else that SQLite says: no room, locked for too long.
    #[error("the catalogue cannot be used: {0}")]
    Sql(rusqlite::Error),
}

/// Why a catalogue that is there cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its bytes are no database, or not what we have written.
    #[error("it is broken")]
    Broken,
    /// It is a database of another program.
    #[error("it is no catalogue of shellkeep")]
    Foreign,
    /// It was made by a later version.
    #[error("it has version {0}, and this program knows version {VERSION}")]
    Version(i64),
    /// It cannot be opened now, and perhaps another time.
    #[error("{0}")]
    Passing(String),
}

/// Why an existing file cannot be used.
pub(super) enum Unwell {
    /// Another time it might: locked, no room, no permission.
    Passing(CatalogueError),
    /// Never: broken, another program's, or of a later version.
    Lasting(Fault),
    /// Nothing was put into it yet: its server ended while it made it.
    Unmade,
    /// An earlier version made it. It has nothing that is not in the sessions' files.
    Outdated,
}

impl From<rusqlite::Error> for Unwell {
    fn from(error: rusqlite::Error) -> Self {
        if is_damage(&error) {
            Self::Lasting(Fault::Broken)
        } else {
            Self::Passing(CatalogueError::Sql(error))
        }
    }
}

/// Whether the error means damage, rather than a lock or a full disk, which may pass.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    match error {
        Error::SqliteFailure(failure, _) => matches!(
            failure.code,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::TypeMismatch
        ),
        // A table or a column that is not as we made it.
        Error::SqlInputError { .. }
        | Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::Utf8Error(..) => true,
        _ => false,
    }
}
