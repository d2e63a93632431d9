//! Moves broken files to the quarantine. Nothing is ever deleted from it here.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::disk;
use crate::error::StoreError;

/// Moves a broken file to `into`, and returns its new path.
pub(crate) fn put(root: &Path, file: &Path, into: &Path) -> Result<PathBuf, StoreError> {
    let target = place(root, file, into)?;
    std::fs::rename(file, &target).map_err(StoreError::io("set aside", file))?;
    disk::sync_dir(into)?;
    Ok(target)
}

/// Copies a file that is still partly in use to `into`, and returns the path of the copy.
pub(crate) fn put_copy(root: &Path, file: &Path, into: &Path) -> Result<PathBuf, StoreError> {
    if !file.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
        // Something that is not a regular file cannot be in use.
        return put(root, file, into);
    }
    let target = place(root, file, into)?;
    let copied = shellkeep_files::copy(file, &target).and_then(|copy| copy.sync_all());
    if let Err(error) = copied {
        let _ = std::fs::remove_file(&target);
        return Err(StoreError::io("set aside", file)(error));
    }
    disk::sync_dir(into)?;
    Ok(target)
}

/// An unused name `<name>.<time>` in the quarantine.
fn place(root: &Path, file: &Path, into: &Path) -> Result<PathBuf, StoreError> {
    disk::refuse_links(root, into)?;
    disk::make_dir(into)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let now = now_ms();
    Ok((0..)
        .map(|more| into.join(format!("{name}.{}", now + more)))
        .find(|path| path.symlink_metadata().is_err())
        .unwrap_or_else(|| into.join(name.as_ref())))
}

/// Milliseconds since 1970, 0 before.
fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64)
}
