//! The directory of the sockets, made private. Whether one that was there already is safe is checked by the
//! client, which is the first to use it.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Makes the directory if it is missing.
///
/// # Errors
/// When it cannot be made.
pub fn ensure(dir: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
}
