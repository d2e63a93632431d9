//! File operations of the store: files are private, written completely or not at all, and durable once a call returns.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::unistd::{AccessFlags, access};
use shellkeep_files::{ANY_SIZE, Access, Refused};

use crate::error::StoreError;
use crate::schema::header::FormatError;

/// Called with each file that was written and not read back yet, by tests that kill the server there.
#[cfg(debug_assertions)]
pub(crate) static WRITTEN: std::sync::OnceLock<fn(&Path)> = std::sync::OnceLock::new();

/// Makes a directory and its parents, accessible to the owner only. An existing directory is left as it is.
pub(crate) fn make_dir(path: &Path) -> Result<(), StoreError> {
    shellkeep_files::make_dir(path).map_err(StoreError::io("make the directory", path))
}

/// Refuses a directory of the store that is a link, or is reached through one below the state directory.
pub(crate) fn refuse_links(root: &Path, path: &Path) -> Result<(), StoreError> {
    match shellkeep_files::first_link(root, path) {
        Some(link) => Err(StoreError::io("open", &link)(io::Error::other(
            Refused::Link,
        ))),
        None => Ok(()),
    }
}

/// Whether there is a directory at a path, and not a link to one.
pub(crate) fn is_dir(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// Whether a directory can be read, if it exists.
pub(crate) fn check_open(path: &Path) -> Result<(), StoreError> {
    match access(path, AccessFlags::R_OK | AccessFlags::X_OK) {
        Ok(()) | Err(Errno::ENOENT) => Ok(()),
        Err(errno) => Err(StoreError::io("read the directory", path)(errno.into())),
    }
}

/// Makes the entries of a directory (created, renamed or removed) durable.
pub(crate) fn sync_dir(path: &Path) -> Result<(), StoreError> {
    shellkeep_files::sync_dir(path).map_err(StoreError::io("sync the directory", path))
}

/// Opens a file for reading; `None` if it does not exist.
pub(crate) fn open(path: &Path) -> Result<Option<File>, StoreError> {
    open_as(path, Access::Read, ANY_SIZE)
}

/// Opens a file. If the path is not a regular file of at most `limit` bytes, the file counts as broken.
pub(crate) fn open_as(path: &Path, access: Access, limit: u64) -> Result<Option<File>, StoreError> {
    match shellkeep_files::open(path, access, limit) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(match shellkeep_files::refusal(&error) {
            Some(Refused::NotPlain) => StoreError::format(path, FormatError::NotPlain),
            Some(Refused::TooLarge) => StoreError::format(path, FormatError::TooLong),
            Some(Refused::NotOurs | Refused::Link) | None => StoreError::io("open", path)(error),
        }),
    }
}

/// Reads a whole file; `None` if it does not exist. A file larger than `limit` is not read at all.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(file) = open_as(path, Access::Read, limit)? else {
        return Ok(None);
    };
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let mut bytes = Vec::with_capacity(size as usize + 1);
    // Limited again, because the file may grow while it is read.
    file.take(limit)
        .read_to_end(&mut bytes)
        .map_err(StoreError::io("read", path))?;
    Ok(Some(bytes))
}

/// Reads until the buffer is full or the file ends.
pub(crate) fn read_full(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The time of the last write, in milliseconds since 1970.
pub(crate) fn modified_ms(file: &File) -> io::Result<u64> {
    let meta = file.metadata()?;
    let seconds = u64::try_from(meta.mtime()).unwrap_or(0);
    Ok(seconds.saturating_mul(1000) + (meta.mtime_nsec() / 1_000_000).unsigned_abs())
}

/// What happens to the file that is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Previous {
    /// It stays as `<name>.old`.
    Keep,
    /// It is deleted.
    Drop,
}

/// `<name>.old`, the name under which the previous version of a file is kept.
pub(crate) fn old_name(name: &str) -> String {
    format!("{name}.old")
}

/// Writes `bytes` to `dir/name`. At every moment either the old file (perhaps as `.old`) or the complete new one
/// exists.
pub(crate) fn replace(
    dir: &Path,
    name: &str,
    bytes: Vec<u8>,
    previous: Previous,
) -> Result<(), StoreError> {
    swap(dir, name, bytes, previous)?;
    sync_dir(dir)
}

/// As [`replace`], but after a power cut the old file may be back until the directory is synced.
pub(crate) fn swap(
    dir: &Path,
    name: &str,
    bytes: Vec<u8>,
    previous: Previous,
) -> Result<(), StoreError> {
    let fresh = Fresh::write(dir, name, bytes, previous)?;
    fresh.sync()?;
    fresh.put_in_place()
}

/// A new file beside the one that it will replace. It is deleted when this is dropped before [`Self::put_in_place`].
#[derive(Debug)]
pub(crate) struct Fresh {
    dir: PathBuf,
    name: String,
    bytes: Vec<u8>,
    previous: Previous,
    file: File,
}

impl Fresh {
    /// Writes the file without waiting for the disk.
    pub(crate) fn write(
        dir: &Path,
        name: &str,
        bytes: Vec<u8>,
        previous: Previous,
    ) -> Result<Self, StoreError> {
        let path = new_path(dir, name);
        let file = shellkeep_files::make_anew(&path).map_err(StoreError::io("create", &path))?;
        let mut fresh = Self {
            dir: dir.to_owned(),
            name: name.to_owned(),
            bytes,
            previous,
            file,
        };
        let written = fresh.file.write_all(&fresh.bytes);
        written.map_err(StoreError::io("write", &path))?;
        Ok(fresh)
    }

