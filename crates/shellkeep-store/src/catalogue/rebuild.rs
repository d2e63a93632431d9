//! Fills the catalogue from the sessions' files.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::Catalogue;
use super::commands::forget_session;
use super::error::CatalogueError;
use super::rows::{SessionRow, SessionState, Summary, UPSERT, insert, upsert_unless_newer};
use super::tables;
use crate::disk;
use crate::file_stamp::FileStamp;
use crate::id::StoreId;
use crate::schema::envelope;
use crate::schema::layout::{ARCHIVE, SESSION, SESSIONS};
use crate::store::version;

/// The rows of one transaction. Another server waits for at most one.
const BATCH: usize = 200;

/// The result of a rebuild.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    /// Sessions in the catalogue.
    pub sessions: usize,
    /// Directories whose `session.json` could not be read. They were not changed.
    pub unreadable: Vec<PathBuf>,
}

impl Catalogue {
    /// Fills the catalogue from every `session.json`. Other servers go on meanwhile: a row that is newer than the file
    /// was when it was read stays. `progress` is called with the number of finished sessions and of all.
    ///
    /// # Errors
    /// When the catalogue cannot be written. A session that cannot be read is counted, and is no error.
    pub fn rebuild(
        &mut self,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Rebuilt, CatalogueError> {
        run(self, progress)
    }

    /// Updates the rows of some sessions from the disk, whether they are open, archived or deleted.
    ///
    /// # Errors
    /// As every call.
    pub fn refresh(&mut self, ids: &[StoreId]) -> Result<(), CatalogueError> {
        refresh(self, ids)
    }

    /// Puts in what was added to the commands of some sessions since they were last put in.
    ///
    /// # Errors
    /// As every call.
    pub fn refresh_commands_of(&mut self, ids: &BTreeSet<StoreId>) -> Result<(), CatalogueError> {
        let root = self.root.clone();
        let places = Places::of(&root);
        for id in ids {
            match places.find(*id) {
                Some(session) => self.refresh_commands(*id, &session.dir)?,
                None => self.ask(|connection| forget_session(connection, *id))?,
            }
        }
        Ok(())
    }

    /// The same for all sessions, which takes a system call or two for each.
    ///
    /// # Errors
    /// As every call.
    pub fn refresh_all_commands(&mut self) -> Result<(), CatalogueError> {
        for session in all_sessions(&self.root.clone()) {
            self.refresh_commands(session.id, &session.dir)?;
        }
        Ok(())
    }
}

fn run(
    catalogue: &mut Catalogue,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Rebuilt, CatalogueError> {
    let root = catalogue.root.clone();
    // The files of a later version cannot be understood.
    version::refuse_newer(&root)?;
    let sessions = all_sessions(&root);
    let mut rebuilt = Rebuilt::default();
    let mut rows = Vec::new();
    for (index, session) in sessions.iter().enumerate() {
        match read(session) {
            Some(row) => rows.push(row),
            None => rebuilt.unreadable.push(session.dir.clone()),
        }
        if rows.len() == BATCH {
            rebuilt.sessions += write(catalogue, &mut rows)?;
        }
        catalogue.refresh_commands(session.id, &session.dir)?;
        progress(index + 1, sessions.len());
    }
    rebuilt.sessions += write(catalogue, &mut rows)?;
    remove_deleted(catalogue, &root)?;
    catalogue.ask(tables::set_complete)?;
    Ok(rebuilt)
}

fn refresh(catalogue: &mut Catalogue, ids: &[StoreId]) -> Result<(), CatalogueError> {
    let root = catalogue.root.clone();
    let places = Places::of(&root);
    for some in ids.chunks(BATCH) {
        let dirs: Vec<(StoreId, Option<SessionDir>)> =
            some.iter().map(|id| (*id, places.find(*id))).collect();
        let rows = dirs
            .iter()
            .map(|(id, dir)| (id, dir.as_ref().and_then(read)));
        let rows: Vec<(&StoreId, Option<SessionRow>)> = rows.collect();
        catalogue.ask(|connection| {
            let transaction = connection.unchecked_transaction()?;
            for (id, row) in &rows {
                match row {
                    Some(row) => insert(&transaction, row, UPSERT)?,
                    None => {
                        transaction.execute("DELETE FROM sessions WHERE id = ?1", [id])?;
                    }
                }
            }
            transaction.commit()
        })?;
        for (id, dir) in dirs {
            match dir {
                Some(session) => catalogue.refresh_commands(id, &session.dir)?,
                None => catalogue.ask(|connection| forget_session(connection, id))?,
            }
        }
    }
    Ok(())
}

/// Where sessions may be.
struct Places<'a> {
    root: &'a Path,
    /// The directories of the archive.
    months: Vec<PathBuf>,
}

impl<'a> Places<'a> {
    fn of(root: &'a Path) -> Self {
        let archive = root.join(ARCHIVE);
        let months = disk::names(root, &archive).unwrap_or_default();
        Self {
            root,
            months: months.iter().map(|it| archive.join(&it.name)).collect(),
        }
    }

