//! The catalogue: an index over everything that is kept, in one SQLite file.
//!
//! It is **derived**. The sessions' own files hold everything that it says, so it may be deleted at any time, also while servers run: the next write makes it anew, and [`Catalogue::rebuild`] fills it. What it buys is a start
//! that needs one query and one `stat` a session instead of opening each file, and listings over thousands of sessions. Events
//! are there to be looked at; the log has them, too.
//!
//! Servers of several labels share it (WAL; a write waits some seconds for another one), so every call may wait for another server's write:
//! call it from a thread that may.

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
use error::{Unwell, is_damage};
pub use rebuild::Rebuilt;
pub use rows::{Bodies, Body, CatalogueStats, Event, Filter, SessionRow, SessionState, Summary};

/// Older events are deleted.
const MAX_EVENTS: i64 = 10_000;

/// How long a write waits for the write of another server.
const WRITE_LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// How the catalogue was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogueState {
    /// It was not there, or was never filled: fill it by [`Catalogue::rebuild`] when there is time.
    Fresh,
    /// All is well.
    Sound,
    /// It was not readable; it was moved aside, and this is a new and empty one.
    Rebuilt {
        /// Where the other one is.
        aside: PathBuf,
        /// What was wrong with it.
        why: Fault,
    },
}

/// A catalogue and how it was found.
#[derive(Debug)]
pub struct Opened {
    /// The catalogue.
    pub catalogue: Catalogue,
    /// How it was found.
    pub state: CatalogueState,
}

/// The open catalogue.
#[derive(Debug)]
pub struct Catalogue {
    root: PathBuf,
    connection: Connection,
    /// Which file is open: another may have taken its place since.
    identity: (u64, u64),
}

impl Catalogue {
    /// Opens the catalogue of a state directory, making it if there is none.
    ///
    /// # Errors
    /// When there can be none: a read-only file system, no room.
    pub fn open(root: &Path) -> Result<Opened, CatalogueError> {
        if let Some(Ok(opened)) = try_existing(root) {
            return Ok(opened);
        }
        // Not there, or not well. One process at a time looks again and mends it.
        let _turn = take_turn(root)?;
        match try_existing(root) {
            Some(Ok(opened)) => Ok(opened),
            None | Some(Err(Unwell::Unmade)) => Ok(Opened {
                catalogue: make(root)?,
                state: CatalogueState::Fresh,
            }),
            Some(Err(Unwell::Outdated)) => {
                aside::remove(root)?;
                Ok(Opened {
                    catalogue: make(root)?,
                    state: CatalogueState::Fresh,
                })
            }
            Some(Err(Unwell::Passing(error))) => Err(error),
            Some(Err(Unwell::Lasting(Fault::Version(found)))) => Err(CatalogueError::Newer {
                path: root.join(FILE),
                found,
            }),
            Some(Err(Unwell::Lasting(why))) => {
                let aside = aside::put(root)?;
                Ok(Opened {
                    catalogue: make(root)?,
                    state: CatalogueState::Rebuilt { aside, why },
                })
            }
        }
    }

    /// Moves a catalogue of a later version aside, with the consent of the user, and makes one of this version.
    ///
    /// # Errors
    /// When it cannot be moved, or no other can be made.
    pub fn replace_newer(root: &Path) -> Result<Self, CatalogueError> {
        let _turn = take_turn(root)?;
        aside::put(root)?;
        make(root)
    }

    /// Opens it only if it is there and sound; makes and moves nothing. For the doctor, and for readers.
    ///
    /// # Errors
    /// What is wrong with it; `None` if it is not there.
    pub fn inspect(root: &Path) -> Option<Result<Opened, Fault>> {
        match try_existing(root)? {
            Ok(opened) => Some(Ok(opened)),
            Err(Unwell::Passing(error)) => Some(Err(Fault::Passing(error.to_string()))),
            Err(Unwell::Lasting(why)) => Some(Err(why)),
            Err(Unwell::Unmade | Unwell::Outdated) => None,
        }
    }

