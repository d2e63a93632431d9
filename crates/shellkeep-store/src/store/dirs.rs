//! Finds the directories of sessions in a state directory. A directory that is a link, or is reached through one, does
//! not count.

use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::StoreError;
use crate::id::StoreId;
use crate::schema::layout::{ARCHIVE, QUARANTINE, SESSIONS};

/// The directories of a store. It only reads; [`super::Store`] makes and moves them.
#[derive(Debug)]
pub(crate) struct StoreDirs {
    root: PathBuf,
}

impl StoreDirs {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The state directory.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of an open session; it need not exist.
    pub(super) fn open(&self, id: StoreId) -> PathBuf {
        self.root.join(SESSIONS).join(id.to_string())
    }

    /// The directory for damaged files of a session; it need not exist.
    pub(super) fn quarantine(&self, id: StoreId) -> PathBuf {
        self.root.join(QUARANTINE).join(id.to_string())
    }

    /// The directories that an archived session may have: one in each month.
    pub(super) fn archive_candidates(&self, id: StoreId) -> Result<Vec<PathBuf>, StoreError> {
        let archive = self.root.join(ARCHIVE);
        let months = self.names(&archive)?.into_iter();
        let months = months.filter(|month| month.is_dir);
        let months = months.map(|month| archive.join(month.name));
        Ok(months.map(|month| month.join(id.to_string())).collect())
    }

    /// The directory of an archived session.
    pub(super) fn archived(&self, id: StoreId) -> Option<PathBuf> {
        let paths = self.archive_candidates(id).ok()?;
        paths.into_iter().find(|path| self.has(path))
    }

    /// The directory of a session, open or archived; that of an open one if it has none.
    pub(super) fn of(&self, id: StoreId) -> PathBuf {
        let open = self.open(id);
        if self.has(&open) {
            return open;
        }
        self.archived(id).unwrap_or(open)
    }

    /// Whether a directory exists, and neither is a link nor is reached through one.
    pub(super) fn has(&self, path: &Path) -> bool {
        disk::is_dir(path) && self.refuse_links(path).is_ok()
    }

    pub(super) fn refuse_links(&self, path: &Path) -> Result<(), StoreError> {
        disk::refuse_links(&self.root, path)
    }

    /// The names in a directory; none if it does not exist.
    pub(super) fn names(&self, path: &Path) -> Result<Vec<disk::Named>, StoreError> {
        disk::names(&self.root, path)
    }
}
