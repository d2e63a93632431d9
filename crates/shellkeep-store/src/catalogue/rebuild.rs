//! The catalogue made anew from the files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::row::{FileStamp, SessionRow, SessionState, insert, summarise, upsert_unless_newer};
use super::{Catalogue, CatalogueError, schema};

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
    let places = places(&root);
    let mut rebuilt = Rebuilt::default();
    let mut rows = Vec::new();
    for (index, (dir, place)) in places.iter().enumerate() {
        match read(dir, *place) {
            Some(row) => rows.push(row),
            None => rebuilt.unreadable.push(dir.clone()),
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

/// Every directory that is a session's, and in which part of the store it is.
fn places(root: &Path) -> Vec<(PathBuf, SessionState)> {
    let mut places: Vec<_> = directories(&root.join("sessions"))
        .into_iter()
        .map(|dir| (dir, SessionState::Active))
        .collect();
    for month in directories(&root.join("archive")) {
        let dirs = directories(&month).into_iter();
        places.extend(dirs.map(|dir| (dir, SessionState::Archived)));
    }
    places
}

fn directories(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut dirs: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    dirs.sort();
    dirs
}

fn read(dir: &Path, place: SessionState) -> Option<SessionRow> {
    let path = dir.join("session.json");
    // Before the content: if it changes in between, the stamp is the old one and the row does not count.
    let stamp = FileStamp::of(&path).ok()?;
    let body = read_body(&path)?;
    let id = dir.file_name()?.to_str()?;
    Some(SessionRow {
        summary: summarise(id, &body, place, size_of(dir)),
        stamp,
        body: body.to_string().into_bytes(),
    })
}

fn read_body(path: &Path) -> Option<Value> {
    let text = fs::read(path).ok()?;
    let mut file: Value = serde_json::from_slice(&text).ok()?;
    let body = file.get_mut("body")?.take();
    body.is_object().then_some(body)
}

/// The bytes of all files in a session's directory.
fn size_of(dir: &Path) -> u64 {
    let mut size = 0;
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => dirs.push(entry.path()),
                Ok(metadata) => size += metadata.len(),
                Err(_) => {}
            }
        }
    }
    size
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
    let known: Vec<String> = catalogue.ask(|connection| {
        let mut statement = connection.prepare("SELECT id FROM sessions")?;
        let ids = statement.query_map([], |row| row.get(0))?;
        ids.collect()
    })?;
    let there: std::collections::HashSet<String> = places(root)
        .iter()
        .filter_map(|(dir, _)| dir.file_name()?.to_str().map(str::to_owned))
        .collect();
    catalogue.ask(|connection| {
        let transaction = connection.unchecked_transaction()?;
        for id in known.iter().filter(|id| !there.contains(*id)) {
            transaction.execute("DELETE FROM sessions WHERE id = ?1", [id])?;
        }
        transaction.commit()
    })
}