    /// Waits until its bytes are on the disk.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        let path = new_path(&self.dir, &self.name);
        self.file
            .sync_all()
            .map_err(StoreError::io("write", &path))?;
        #[cfg(debug_assertions)]
        if let Some(hear) = WRITTEN.get() {
            hear(&path);
        }
        Ok(())
    }

    /// Reads the file back, and replaces the old one only if it is correct. Until the directory is synced, a power cut
    /// may undo this.
    pub(crate) fn put_in_place(self) -> Result<(), StoreError> {
        let temp = new_path(&self.dir, &self.name);
        verify(&temp, &self.bytes)?;
        let path = self.dir.join(&self.name);
        if self.previous == Previous::Keep {
            match std::fs::rename(&path, self.dir.join(old_name(&self.name))) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(StoreError::io("rename", &path)(error));
                }
                _ => {}
            }
        }
        std::fs::rename(&temp, &path).map_err(StoreError::io("rename", &temp))
    }

    /// The directory of the file.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        // A partial file is useless and takes space on a full disk. If the file is in its place, there is none of this
        // name.
        let _ = std::fs::remove_file(new_path(&self.dir, &self.name));
    }
}

/// `<name>.new`, the name under which a file is written before it replaces the old one.
pub(crate) fn new_path(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.new"))
}

/// Writes `bytes` to `dir/name` completely or not at all, without waiting for the disk.
pub(crate) fn put(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
    // Under another temporary name, because the recorder may be replacing the same file.
    let temp = dir.join(format!("{name}.put"));
    let written = shellkeep_files::make_anew(&temp).and_then(|mut file| file.write_all(bytes));
    if let Err(error) = written {
        let _ = std::fs::remove_file(&temp);
        return Err(StoreError::io("write", &temp)(error));
    }
    std::fs::rename(&temp, dir.join(name)).map_err(StoreError::io("rename", &temp))
}

/// Reads back what was written, before the old file is deleted.
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

/// The names in a directory of the store below `root`; empty if it does not exist. A link is refused.
pub(crate) fn names(root: &Path, path: &Path) -> Result<Vec<Named>, StoreError> {
    refuse_links(root, path)?;
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("read the directory", path)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(StoreError::io("read the directory", path))?;
        // All our names are ASCII, so other files are not ours.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let kind = entry.file_type();
        let is_dir = kind.as_ref().is_ok_and(|kind| kind.is_dir());
        let is_link = kind.as_ref().is_ok_and(|kind| kind.is_symlink());
        names.push(Named {
            name,
            is_dir,
            is_link,
        });
    }
    Ok(names)
}

/// One entry of a directory.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) is_dir: bool,
    pub(crate) is_link: bool,
}

/// Prefix of a directory that is being removed. The rename makes the whole session disappear at once; any server that
/// finds such a directory deletes it.
pub(crate) const REMOVAL_PREFIX: &str = ".gone-";

/// The name of a directory while it is being removed.
fn removal_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    parent(path).join(format!("{REMOVAL_PREFIX}{name}"))
}

/// Whether there is something at a path.
fn exists(path: &Path) -> Result<bool, StoreError> {
    path.try_exists().map_err(StoreError::io("look at", path))
}

/// Starts the removal of a directory by renaming it, so that it belongs to no session any more. Does nothing if it does
/// not exist.
pub(crate) fn hide(path: &Path) -> Result<(), StoreError> {
    // On a read-only disk, renaming fails even if the path does not exist.
    if !exists(path)? {
        return Ok(());
    }
    let gone = removal_path(path);
    // An earlier removal was interrupted.
    clear(&gone)?;
    match std::fs::rename(path, &gone) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Removes a directory and everything in it, even if it is hidden already. Returns whether it existed.
pub(crate) fn remove_tree(path: &Path) -> Result<bool, StoreError> {
    hide(path)?;
    let gone = removal_path(path);
    if !exists(&gone)? {
        return Ok(false);
    }
    clear(&gone)?;
    sync_dir(&parent(path)).map(|()| true)
}

/// Deletes a directory that was renamed by [`hide`].
pub(crate) fn clear(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Removes a file if it exists.
pub(crate) fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Moves a directory into another one, which is made if necessary, and makes both ends durable.
pub(crate) fn move_dir(from: &Path, to: &Path) -> Result<(), StoreError> {
    rename_dir(from, to)?;
    sync_dir(&parent(to))?;
    sync_dir(&parent(from))
}

/// Moves a directory into another one, which is made if necessary. A power cut may undo it.
pub(crate) fn rename_dir(from: &Path, to: &Path) -> Result<(), StoreError> {
    make_dir(&parent(to))?;
    std::fs::rename(from, to).map_err(StoreError::io("move", from))
}

fn parent(path: &Path) -> PathBuf {
    path.parent().map(PathBuf::from).unwrap_or_default()
}

/// The bytes of all files below a directory. What cannot be read is not counted.
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
