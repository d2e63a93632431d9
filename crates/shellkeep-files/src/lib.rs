//! Opens the files and directories of the state and runtime directories, and is the only code that does (`cargo xtask
//! tidy` checks it). Whatever lies at a path, opening it never waits, never follows a link, and never reads or changes
//! anything but a regular file of this user.
//!
//! ```
//! use shellkeep_files::{Access, MAX_SMALL, open, read};
//!
//! # fn main() -> std::io::Result<()> {
//! let dir = tempfile::tempdir()?;
//! let path = dir.path().join("note");
//! assert!(open(&path, Access::Read, MAX_SMALL).is_err());
//! shellkeep_files::write(&path, b"text")?;
//! assert_eq!(read(&path, MAX_SMALL)?, b"text");
//! # Ok(())
//! # }
//! ```

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::OFlag;

/// Larger than any of our locks, notes and scripts.
pub const MAX_SMALL: u64 = 16 << 20;

/// For large files: their readers check the size themselves, and read in pieces.
pub const ANY_SIZE: u64 = u64::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    /// Read and write an existing file.
    Write,
    /// Read and write; the file is made if it does not exist.
    Make,
    /// Append; the file is made if it does not exist.
    Append,
    /// Read and write a file that must not exist before.
    New,
}

/// Why something at the path of one of our files is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A directory, link, pipe, device or socket.
    #[error("it is not a plain file")]
    NotPlain,
    /// A link at the path of a directory.
    #[error("it is a symbolic link")]
    Link,
    #[error("it belongs to another user")]
    NotOurs,
    /// It is larger than any such file of ours.
    #[error("it is too large")]
    TooLarge,
}

/// The refusal behind an error, if there is one.
#[must_use]
pub fn refusal(error: &io::Error) -> Option<Refused> {
    error.get_ref()?.downcast_ref().copied()
}

/// Opens one of our files. A new file is readable and writable for its owner only, whatever the umask.
///
/// # Errors
/// When the system refuses, and when the path is not a regular file of this user of at most `max` bytes: see
/// [`refusal`].
pub fn open(path: &Path, access: Access, max: u64) -> io::Result<File> {
    let mut options = OpenOptions::new();
    match access {
        Access::Read => options.read(true),
        Access::Write => options.read(true).write(true),
        Access::Make => options.read(true).write(true).create(true).truncate(false),
        Access::Append => options.append(true).create(true),
        Access::New => options.read(true).write(true).create_new(true),
    };
    // Without O_NONBLOCK, opening a pipe waits for its other end.
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    options.mode(0o600).custom_flags(flags.bits());
    let file = options.open(path).map_err(as_refusal)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other(Refused::NotPlain));
    }
    if metadata.uid() != nix::unistd::geteuid().as_raw() {
        return Err(io::Error::other(Refused::NotOurs));
    }
    if metadata.len() > max {
        return Err(io::Error::other(Refused::TooLarge));
    }
    // The umask removes bits from a new file; an earlier version, or a shell, may have left too many on an old one.
    if access != Access::Read && metadata.mode() & 0o7777 != 0o600 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

/// Translates the system's errors for a link, directory or pipe at the path of a file.
fn as_refusal(error: io::Error) -> io::Error {
    match error.raw_os_error().map(Errno::from_raw) {
        // FreeBSD reports a link as EMLINK.
        Some(Errno::ELOOP | Errno::EMLINK | Errno::EISDIR | Errno::ENXIO | Errno::ENODEV) => {
            io::Error::other(Refused::NotPlain)
        }
        _ => error,
    }
}

/// Reads one of our files.
///
/// # Errors
/// As [`open`]; and when it cannot be read.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let file = open(path, Access::Read, max)?;
    let mut bytes = Vec::with_capacity(usize::try_from(file.metadata()?.len()).unwrap_or(0));
    // The file may grow while it is read.
    file.take(max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a small file of text. Bytes that are not UTF-8 are replaced.
///
/// # Errors
/// As [`read`].
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(path, MAX_SMALL)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Replaces the content of one of our files.
///
/// # Errors
/// As [`open`]; and when it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = open(path, Access::Make, ANY_SIZE)?;
    // Truncated only now: O_TRUNC would do it before the file is known to be ours.
    if file.metadata()?.len() > 0 {
        file.set_len(0)?;
    }
    file.write_all(bytes)
}

/// Makes a file at a path where only half-written files of ours can lie, and removes what lies there.
///
/// # Errors
/// When the old entry cannot be removed, or the file cannot be made.
pub fn make_anew(path: &Path) -> io::Result<File> {
    match open(path, Access::New, ANY_SIZE) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made,
    }
    match std::fs::remove_file(path) {
        Ok(()) => {}
        // A directory may hold something that its owner needs, so it is moved aside.
        Err(_) => std::fs::rename(
            path,
            path.with_extension(format!("{}.aside", std::process::id())),
        )?,
    }
    open(path, Access::New, ANY_SIZE)
}

/// Makes a directory and its parents, accessible to the owner only, whatever the umask. An existing directory is left
/// as it is.
///
/// # Errors
/// When it cannot be made.
pub fn make_dir(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        make_dir(parent)?;
    }
    make_one_dir(path)
}

/// Makes a directory in an existing one.
///
/// # Errors
/// When it cannot be made.
pub fn make_one_dir(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let is_there = path.is_dir();
            return is_there.then_some(()).ok_or(Errno::ENOTDIR.into());
        }
        made => made?,
    }
    let permissions = std::fs::symlink_metadata(path)?.permissions();
    match permissions.mode() & 0o700 {
        0o700 => Ok(()),
        _ => std::fs::set_permissions(path, Permissions::from_mode(0o700)),
    }
}

