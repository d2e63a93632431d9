//! The directory of one pane. Its files are handled in `pane/`, `journal`, `history` and `recovery`.

pub(crate) mod checkpoints;
pub(crate) mod commands;
pub(crate) mod index;
pub(crate) mod inspect;
pub(crate) mod recording;
pub(crate) mod start_and_shell;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shellkeep_files::Refused;

use crate::access::StoreAccess;
use crate::damage::Damage;
use crate::disk;
use crate::error::StoreError;
use crate::quarantine;
use crate::schema::header::{FormatError, HEADER};

/// The generation of a pane's first journal.
pub const FIRST_JOURNAL: u64 = 1;

/// The directory of one pane. It is a path, so it is invalid after the pane was moved.
#[derive(Clone, Debug)]
pub struct PaneDir(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The state directory.
    root: PathBuf,
    path: PathBuf,
    quarantine: PathBuf,
    access: StoreAccess,
}

impl PaneDir {
    pub(crate) fn new(
        root: &Path,
        path: PathBuf,
        quarantine: PathBuf,
        access: StoreAccess,
    ) -> Self {
        Self(Arc::new(Inner {
            root: root.to_owned(),
            path,
            quarantine,
            access,
        }))
    }

    /// The same directory, read-only: nothing in it is made, moved or cut.
    #[must_use]
    pub fn only_look(&self) -> Self {
        let place = &self.0;
        let (path, quarantine) = (place.path.clone(), place.quarantine.clone());
        Self::new(&place.root, path, quarantine, StoreAccess::Look)
    }

    /// The path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Whether it exists. A link in its place does not count.
    #[must_use]
    pub fn is_there(&self) -> bool {
        disk::is_dir(self.path())
    }

    /// Refuses the directory if it is a link, or is reached through one.
    pub(crate) fn refuse_links(&self) -> Result<(), StoreError> {
        self.refuse_links_to(self.path())
    }

    /// The same for a file in the directory.
    pub(crate) fn refuse_links_to(&self, path: &Path) -> Result<(), StoreError> {
        disk::refuse_links(&self.0.root, path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.path.join(name)
    }

    pub(crate) fn journal_path(&self, generation: u64) -> PathBuf {
        self.file(&format!("journal.{generation}"))
    }

    /// The path of a journal that only the previous checkpoint needs.
    pub(crate) fn old_journal_path(&self, generation: u64) -> PathBuf {
        self.file(&disk::old_name(&format!("journal.{generation}")))
    }

    pub(crate) fn may_write(&self) -> bool {
        self.check_writable().is_ok()
    }

    pub(crate) fn check_writable(&self) -> Result<(), StoreError> {
        self.0.access.check_writable()?;
        self.refuse_links()
    }

    /// Makes the directory. A link in its place is moved to the quarantine. [`PaneDir::write_start`] makes the
    /// directory durable.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(&self) -> Result<(), StoreError> {
        self.set_link_aside()?;
        self.check_writable()?;
        disk::make_dir(self.path())
    }

    /// Moves a link at the path of the directory to the quarantine and makes the directory, if the store may be
    /// changed.
    pub(crate) fn set_link_aside(&self) -> Result<Option<Damage>, StoreError> {
        let path = self.path();
        let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
        if !is_link || self.0.access.check_writable().is_err() {
            return Ok(None);
        }
        disk::refuse_links(&self.0.root, path.parent().unwrap_or(path))?;
        let kept_at = self.set_aside(path)?;
        disk::make_dir(path)?;
        Ok(Some(Damage::new(
            path,
            Refused::Link.to_string(),
            Some(kept_at),
        )))
    }

    /// The generations of the journals, in order, without those that only the previous checkpoint needs.
    pub(crate) fn journals(&self) -> Result<Vec<u64>, StoreError> {
        self.generations(journal_generation)
    }

    /// The generations of the journals that only the previous checkpoint needs, in order.
    pub(crate) fn old_journals(&self) -> Result<Vec<u64>, StoreError> {
        self.generations(|name| journal_generation(name.strip_suffix(".old")?))
    }

    /// The names in this directory or one below it.
    pub(crate) fn names(&self, path: &Path) -> Result<Vec<disk::Named>, StoreError> {
        disk::names(&self.0.root, path)
    }

    fn generations(&self, of: impl Fn(&str) -> Option<u64>) -> Result<Vec<u64>, StoreError> {
        let names = self.names(self.path())?;
        let mut generations: Vec<_> = names.iter().filter_map(|entry| of(&entry.name)).collect();
        generations.sort_unstable();
        Ok(generations)
    }

    /// Removes a journal that is no longer needed.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_journal(&self, generation: u64) -> Result<(), StoreError> {
        self.check_writable()?;
        let path = self.journal_path(generation);
        std::fs::remove_file(&path).map_err(StoreError::io("remove", &path))
    }

    /// The directories of the pane, its session, the sessions, and the store. Each of them may be as new as the pane.
    #[must_use]
    pub fn dirs_above(&self) -> Vec<PathBuf> {
        self.path().ancestors().take(4).map(PathBuf::from).collect()
    }

    /// Refuses to replace a file that a later version wrote.
    pub(crate) fn refuse_newer(
        &self,
        name: &str,
        check: impl FnOnce(&[u8]) -> Result<(), FormatError>,
    ) -> Result<(), StoreError> {
        let path = self.file(name);
        let mut header = [0; HEADER];
        let file = disk::open(&path).ok().flatten();
        let found = file.and_then(|mut file| file.read_exact(&mut header).ok());
        match found.map(|()| check(&header)) {
            Some(Err(why @ FormatError::Newer { .. })) => Err(StoreError::format(&path, why)),
            _ => Ok(()),
        }
    }

    /// Removes the pane's directory and everything in it.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self) -> Result<(), StoreError> {
        // A link itself is removed, and its target stays.
        self.0.access.check_writable()?;
        let above = self.path().parent().unwrap_or(self.path());
        disk::refuse_links(&self.0.root, above)?;
        disk::remove_tree(self.path()).map(drop)
    }

    /// Whether the quarantine has an earlier file of this name.
    pub(crate) fn has_aside(&self, name: &str) -> bool {
        let names = disk::names(&self.0.root, &self.0.quarantine);
        let prefix = format!("{name}.");
        let mut names = names.unwrap_or_default().into_iter();
        names.any(|entry| entry.name.starts_with(&prefix))
    }

    /// Moves one of the pane's files to the quarantine.
    pub(crate) fn set_aside(&self, file: &Path) -> Result<PathBuf, StoreError> {
        quarantine::put(&self.0.root, file, &self.0.quarantine)
    }

    /// Copies one of the pane's files to the quarantine.
    pub(crate) fn set_aside_copy(&self, file: &Path) -> Result<PathBuf, StoreError> {
        quarantine::put_copy(&self.0.root, file, &self.0.quarantine)
    }
}

/// The generation of a journal, from the name of its file.
fn journal_generation(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("journal.")?;
    let generation: u64 = digits.parse().ok()?;
    // Another spelling (`journal.01`) is not a journal, and the next generation must not overflow.
    (generation.to_string() == digits && generation < 1 << 62).then_some(generation)
}