    /// The directory of a session, wherever it is.
    fn find(&self, id: StoreId) -> Option<SessionDir> {
        let name = id.to_string();
        let is_dir =
            |dir: &PathBuf| disk::is_dir(dir) && disk::refuse_links(self.root, dir).is_ok();
        let open = Some(self.root.join(SESSIONS).join(&name)).filter(is_dir);
        if let Some(dir) = open {
            let state = SessionState::Active;
            return Some(SessionDir { id, dir, state });
        }
        let mut archived = self.months.iter().map(|month| month.join(&name));
        let state = SessionState::Archived;
        let dir = archived.find(is_dir)?;
        Some(SessionDir { id, dir, state })
    }
}

/// The directory of a session.
struct SessionDir {
    id: StoreId,
    dir: PathBuf,
    /// The part of the store that it is in.
    state: SessionState,
}

fn all_sessions(root: &Path) -> Vec<SessionDir> {
    let mut sessions = sessions_in(root, &root.join(SESSIONS), SessionState::Active);
    let archive = root.join(ARCHIVE);
    for month in disk::names(root, &archive).unwrap_or_default() {
        sessions.extend(sessions_in(
            root,
            &archive.join(month.name),
            SessionState::Archived,
        ));
    }
    sessions
}

fn sessions_in(root: &Path, dir: &Path, state: SessionState) -> Vec<SessionDir> {
    let names = disk::names(root, dir).unwrap_or_default();
    let mut sessions: Vec<SessionDir> = names
        .iter()
        .filter(|entry| entry.is_dir)
        .filter_map(|entry| {
            let id = entry.name.parse().ok()?;
            let dir = dir.join(&entry.name);
            Some(SessionDir { id, dir, state })
        })
        .collect();
    sessions.sort_unstable_by_key(|session| session.id);
    sessions
}

fn read(session: &SessionDir) -> Option<SessionRow> {
    let path = session.dir.join(SESSION);
    // Read before the content: if the file changes in between, the stamp is outdated, and the row will not be used.
    let stamp = FileStamp::of(&path).ok()?;
    // A damaged file, or one of a later version, is left to the server that opens the store.
    let bytes = disk::read(&path, envelope::MAX_FILE).ok()??;
    let body = envelope::decode_text(&bytes).ok()?;
    Some(SessionRow {
        summary: Summary::read(
            session.id,
            &body,
            session.state,
            disk::tree_size(&session.dir),
        ),
        stamp,
        body: body.into_bytes(),
    })
}

fn write(catalogue: &mut Catalogue, rows: &mut Vec<SessionRow>) -> Result<usize, CatalogueError> {
    let sql = upsert_unless_newer();
    catalogue.ask(|connection| {
        let transaction = connection.unchecked_transaction()?;
        for row in rows.iter() {
            insert(&transaction, row, &sql)?;
        }
        transaction.commit()
    })?;
    Ok(rows.drain(..).count())
}

/// Removes the rows of sessions that are no longer on disk, including those that disappeared while the files were read.
fn remove_deleted(catalogue: &mut Catalogue, root: &Path) -> Result<(), CatalogueError> {
    let known: Vec<StoreId> = catalogue.ask(|connection| {
        let mut statement = connection.prepare("SELECT id FROM sessions")?;
        let ids = statement.query_map([], |row| row.get(0))?;
        ids.collect()
    })?;
    let there: HashSet<StoreId> = all_sessions(root)
        .iter()
        .map(|session| session.id)
        .collect();
    catalogue.ask(|connection| {
        let transaction = connection.unchecked_transaction()?;
        for id in known.iter().filter(|id| !there.contains(*id)) {
            transaction.execute("DELETE FROM sessions WHERE id = ?1", [id])?;
        }
        transaction.commit()?;
        let mut statement = connection.prepare("SELECT DISTINCT session FROM command_files")?;
        let sessions = statement.query_map([], |row| row.get(0))?;
        let sessions: Vec<StoreId> = sessions.collect::<rusqlite::Result<_>>()?;
        let gone = sessions.iter().filter(|id| !there.contains(*id));
        gone.copied()
            .try_for_each(|id| forget_session(connection, id))
    })
}
