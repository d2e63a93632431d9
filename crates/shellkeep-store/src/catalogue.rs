//! The catalogue: an index over everything that is stored, in one SQLite file.
//!
//! It is **derived**: the sessions' files hold everything in it, so it may be deleted at any time, even while servers
//! run. The next write makes it again, and [`Catalogue::rebuild`] fills it. With it a server needs one query and one
//! `stat` for each session at its start instead of reading each file, and thousands of sessions can be listed. Events
//! are only for reading; the log has them too.
//!
//! Servers of several labels share it (in WAL mode; a write waits some seconds for another one), so every call may wait
//! for the write of another server. Call it only from a thread that may wait.

mod aside;
mod commands;
mod error;
mod rebuild;
mod rows;
mod tables;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::fcntl::{Flock, FlockArg};
use rusqlite::{Connection, OpenFlags, params};
use shellkeep_files::{ANY_SIZE, Access};

use crate::id::StoreId;

pub use crate::file_stamp::FileStamp;
pub use crate::schema::catalogue::{FILE, VERSION};
pub use commands::{CommandFilter, CommandRow, ExitFilter, MakerFilter};
pub use error::{CatalogueError, Fault};
use error::{Unusable, is_damage};
pub use rebuild::Rebuilt;
pub use rows::{Bodies, Body, CatalogueStats, Event, Filter, SessionRow, SessionState, Summary};

/// Older events than this many are deleted.
const MAX_EVENTS: i64 = 10_000;

/// How long a write waits for the write of another server.
const WRITE_LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// The state in which the catalogue was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogueState {
    /// It did not exist, or was never filled. Fill it with [`Catalogue::rebuild`] when there is time.
    Fresh,
    /// It can be used.
    Sound,
    /// It could not be read. It was moved aside, and this is a new, empty one.
    Rebuilt {
        /// Where the old one is now.
        aside: PathBuf,
        /// What was wrong with it.
        why: Fault,
    },
}

/// A catalogue, and the state in which it was found.
#[derive(Debug)]
pub struct Opened {
    /// The catalogue, ready for use.
    pub catalogue: Catalogue,
    /// The state in which it was found.
    pub state: CatalogueState,
}

/// An open catalogue. It notices when another process replaces its file.
#[derive(Debug)]
pub struct Catalogue {
    root: PathBuf,
    connection: Connection,
    /// Device and inode of the open file, because another file may have taken its place.
    identity: (u64, u64),
}

impl Catalogue {
    /// Opens the catalogue of a state directory, and makes it if there is none.
    ///
    /// # Errors
    /// When it cannot be made, for example on a read-only or full file system.
    pub fn open(root: &Path) -> Result<Opened, CatalogueError> {
        if let Some(Ok(opened)) = try_existing(root) {
            return Ok(opened);
        }
        // It does not exist or is damaged. One process at a time checks again and repairs it.
        let _turn = take_turn(root)?;
        match try_existing(root) {
            Some(Ok(opened)) => Ok(opened),
            None | Some(Err(Unusable::Unmade)) => Ok(Opened {
                catalogue: make(root)?,
                state: CatalogueState::Fresh,
            }),
            Some(Err(Unusable::Outdated)) => {
                aside::remove(root)?;
                Ok(Opened {
                    catalogue: make(root)?,
                    state: CatalogueState::Fresh,
                })
            }
            Some(Err(Unusable::Passing(error))) => Err(error),
            Some(Err(Unusable::Lasting(Fault::Version(found)))) => Err(CatalogueError::Newer {
                path: root.join(FILE),
                found,
            }),
            Some(Err(Unusable::Lasting(why))) => {
                let aside = aside::put(root)?;
                Ok(Opened {
                    catalogue: make(root)?,
                    state: CatalogueState::Rebuilt { aside, why },
                })
            }
        }
    }