/// The first directory below `root`, down to and including `path`, that is a symbolic link.
///
/// `root` and its parents may be links: the user chooses where the state directory is. Below it shellkeep makes every
/// directory, so a link there leads to files that are not ours. A program of the same user can put a link there after
/// this check, but gains nothing that it could not do directly.
#[must_use]
pub fn first_link(root: &Path, path: &Path) -> Option<PathBuf> {
    let mut dir = root.to_owned();
    path.strip_prefix(root).ok()?.iter().find_map(|name| {
        dir.push(name);
        let is_link = std::fs::symlink_metadata(&dir).is_ok_and(|found| found.is_symlink());
        is_link.then(|| dir.clone())
    })
}

/// Makes the entries of a directory (created, renamed or removed) durable.
///
/// # Errors
/// When there is no such directory, or the system refuses.
pub fn sync_dir(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let flags = OFlag::O_DIRECTORY | OFlag::O_NONBLOCK;
    options.read(true).custom_flags(flags.bits());
    options.open(path)?.sync_all()
}

/// Copies one of our files to a path that must not exist yet.
///
/// # Errors
/// As [`open`]; and when it cannot be written.
pub fn copy(from: &Path, to: &Path) -> io::Result<File> {
    let mut source = open(from, Access::Read, ANY_SIZE)?;
    let mut target = open(to, Access::New, ANY_SIZE)?;
    io::copy(&mut source, &mut target)?;
    Ok(target)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use nix::sys::stat::{Mode, SFlag, makedev, mknod, umask};
    use nix::unistd::mkfifo;

    use super::*;

    const ALL: [Access; 5] = [
        Access::Read,
        Access::Write,
        Access::Make,
        Access::Append,
        Access::New,
    ];

    /// One of everything that is not a regular file, and the target of the link.
    fn strangers(dir: &Path) -> (Vec<PathBuf>, PathBuf) {
        let path = |name: &str| dir.join(name);
        let target = path("target");
        std::fs::write(&target, "somebody else's").unwrap();
        mkfifo(&path("pipe"), Mode::S_IRWXU).unwrap();
        std::fs::create_dir(path("directory")).unwrap();
        symlink(&target, path("link")).unwrap();
        symlink(path("nothing"), path("dangling")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        let mut names = vec!["pipe", "directory", "link", "dangling", "socket"];
        // Only root may make a device.
        if mknod(
            &path("device"),
            SFlag::S_IFCHR,
            Mode::S_IRWXU,
            makedev(1, 5),
        )
        .is_ok()
        {
            names.push("device");
        }
        (names.into_iter().map(path).collect(), target)
    }

    #[test]
    fn irregular_file_is_refused_at_once_and_unchanged() {
        let temp = tempfile::tempdir().unwrap();
        let (strangers, target) = strangers(temp.path());
        for path in strangers {
            for access in ALL {
                let error = open(&path, access, ANY_SIZE).unwrap_err();
                let is_there =
                    access == Access::New && error.kind() == io::ErrorKind::AlreadyExists;
                let is_refused = refusal(&error) == Some(Refused::NotPlain);
                assert!(is_there || is_refused, "{path:?} {access:?}: {error}");
            }
            assert!(write(&path, b"x").is_err() && copy(&path, &temp.path().join("to")).is_err());
            make_anew(&path).unwrap().write_all(b"x").unwrap();
            assert_eq!(read(&path, 1).unwrap(), b"x");
        }
        assert_eq!(std::fs::read(target).unwrap(), b"somebody else's");
        assert!(!temp.path().join("nothing").exists());
    }

    #[test]
    fn first_link_is_looked_for_below_the_root_only() {
        let temp = tempfile::tempdir().unwrap();
        let path = |name: &str| temp.path().join(name);
        make_dir(&path("real/a/b")).unwrap();
        symlink(path("real"), path("root")).unwrap();
        let root = path("root");
        assert_eq!(first_link(&root, &root), None);
        assert_eq!(first_link(&root, &root.join("a/b/missing")), None);
        symlink(path("real/a"), path("real/link")).unwrap();
        let found = first_link(&root, &root.join("link/b"));
        assert_eq!(found, Some(root.join("link")));
        symlink(path("nothing"), path("real/a/dangling")).unwrap();
        let found = first_link(&root, &root.join("a/dangling"));
        assert_eq!(found, Some(root.join("a/dangling")));
    }

    #[test]
    fn file_that_is_too_large_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("sparse");
        File::create(&path).unwrap().set_len(3 << 30).unwrap();
        let error = read(&path, MAX_SMALL).unwrap_err();
        assert_eq!(refusal(&error), Some(Refused::TooLarge));
    }

    #[test]
    fn modes_are_private_whatever_the_umask() {
        let temp = tempfile::tempdir().unwrap();
        for mask in [0o000, 0o022, 0o777] {
            let before = umask(Mode::from_bits_truncate(mask));
            let path = temp.path().join(format!("{mask:o}/below"));
            make_dir(&path).unwrap();
            write(&path.join("file"), b"x").unwrap();
            make_anew(&path.join("fresh")).unwrap();
            open(&path.join("log"), Access::Append, ANY_SIZE).unwrap();
            umask(before);
            let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o7777;
            for dir in [&path, path.parent().unwrap()] {
                assert_eq!(mode(dir), 0o700, "{mask:o}");
            }
            for name in ["file", "fresh", "log"] {
                assert_eq!(mode(&path.join(name)), 0o600, "{mask:o} {name}");
            }
        }
    }
}
