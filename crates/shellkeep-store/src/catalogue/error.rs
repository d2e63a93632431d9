//! Errors of the catalogue.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

use crate::error::StoreError;
use crate::schema::catalogue::VERSION;

/// Why the catalogue could not be used. This must never be a reason to refuse or lose anything, because the sessions'
/// files have all of its content.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// A file operation failed.
    #[error("{}: {source}", path.display())]
    File {
        /// The file to be opened or moved.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It was found damaged during a call, moved aside, and made again.
    #[error("the catalogue was broken; it was moved to {} and is made anew", aside.display())]
    Broken {
        /// The new path of the damaged file.
        aside: PathBuf,
    },
    /// It was made by a later version, and was not changed.
    #[error("{} was written by a later shellkeep (version {found}, this one knows {VERSION}); it was left untouched", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: i64,
    },
    /// The store cannot be read, so the catalogue cannot be filled from it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another error of SQLite, such as a full disk or a lock held for too long.
    #[error("the catalogue cannot be used: {0}")]
    Sql(rusqlite::Error),
}

/// Why an existing catalogue cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The file is not a database, or its content is not ours.
    #[error("it is broken")]
    Broken,
    /// It is the database of another program.
    #[error("it is no catalogue of shellkeep")]
    Foreign,
    /// It was made by a later version.
    #[error("it has version {0}, and this program knows version {VERSION}")]
    Version(i64),
    /// It cannot be opened now, but may be later.
    #[error("{0}")]
    Passing(String),
}

/// Why an existing file cannot be used.
pub(super) enum Unusable {
    /// It may be usable later: locked, disk full, no permission.
    Passing(CatalogueError),
    /// It never will be usable: damaged, another program's, or of a later version.
    Lasting(Fault),
    /// It is empty: the server that made it has ended.
    Unmade,
    /// An earlier version made it. It has nothing that is not in the sessions' files.
    Outdated,
}

impl From<rusqlite::Error> for Unusable {
    fn from(error: rusqlite::Error) -> Self {
        if is_damage(&error) {
            Self::Lasting(Fault::Broken)
        } else {
            Self::Passing(CatalogueError::Sql(error))
        }
    }
}

/// Whether the error means damage, and not a lock or a full disk, which may pass.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    match error {
        Error::SqliteFailure(failure, _) => matches!(
            failure.code,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::TypeMismatch
        ),
        // A table or column differs from what we make.
        Error::SqlInputError { .. }
        | Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::Utf8Error(..) => true,
        _ => false,
    }
}