    /// Moves a catalogue of a later version aside, with the user's consent, and makes one of this version.
    ///
    /// # Errors
    /// When it cannot be moved, or another cannot be made.
    pub fn replace_newer(root: &Path) -> Result<Self, CatalogueError> {
        let _turn = take_turn(root)?;
        aside::put(root)?;
        make(root)
    }

    /// Opens the catalogue only if it exists and can be used; makes and moves nothing. For the doctor and for readers.
    /// `None` if it does not exist.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn inspect(root: &Path) -> Option<Result<Opened, Fault>> {
        match try_existing(root)? {
            Ok(opened) => Some(Ok(opened)),
            Err(Unusable::Passing(error)) => Some(Err(Fault::Passing(error.to_string()))),
            Err(Unusable::Lasting(why)) => Some(Err(why)),
            Err(Unusable::Unmade | Unusable::Outdated) => None,
        }
    }

    /// Reads every page, which may take seconds. Returns what is wrong, or `None`.
    ///
    /// # Errors
    /// When it cannot be queried at all.
    pub fn fault(&mut self) -> Result<Option<String>, CatalogueError> {
        let report: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .or_else(|error| match is_damage(&error) {
                true => Ok(error.to_string()),
                false => Err(CatalogueError::Sql(error)),
            })?;
        Ok((report != "ok").then_some(report))
    }

    /// Inserts or replaces the row of a session.
    ///
    /// # Errors
    /// As every call.
    pub fn upsert(&mut self, row: &SessionRow) -> Result<(), CatalogueError> {
        self.ask(|connection| rows::insert(connection, row, rows::UPSERT))
    }

    /// Removes the row of a session.
    ///
    /// # Errors
    /// As every call.
    pub fn remove(&mut self, id: StoreId) -> Result<(), CatalogueError> {
        self.ask(|connection| {
            let removed = connection.execute("DELETE FROM sessions WHERE id = ?1", [id])?;
            commands::forget_session(connection, id)?;
            if removed > 0 {
                // Until the checkpoint, earlier content is still in SQLite's log. If another server is using the log,
                // the next removal does this.
                let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            }
            Ok(())
        })
    }

    /// The sessions that match, the most recently used first.
    ///
    /// # Errors
    /// As every call.
    pub fn list(&mut self, filter: &Filter) -> Result<Vec<Summary>, CatalogueError> {
        self.ask(|connection| rows::list(connection, filter))
    }

    /// The rows that a server of this label needs at its start, in batches and without the archive. A body is valid
    /// only while the session's file has the same stamp; otherwise read the file.
    ///
    /// # Errors
    /// As every call.
    pub fn bodies(
        &mut self,
        label: &str,
        after: Option<StoreId>,
        most: usize,
    ) -> Result<Bodies, CatalogueError> {
        self.ask(|connection| rows::bodies(connection, label, after, most))
    }

    /// Records an event.
    ///
    /// # Errors
    /// As every call.
    pub fn note_event(&mut self, event: &Event) -> Result<(), CatalogueError> {
        self.ask(|connection| {
            connection.execute(
                "INSERT INTO events (time, session, kind, text) VALUES (?1, ?2, ?3, ?4)",
                params![event.time, event.session, event.kind, event.text],
            )?;
            let oldest = connection.last_insert_rowid() - MAX_EVENTS;
            connection.execute("DELETE FROM events WHERE number <= ?1", [oldest])?;
            Ok(())
        })
    }

    /// The last events of one session or of all, newest first.
    ///
    /// # Errors
    /// As every call.
    pub fn events(
        &mut self,
        session: Option<StoreId>,
        most: usize,
    ) -> Result<Vec<Event>, CatalogueError> {
        self.ask(|connection| rows::events(connection, session, most))
    }

    /// Counts the content.
    ///
    /// # Errors
    /// As every call.
    pub fn stats(&mut self) -> Result<CatalogueStats, CatalogueError> {
        self.ask(rows::stats)
    }

    /// Runs `work` on the present file, and repairs the catalogue if it is damaged.
    fn ask<T>(
        &mut self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogueError> {
        if identity(&self.root.join(FILE)).ok() != Some(self.identity) {
            *self = Self::open(&self.root)?.catalogue;
        }
        match work(&self.connection) {
            Ok(value) => Ok(value),
            Err(error) if is_damage(&error) => Err(CatalogueError::Broken {
                aside: self.set_aside()?,
            }),
            Err(error) => Err(CatalogueError::Sql(error)),
        }
    }

    /// Moves the file aside, and continues with a new, empty one. Returns where the old one is now.
    ///
    /// # Errors
    /// When it cannot be moved, or another cannot be made.
    pub fn set_aside(&mut self) -> Result<PathBuf, CatalogueError> {
        let _turn = take_turn(&self.root)?;
        // Another process may have found the same damage and replaced the file already.
        if identity(&self.root.join(FILE)).ok() != Some(self.identity) {
            return Ok(self.root.join(FILE));
        }
        let aside = aside::put(&self.root)?;
        *self = make(&self.root)?;
        Ok(aside)
    }
}

