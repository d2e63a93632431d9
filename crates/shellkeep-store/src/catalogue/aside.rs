//! Moves an unusable catalogue aside. It is not deleted, so that the cause can be found later, unless it is merely of
//! an earlier version.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::error::CatalogueError;
use crate::schema::catalogue::FILE;

/// The endings of its name for the files that SQLite makes.
pub(super) const FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Moves the catalogue and SQLite's other files, and returns its new path.
pub(super) fn put(root: &Path) -> Result<PathBuf, CatalogueError> {
    let now = SystemTime::now();
    let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut stamp = now.as_millis();
    let target = loop {
        let target = root.join(format!("{FILE}.{stamp}"));
        if target.symlink_metadata().is_err() {
            break target;
        }
        stamp += 1;
    };
    for suffix in FILES {
        let from = with_suffix(&root.join(FILE), suffix);
        match std::fs::rename(&from, with_suffix(&target, suffix)) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(CatalogueError::File { path: from, source });
            }
            _ => {}
        }
    }
    Ok(target)
}

/// Deletes the catalogue and SQLite's other files.
pub(super) fn remove(root: &Path) -> Result<(), CatalogueError> {
    for suffix in FILES {
        let path = with_suffix(&root.join(FILE), suffix);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(CatalogueError::File { path, source });
            }
            _ => {}
        }
    }
    Ok(())
}

pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
