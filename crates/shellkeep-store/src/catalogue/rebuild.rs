//! The catalogue made anew from the files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::row::{
    FileStamp, SessionRow, SessionState, UPSERT, insert, summarise, upsert_unless_newer,
};
use super::{Catalogue, CatalogueError, schema};
use crate::disk;
use crate::format::session;
use crate::id::StoreId;
use crate::store::{ARCHIVE, SESSION, SESSIONS, Store};

/// So many rows are written at once: another server waits for one such write at most.
const AT_ONCE: usize = 200;

/// What a rebuild came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    /// Sessions that are in the catalogue now.
    pub sessions: usize,
    /// Directories whose `session.json` could not be read. They are left as they are.
    pub unreadable: Vec<PathBuf>,
}

pub(super) fn run(
    catalogue: &mut Catalogue,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Rebuilt, CatalogueError> {
    let root = catalogue.root.clone();
    // A later version's store is not ours to understand.
    Store::look(&root)?;
    let places = places(&root);
    let mut rebuilt = Rebuilt::default();
    let mut rows = Vec::new();
    for (index, place) in places.iter().enumerate() {
        match read(place) {
            Some(row) => rows.push(row),
            None => rebuilt.unreadable.push(place.dir.clone()),
        }
        if rows.len() == AT_ONCE {
            rebuilt.sessions += write(catalogue, &mut rows)?;
        }
        progress(index + 1, places.len());
    }
    rebuilt.sessions += write(catalogue, &mut rows)?;
    forget_the_gone(catalogue, &root)?;
    catalogue.ask(schema::set_complete)?;
    Ok(rebuilt)
}

/// Puts in what is on disk of some sessions, and takes out what is not there any more.
pub(super) fn refresh(catalogue: &mut Catalogue, ids: &[StoreId]) -> Result<(), CatalogueError> {
    let root = catalogue.root.clone();
    let archive = root.join(ARCHIVE);
    let months = disk::names(&root, &archive).unwrap_or_default();
    let find = |id: StoreId| {
        let name = id.to_string();
        let open = root.join(SESSIONS).join(&name);
        let is_dir = |dir: &Path| disk::is_dir(dir) && disk::refuse_links(&root, dir).is_ok();
        if is_dir(&open) {
            let state = SessionState::Active;
            return Some(Place {
                id,
                dir: open,
                state,
            });
        }
        let mut places = months
            .iter()
            .map(|month| archive.join(&month.name).join(&name));
        let dir = places.find(|dir| is_dir(dir))?;
        let state = SessionState::Archived;
        Some(Place { id, dir, state })
    };
    for some in ids.chunks(AT_ONCE) {
        let rows = some
            .iter()
            .map(|id| (id, find(*id).as_ref().and_then(read)));
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
    }
    Ok(())
}

/// A directory that is a session's.
struct Place {
    id: StoreId,
    dir: PathBuf,
    /// In which part of the store it is.
    state: SessionState,
}

fn places(root: &Path) -> Vec<Place> {
    let mut places = sessions_in(root, &root.join(SESSIONS), SessionState::Active);
    let archive = root.join(ARCHIVE);
    for month in disk::names(root, &archive).unwrap_or_default() {
        places.extend(sessions_in(
            root,
            &archive.join(month.name),
            SessionState::Archived,
        ));
    }
    places
}

fn sessions_in(root: &Path, dir: &Path, state: SessionState) -> Vec<Place> {
    let names = disk::names(root, dir).unwrap_or_default();
    let mut places: Vec<Place> = names
        .iter()
        .filter(|entry| entry.is_dir)
        .filter_map(|entry| {
            let id = entry.name.parse().ok()?;
            let dir = dir.join(&entry.name);
            Some(Place { id, dir, state })
        })
        .collect();
    places.sort_unstable_by_key(|place| place.id);
    places
}

fn read(place: &Place) -> Option<SessionRow> {
    let path = place.dir.join(SESSION);
    // Before the content: if it changes in between, the stamp is the old one and the row does not count.
    let stamp = FileStamp::of(&path).ok()?;
    let body = read_body(&path)?;
    Some(SessionRow {
        summary: summarise(place.id, &body, place.state, disk::tree_size(&place.dir)),
        stamp,
        body: body.to_string().into_bytes(),
    })
}

/// What is broken or of a later version is for the store to deal with, when a server opens it.
fn read_body(path: &Path) -> Option<Value> {
    let bytes = disk::read(path, session::MAX_FILE).ok()??;
    session::decode(&bytes).ok()
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

/// Takes out what is no longer on disk, also what went away while the files were read.
fn forget_the_gone(catalogue: &mut Catalogue, root: &Path) -> Result<(), CatalogueError> {
    let known: Vec<StoreId> = catalogue.ask(|connection| {
        let mut statement = connection.prepare("SELECT id FROM sessions")?;
        let ids = statement.query_map([], |row| row.get(0))?;
        ids.collect()
    })?;
    let there: HashSet<StoreId> = places(root).iter().map(|place| place.id).collect();
    catalogue.ask(|connection| {
        let transaction = connection.unchecked_transaction()?;
        for id in known.iter().filter(|id| !there.contains(*id)) {
            transaction.execute("DELETE FROM sessions WHERE id = ?1", [id])?;
        }
        transaction.commit()
    })
}