/// Opens the file if it exists.
fn try_existing(root: &Path) -> Option<Result<Opened, Unusable>> {
    let path = root.join(FILE);
    if has_stranger(&path) {
        return Some(Err(Unusable::Lasting(Fault::Broken)));
    }
    // A process that died while it made the file leaves an empty one.
    let is_there = std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() > 0);
    is_there.then(|| {
        tables::refuse_newer(&path)?;
        let catalogue = connect(root)?;
        tables::check(&catalogue.connection)?;
        let state = if tables::is_complete(&catalogue.connection)? {
            CatalogueState::Sound
        } else {
            CatalogueState::Fresh
        };
        Ok(Opened { catalogue, state })
    })
}

/// Makes a new, empty catalogue. The caller must hold the lock.
fn make(root: &Path) -> Result<Catalogue, CatalogueError> {
    let path = root.join(FILE);
    let failed = |source| CatalogueError::File {
        path: path.clone(),
        source,
    };
    // Made here, because SQLite would apply the umask, and its other files get the mode of this one.
    shellkeep_files::open(&path, Access::Make, ANY_SIZE).map_err(failed)?;
    let catalogue = connect(root).map_err(CatalogueError::Sql)?;
    tables::make(&catalogue.connection).map_err(CatalogueError::Sql)?;
    Ok(catalogue)
}

fn connect(root: &Path) -> rusqlite::Result<Catalogue> {
    let path = root.join(FILE);
    // Without SQLITE_OPEN_NOFOLLOW, which also refuses links in the path to the state directory, where users may have
    // them.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&path, flags)?;
    connection.busy_timeout(WRITE_LOCK_TIMEOUT)?;
    tables::set_up(&connection)?;
    let identity = identity(&path).unwrap_or_default();
    Ok(Catalogue {
        root: root.to_owned(),
        connection,
        identity,
    })
}

/// Whether one of its files is not a regular file: SQLite would follow a link, and block at a pipe.
fn has_stranger(path: &Path) -> bool {
    let names = aside::FILES.map(|suffix| aside::with_suffix(path, suffix));
    // Without opening the files: closing one drops the locks that SQLite holds on it in this process.
    let mut found = names.iter().filter_map(|path| path.symlink_metadata().ok());
    // SQLite itself refuses a directory.
    found.any(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = std::fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}

/// Locks out other processes that make or move the file.
fn take_turn(root: &Path) -> Result<Flock<File>, CatalogueError> {
    let path = root.join("catalogue.lock");
    let failed = |source: io::Error| CatalogueError::File {
        path: path.clone(),
        source,
    };
    let file = shellkeep_files::open(&path, Access::Make, ANY_SIZE).map_err(failed)?;
    Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, errno)| failed(errno.into()))
}
