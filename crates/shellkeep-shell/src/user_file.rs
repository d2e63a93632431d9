//! Files of the user: those named in commands and options, and the histories of shells.
//!
//! Only a regular file or `/dev/null` is opened. A pipe without a writer, or a device without an end, would block every
//! client of the server. Links are followed, because a configuration file is often a link into a repository of
//! dotfiles.

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{
    FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::stat::{major, minor};

/// The largest history of a shell that is read.
pub(crate) const MAX_HISTORY: u64 = 64 << 20;

/// What [`write()`] does with the old content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    /// The content replaces the old content.
    Replace,
    /// The content is appended.
    Append,
}

/// Reads a file of at most `limit` bytes. A directory reads as empty, as it does in tmux.
///
/// # Errors
/// When it is missing, neither a regular file nor `/dev/null`, too large, or cannot be read.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let bytes = match read_start(path, limit + 1) {
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => return Ok(Vec::new()),
        read => read?,
    };
    match bytes.len() as u64 > limit {
        true => Err(too_large(limit)),
        false => Ok(bytes),
    }
}

/// Reads the first `length` bytes of a file, or all of it if it is shorter.
///
/// # Errors
/// As [`read`], except for the size.
pub fn read_start(path: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Opened without `shellkeep-files`: the user names the files that are opened here.
    let file = open(path, OpenOptions::new().read(true))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file. A new one gets the mode that the umask gives.
///
/// # Errors
/// When it is neither a regular file nor `/dev/null`, or cannot be written.
pub fn write(path: &Path, bytes: &[u8], how: WriteMode, umask: u32) -> io::Result<()> {
    // Opened without `shellkeep-files`: the user names the file.
    let mut options = OpenOptions::new();
    match how {
        WriteMode::Append => options.append(true),
        WriteMode::Replace => options.write(true),
    };
    let mut file = match options.clone().create_new(true).open(path) {
        Ok(file) => {
            file.set_permissions(Permissions::from_mode(0o666 & !umask))?;
            file
        }
        // A dangling link exists as well, and its target is created.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            open(path, options.create(true))?
        }
        Err(error) => return Err(error),
    };
    if how == WriteMode::Replace && file.metadata()?.is_file() {
        // Truncated only now, when the file is known to be a regular one.
        file.set_len(0)?;
    }
    file.write_all(bytes)
}

/// The system's text for an error, without more.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(number) => Errno::from_raw(number).desc().to_owned(),
        None => error.to_string(),
    }
}

/// The error for a file of more than `limit` bytes.
#[must_use]
pub fn too_large(limit: u64) -> io::Error {
    let size = match limit >> 20 {
        0 => format!("{limit} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    };
    io::Error::other(format!("larger than {size}"))
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Opening a device can have side effects, so check its kind first.
    match std::fs::metadata(path) {
        Ok(metadata) => check(&metadata)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    // The path may lead elsewhere by now. Without O_NONBLOCK, opening a pipe waits for its other end.
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let file = options.custom_flags(flags.bits()).open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    let is_null = kind.is_char_device() && {
        let device = metadata.rdev();
        (major(device), minor(device)) == (1, 3)
    };
    if kind.is_file() || is_null {
        return Ok(());
    }
    let what = match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () if kind.is_dir() => return Err(Errno::EISDIR.into()),
        () => "a device",
    };
    Err(io::Error::other(format!("{what}, not a regular file")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    #[test]
    fn regular_files_links_and_null_are_read_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "content").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        mkfifo(&at("pipe"), Mode::S_IRWXU).unwrap();
        std::os::unix::fs::symlink(at("pipe"), at("to-pipe")).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        let read = |path: &Path| read(path, 7).map_err(|error| reason(&error));
        assert_eq!(read(&at("file")), Ok(b"content".to_vec()));
        assert_eq!(read(&at("link")), Ok(b"content".to_vec()));
        assert_eq!(read(Path::new("/dev/null")), Ok(Vec::new()));
        assert_eq!(read(dir.path()), Ok(Vec::new()));
        let refused = |path: &Path| read(path).unwrap_err();
        assert_eq!(refused(&at("pipe")), "a pipe, not a regular file");
        assert_eq!(refused(&at("to-pipe")), "a pipe, not a regular file");
        assert_eq!(refused(&at("socket")), "a socket, not a regular file");
        assert_eq!(
            refused(Path::new("/dev/zero")),
            "a device, not a regular file"
        );
        assert_eq!(refused(&at("missing")), "No such file or directory");
        std::fs::write(at("file"), "too long").unwrap();
        assert_eq!(refused(&at("file")), "larger than 7 bytes");
        assert_eq!(read_start(&at("file"), 3).unwrap(), b"too");
    }

    #[test]
    fn only_regular_files_and_null_are_written() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let write = |path: &Path, text: &str, how| {
            write(path, text.as_bytes(), how, 0o027).map_err(|error| reason(&error))
        };
        let content = |name: &str| std::fs::read_to_string(at(name)).unwrap();
        std::os::unix::fs::symlink(at("new"), at("link")).unwrap();
        write(&at("link"), "longer", WriteMode::Replace).unwrap();
        write(&at("new"), "one", WriteMode::Replace).unwrap();
        write(&at("new"), "two", WriteMode::Append).unwrap();
        assert_eq!(content("new"), "onetwo");
        write(&at("mode"), "", WriteMode::Append).unwrap();
        assert_eq!(std::fs::metadata(at("mode")).unwrap().mode() & 0o777, 0o640);
        write(Path::new("/dev/null"), "x", WriteMode::Replace).unwrap();
        mkfifo(&at("pipe"), Mode::S_IRWXU).unwrap();
        // Opening succeeds only while there is a reader.
        let _reader = OpenOptions::new()
            .read(true)
            .custom_flags(OFlag::O_NONBLOCK.bits())
            .open(at("pipe"));
        for how in [WriteMode::Replace, WriteMode::Append] {
            let refused = write(&at("pipe"), "x", how).unwrap_err();
            assert_eq!(refused, "a pipe, not a regular file");
        }
        assert_eq!(
            write(dir.path(), "x", WriteMode::Replace).unwrap_err(),
            "Is a directory"
        );
    }
}
