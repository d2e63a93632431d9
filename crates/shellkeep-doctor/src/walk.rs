//! Lists everything below a directory, without following links.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// The walk stops after this many entries, so that a huge directory cannot make the doctor slow.
const MAX_ENTRIES: usize = 500_000;

/// A file or directory.
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    /// Of the entry itself, even if it is a link.
    pub(crate) metadata: Metadata,
}

/// All files and directories below the directory. Those that cannot be read are left out.
pub(crate) fn all(root: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut dirs = vec![root.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(metadata) = std::fs::symlink_metadata(&path) else {
                continue;
            };
            if metadata.is_dir() {
                dirs.push(path.clone());
            }
            entries.push(Entry { path, metadata });
            if entries.len() >= MAX_ENTRIES {
                return entries;
            }
        }
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    entries
}
