//! The directory of the sockets: ours alone, or refused.

use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

/// Makes the directory if it is missing, and refuses one that others could reach into: in `/tmp`
/// anybody may have made it first.
///
/// # Errors
/// When it cannot be made or is not safe.
pub fn ensure(dir: &Path) -> io::Result<()> {
    match std::fs::DirBuilder::new().mode(0o700).create(dir) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return std::fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(dir);
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Checks that nobody else can put a socket into the directory.
///
/// # Errors
/// When somebody could.
pub fn check_private(dir: &Path) -> io::Result<()> {
    let metadata = std::fs::symlink_metadata(dir)?;
    if !metadata.is_dir() {
        return Err(io::Error::other(format!(
            "{} is not a directory",
            dir.display()
        )));
    }
    let ours = nix::unistd::getuid().as_raw();
    if metadata.uid() != ours || metadata.mode() & 0o077 != 0 {
        let reason = format!(
            "directory {} has unsafe permissions; make it yours alone (chmod 700)",
            dir.display()
        );
        return Err(io::Error::other(reason));
    }
    Ok(())
}
