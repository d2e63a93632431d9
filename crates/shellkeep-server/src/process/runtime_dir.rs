//! The runtime directory with the sockets. The client, which is the first to use it, checks that an existing one is
//! safe.

use std::io;
use std::path::{Path, PathBuf};

/// The path of a file that belongs to a socket.
#[must_use]
pub fn beside(socket: &Path, suffix: &str) -> PathBuf {
    let mut name = socket.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Makes the directory, private to the user, if it is missing.
///
/// # Errors
/// If it cannot be made.
pub fn ensure(dir: &Path) -> io::Result<()> {
    shellkeep_files::make_dir(dir)
}

/// Makes a symbolic link, or points it elsewhere atomically.
///
/// # Errors
/// If it cannot be made.
pub(crate) fn point(link: &Path, to: &Path) -> io::Result<()> {
    if std::fs::read_link(link).is_ok_and(|now| now == to) {
        return Ok(());
    }
    let new = link.with_extension("new");
    let _ = std::fs::remove_file(&new);
    std::os::unix::fs::symlink(to, &new)?;
    std::fs::rename(&new, link)
}
