//! The newest checkpoint of a pane, the previous one, and the journals that each of them needs.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::disk::{self, Fresh, Previous};
use crate::error::StoreError;
use crate::pane::recording;
use crate::pane::{FIRST_JOURNAL, PaneDir};
use crate::schema::layout::{HISTORY, SCREEN};
use crate::schema::screen::{self, Checkpoint};
use crate::together::Unsynced;

impl PaneDir {
    /// Writes a checkpoint and reads it back. The previous one is kept as `screen.old`. Until [`PaneDir::settle`], a
    /// power cut may bring the previous one back.
    ///
    /// # Errors
    /// When it cannot be written. The previous one is unchanged then.
    pub fn write_screen(&self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        let unsynced = self.write_screen_unsynced(checkpoint)?;
        unsynced.sync()?;
        unsynced.finish()
    }

    /// As [`Self::write_screen`], to be finished together with others.
    ///
    /// # Errors
    /// When it cannot be written. The previous one is unchanged then.
    pub fn write_screen_unsynced(&self, checkpoint: &Checkpoint) -> Result<Unsynced, StoreError> {
        self.check_writable()?;
        self.refuse_newer(SCREEN, screen::check_header)?;
        let bytes =
            screen::encode(checkpoint).map_err(StoreError::io("pack", &self.file(SCREEN)))?;
        Fresh::write(self.path(), SCREEN, bytes, Previous::Keep).map(Unsynced::file)
    }

    /// Reads only the newest good checkpoint, e.g. for its facts. Nothing is moved, cut or made.
    ///
    /// # Errors
    /// When it cannot be read, or was written by a later version.
    pub fn read_screen(&self) -> Result<Option<Checkpoint>, StoreError> {
        match self.read_checkpoint(SCREEN) {
            Ok(None) | Err(StoreError::Broken { .. }) => {
                self.read_checkpoint(&disk::old_name(SCREEN))
            }
            other => other,
        }
    }

    pub(crate) fn read_checkpoint(&self, name: &str) -> Result<Option<Checkpoint>, StoreError> {
        self.refuse_links()?;
        let path = self.file(name);
        let Some(bytes) = disk::read(&path, screen::MAX_FILE)? else {
            return Ok(None);
        };
        screen::decode(&bytes)
            .map(Some)
            .map_err(|why| StoreError::format(&path, why))
    }

    /// Makes a checkpoint durable, and removes the journals that neither it nor the previous one needs. Journals that
    /// it has made unnecessary go into the recording, which may have `record_limit` bytes.
    ///
    /// # Errors
    /// When syncing fails, or a journal cannot be removed.
    pub fn settle(&self, generation: u64, record_limit: u64) -> Result<(), StoreError> {
        self.check_writable()?;
        disk::sync_dir(self.path())?;
        self.remove_journals_before(generation, record_limit)
    }

    /// Removes the journals that a checkpoint has made unnecessary. The checkpoint must be durable. The journals since
    /// the previous checkpoint are kept under another name: if the newest checkpoint is damaged, they and the previous
    /// one restore everything.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub fn remove_journals_before(
        &self,
        generation: u64,
        record_limit: u64,
    ) -> Result<(), StoreError> {
        self.check_writable()?;
        let previous = self.previous_journal();
        let is_needed = |old: u64| previous.is_some_and(|first| old >= first);
        let remove =
            |path: &Path| std::fs::remove_file(path).map_err(StoreError::io("remove", path));
        for old in self.old_journals()? {
            if !is_needed(old) {
                remove(&self.old_journal_path(old))?;
            }
        }
        for old in self.journals()? {
            if old < generation {
                let path = self.journal_path(old);
                if record_limit > 0 {
                    // An error is ignored: a checkpoint must not fail because there is no room for a recording.
                    let _ = recording::add(self, old);
                }
                if is_needed(old) {
                    let renamed = std::fs::rename(&path, self.old_journal_path(old));
                    renamed.map_err(StoreError::io("rename", &path))?;
                } else {
                    remove(&path)?;
                }
            }
        }
        recording::trim(self, record_limit)
    }

    /// The journal that continues the previous checkpoint, or the first journal if there is only one checkpoint.
    fn previous_journal(&self) -> Option<u64> {
        let mut bytes = [0; screen::PEEK];
        let file = disk::open(&self.file(&disk::old_name(SCREEN))).ok()?;
        let Some(mut file) = file else {
            return Some(FIRST_JOURNAL);
        };
        file.read_exact(&mut bytes).ok()?;
        screen::peek_journal(&bytes)
    }

    /// Moves everything that is stored of the pane's screen to the quarantine, because it cannot be read.
    ///
    /// # Errors
    /// When something cannot be moved. What was moved already stays there.
    pub fn set_screen_aside(&self) -> Result<(), StoreError> {
        self.check_writable()?;
        let journals = self.journals()?.into_iter();
        let mut files: Vec<PathBuf> = journals.map(|each| self.journal_path(each)).collect();
        let old = self.old_journals()?.into_iter();
        files.extend(old.map(|each| self.old_journal_path(each)));
        files.extend([SCREEN, &disk::old_name(SCREEN), HISTORY].map(|name| self.file(name)));
        for file in files.iter().filter(|file| file.exists()) {
            self.set_aside(file)?;
        }
        Ok(())
    }
}