    /// Reads every page, which may take seconds; what is wrong, or `None`.
    ///
    /// # Errors
    /// When it cannot be asked at all.
    pub fn fault(&mut self) -> Result<Option<String>, CatalogueError> {
        let said: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .or_else(|error| match is_damage(&error) {
                true => Ok(error.to_string()),
                false => Err(CatalogueError::Sql(error)),
            })?;
        Ok((said != "ok").then_some(said))
    }

    /// Puts a session in, or in place of what is there of it.
    ///
    /// # Errors
    /// As every call.
    pub fn upsert(&mut self, row: &SessionRow) -> Result<(), CatalogueError> {
        self.ask(|connection| rows::insert(connection, row, rows::UPSERT))
    }

    /// Takes a session out.
    ///
    /// # Errors
    /// As every call.
    pub fn remove(&mut self, id: StoreId) -> Result<(), CatalogueError> {
        self.ask(|connection| {
            let removed = connection.execute("DELETE FROM sessions WHERE id = ?1", [id])?;
            commands::forget_session(connection, id)?;
            if removed > 0 {
                // Earlier writes are in its log until then. Another server may be at work there: the next to remove something does it.
                let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            }
            Ok(())
        })
    }

    /// The sessions that fit, the one used last first.
    ///
    /// # Errors
    /// As every call.
    pub fn list(&mut self, filter: &Filter) -> Result<Vec<Summary>, CatalogueError> {
        self.ask(|connection| rows::list(connection, filter))
    }

    /// What a server of this label needs at its start, so many sessions at a time, the archive left out: a body counts only if the
    /// session's file has still its stamp, otherwise the file is to be read.
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

    /// Notes that something happened.
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

    /// The last events, the newest first; of one session or of all.
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

    /// What is in it.
    ///
    /// # Errors
    /// As every call.
    pub fn stats(&mut self) -> Result<CatalogueStats, CatalogueError> {
        self.ask(rows::stats)
    }

    /// Does something with the file that is there now, and mends it if it turns out to be broken.
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

    /// Moves the file aside and goes on with a new one, which is empty; returns where the other one is.
    ///
    /// # Errors
    /// When it cannot be moved, or no other can be made.
    pub fn set_aside(&mut self) -> Result<PathBuf, CatalogueError> {
        let _turn = take_turn(&self.root)?;
        // Another process may have seen the same, and been first.
        if identity(&self.root.join(FILE)).ok() != Some(self.identity) {
            return Ok(self.root.join(FILE));
        }
        let aside = aside::put(&self.root)?;
        *self = make(&self.root)?;
        Ok(aside)
    }
}

/// Opens the file if it is there.
fn try_existing(root: &Path) -> Option<Result<Opened, Unwell>> {
    let path = root.join(FILE);
    if has_stranger(&path) {
        return Some(Err(Unwell::Lasting(Fault::Broken)));
    }
    // An empty file is what a process leaves that died while it made one.
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

/// Makes a new and empty one. Only with the turn taken.
fn make(root: &Path) -> Result<Catalogue, CatalogueError> {
    let path = root.join(FILE);
    let failed = |source| CatalogueError::File {
        path: path.clone(),
        source,
    };
    // SQLite would ask the umask; and what it puts beside the file has the file's own mode.
    shellkeep_files::open(&path, Access::Make, ANY_SIZE).map_err(failed)?;
    let catalogue = connect(root).map_err(CatalogueError::Sql)?;
    tables::make(&catalogue.connection).map_err(CatalogueError::Sql)?;
    Ok(catalogue)
}

fn connect(root: &Path) -> rusqlite::Result<Catalogue> {
    let path = root.join(FILE);
    // Not SQLITE_OPEN_NOFOLLOW: it refuses links in the path to the state directory, too, where a user may have any.
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

/// Whether something lies in the place of one of its files that is not a plain file: SQLite would follow a link, and wait at a pipe.
fn has_stranger(path: &Path) -> bool {
    let names = aside::FILES.map(|suffix| aside::with_suffix(path, suffix));
    // Not by opening them: closing a file drops the locks that SQLite has on it in this process.
    let mut found = names.iter().filter_map(|path| path.symlink_metadata().ok());
    // A directory is refused by SQLite itself.
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
