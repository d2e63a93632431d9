//! Files and directories in the state and runtime directories. Everything of ours that lies there is opened here and nowhere else (`cargo xtask tidy`
//! holds to it): whatever lies in its place, opening never waits, never follows a link, and never reads or changes what is not a plain file of ours.
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

/// More than any lock, note or script of ours has.
pub const MAX_SMALL: u64 = 16 << 20;

/// For files whose size is checked by what reads them in pieces.
pub const ANY_SIZE: u64 = u64::MAX;

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To be read.
    Read,
    /// To be read and written, if it is there.
    Write,
    /// The same; it is made if it is not there.
    Make,
    /// Only what is written behind its end; it is made if it is not there.
    Append,
    /// To be read and written, and not there before.
    New,
}

/// Why something in the place of a file of ours is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A directory, a link, a pipe, a device, a socket.
    #[error("it is not a plain file")]
    NotPlain,
    /// A link in the place of a directory.
    #[error("it is a symbolic link")]
    Link,
    /// It belongs to another user.
    #[error("it belongs to another user")]
    NotOurs,
    /// It is larger than any such file of ours.
    #[error("it is too large")]
    TooLarge,
}

/// Why it was refused, if that is what an error says.
#[must_use]
pub fn refusal(error: &io::Error) -> Option<Refused> {
    error.get_ref()?.downcast_ref().copied()
}

/// Opens a file of ours. One that is made is for its owner alone, whatever the umask.
///
/// # Errors
/// When the system refuses it, and where something lies there that is not a plain file of ours of at most `max` bytes: [`refusal`] tells which.
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
    // The umask takes bits away from one that is made, and an earlier version, or a shell, may have left others.
    if access != Access::Read && metadata.mode() & 0o7777 != 0o600 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

/// What the system says of a link, a directory or a pipe in the place of a file.
fn as_refusal(error: io::Error) -> io::Error {
    match error.raw_os_error().map(Errno::from_raw) {
        // EMLINK is what FreeBSD says of a link.
        Some(Errno::ELOOP | Errno::EMLINK | Errno::EISDIR | Errno::ENXIO | Errno::ENODEV) => {
            io::Error::other(Refused::NotPlain)
        }
        _ => error,
    }
}

/// The whole of a file of ours.
///
/// # Errors
/// As [`open`]; and when it cannot be read.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let file = open(path, Access::Read, max)?;
    let mut bytes = Vec::with_capacity(usize::try_from(file.metadata()?.len()).unwrap_or(0));
    // It may grow while it is read.
    file.take(max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The same for a small file of text; what is no text in it is replaced.
///
/// # Errors
/// As [`read`].
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(path, MAX_SMALL)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes a file of ours in place.
///
/// # Errors
/// As [`open`]; and when it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = open(path, Access::Make, ANY_SIZE)?;
    // Not by opening it: then it would be cut before it is known to be ours.
    if file.metadata()?.len() > 0 {
        file.set_len(0)?;
    }
    file.write_all(bytes)
}

/// Makes a file anew, in place of whatever lies there: a name that only half-written files of ours have.
///
/// # Errors
/// When what lies there cannot be removed, or none can be made.
pub fn make_anew(path: &Path) -> io::Result<File> {
    match open(path, Access::New, ANY_SIZE) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made,
    }
    match std::fs::remove_file(path) {
        Ok(()) => {}
        // A directory, which may hold something of use to its owner.
        Err(_) => std::fs::rename(
            path,
            path.with_extension(format!("{}.aside", std::process::id())),
        )?,
    }
    open(path, Access::New, ANY_SIZE)
}

/// Makes a directory and those above it, for the owner's eyes only, whatever the umask. One that is there is left as it is.
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

/// Makes a directory in one that is there.
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

/// The first directory below `root`, down to and with `path`, that is a symbolic link.
///
/// `root` itself and what is above it may be links: where the state directory lies is the user's choice. Below it every directory is made by
/// shellkeep, so a link there leads to files that are not ours. A program of the same user can put a link there after this look, but gains
/// nothing by it that it could not do itself.
#[must_use]
pub fn first_link(root: &Path, path: &Path) -> Option<PathBuf> {
    let mut dir = root.to_owned();
    path.strip_prefix(root).ok()?.iter().find_map(|name| {
        dir.push(name);
        let is_link = std::fs::symlink_metadata(&dir).is_ok_and(|found| found.is_symlink());
        is_link.then(|| dir.clone())
    })
}

/// Makes what was created, renamed or removed in a directory survive a power cut.
///
/// # Errors
/// When there is no such directory, or the system refuses.
pub fn sync_dir(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let flags = OFlag::O_DIRECTORY | OFlag::O_NONBLOCK;
    options.read(true).custom_flags(flags.bits());
    options.open(path)?.sync_all()
}

/// Copies a plain file of ours to where nothing is yet.
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

    /// Everything that is not a plain file, and what a link leads to.
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
    fn what_is_no_plain_file_is_refused_at_once_and_left_alone() {
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
