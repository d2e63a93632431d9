//! Files as the store wants them: private, whole or not at all, and durable once a call returns.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::format::FormatError;

/// Whom a test has told of files that are written and not yet read back.
#[cfg(debug_assertions)]
pub(crate) static WRITTEN: std::sync::OnceLock<fn(&Path)> = std::sync::OnceLock::new();

/// Makes a directory and those above it, for the owner's eyes only. One that is there is left as it is.
pub(crate) fn make_dir(path: &Path) -> Result<(), StoreError> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(StoreError::io("make the directory", path))
}

/// Makes what was created, renamed or removed in a directory survive a power cut.
pub(crate) fn sync_dir(path: &Path) -> Result<(), StoreError> {
    File::open(path)
        .and_then(|dir| dir.sync_all())
        .map_err(StoreError::io("sync the directory", path))
}

/// The whole of a file, `None` if there is none. A file above `limit` is not read at all.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::io("open", path)(error)),
    };
    let size = file
        .metadata()
        .map_err(StoreError::io("look at", path))?
        .len();
    if size > limit {
        return Err(StoreError::format(path, FormatError::TooLong));
    }
    let mut bytes = Vec::with_capacity(size as usize + 1);
    // Taken, because the file may grow while it is read.
    (&mut file)
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(StoreError::io("read", path))?;
    Ok(Some(bytes))
}

/// What becomes of the file that is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Previous {
    /// It stays as `<name>.old`.
    Keep,
    /// It goes.
    Drop,
}

/// `<name>.old`, where the previous version of a file stays.
pub(crate) fn old_name(name: &str) -> String {
    format!("{name}.old")
}

/// Puts `bytes` at `dir/name`: at every moment there is the old file (maybe as `.old`) or the new one, whole.
pub(crate) fn replace(
    dir: &Path,
    name: &str,
    bytes: &[u8],
    previous: Previous,
) -> Result<(), StoreError> {
    swap(dir, name, bytes, previous)?;
    sync_dir(dir)
}

/// The same, but a power cut may bring the old file back until the directory is synced.
pub(crate) fn swap(
    dir: &Path,
    name: &str,
    bytes: &[u8],
    previous: Previous,
) -> Result<(), StoreError> {
    let path = dir.join(name);
    let temp = dir.join(format!("{name}.new"));
    if let Err(error) = write_new(&temp, bytes) {
        // Half a file helps nobody, and on a full disk it is in the way.
        let _ = std::fs::remove_file(&temp);
        return Err(error);
    }
    if previous == Previous::Keep {
        match std::fs::rename(&path, dir.join(old_name(name))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io("rename", &path)(error));
            }
            _ => {}
        }
    }
    std::fs::rename(&temp, &path).map_err(StoreError::io("rename", &temp))
}

/// Puts `bytes` at `dir/name`, whole or not at all, and leaves it to the system when they reach the disk.
pub(crate) fn put(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
    let temp = dir.join(format!("{name}.new"));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let written = options
        .open(&temp)
        .and_then(|mut file| file.write_all(bytes));
    if let Err(error) = written {
        let _ = std::fs::remove_file(&temp);
        return Err(StoreError::io("write", &temp)(error));
    }
    std::fs::rename(&temp, dir.join(name)).map_err(StoreError::io("rename", &temp))
}

fn write_new(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
        .map_err(StoreError::io("create", path))?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .map_err(StoreError::io("write", path))?;
    #[cfg(debug_assertions)]
    if let Some(hear) = WRITTEN.get() {
        hear(path);
    }
    verify(path, bytes)
}

/// Reads back what was written, before the file it replaces is let go.
fn verify(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let found = read(path, bytes.len() as u64 + 1)?;
    if found.as_deref() == Some(bytes) {
        return Ok(());
    }
    Err(StoreError::Broken {
        path: path.to_owned(),
        why: FormatError::Check,
    })
}

/// The names in a directory, `None` if there is none.
pub(crate) fn names(path: &Path) -> Result<Option<Vec<Named>>, StoreError> {
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::io("read the directory", path)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(StoreError::io("read the directory", path))?;
        // No name of ours is anything but ASCII; others are somebody else's.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        names.push(Named { name, is_dir });
    }
    Ok(Some(names))
}

/// One entry of a directory.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) is_dir: bool,
}

/// What the name of a directory begins with that is being removed. Half a session is never seen: it gets this name
/// first, and whoever finds it finishes the work.
pub(crate) const GONE: &str = ".gone-";

/// Removes a directory of ours with all that is in it. Nothing happens if there is none.
pub(crate) fn remove_tree(path: &Path) -> Result<(), StoreError> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(());
    };
    let gone = parent.join(format!("{GONE}{}", name.to_string_lossy()));
    // Left over from a removal that was cut short.
    clear(&gone)?;
    match std::fs::rename(path, &gone) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::io("remove", path)(error)),
        Ok(()) => {}
    }
    clear(&gone)?;
    sync_dir(parent)
}

/// Deletes a directory that nobody looks for any more.
pub(crate) fn clear(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Renames a directory into another one, made if need be, and makes both ends durable.
pub(crate) fn move_dir(from: &Path, to: &Path) -> Result<(), StoreError> {
    let parent = |path: &Path| path.parent().map(PathBuf::from).unwrap_or_default();
    let (source, target) = (parent(from), parent(to));
    make_dir(&target)?;
    std::fs::rename(from, to).map_err(StoreError::io("move", from))?;
    sync_dir(&target)?;
    sync_dir(&source)
}

/// Bytes of all files below a directory; what cannot be read counts nothing.
pub(crate) fn tree_size(path: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(path) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => tree_size(&entry.path()),
            Ok(meta) if meta.is_file() => meta.len(),
            _ => 0,
        })
        .sum()
}
