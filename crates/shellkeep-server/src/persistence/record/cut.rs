//! Checkpoints on their way to the disk.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shellkeep_store::{Checkpoint, PaneDir, StoreError, Unsynced};

use crate::persistence::record::now;
use crate::persistence::record::shelf::{Shelf, WaitingPage};

/// A checkpoint on its way to the disk.
pub(crate) struct Cut {
    pub(crate) dir: PaneDir,
    pub(crate) generation: u64,
    pub(crate) shelf: Arc<Shelf>,
    /// Pages before it are beyond the limit on history, if there is one.
    pub(crate) first_page: Option<u64>,
    pub(crate) dump: Vec<u8>,
}

impl Cut {
    /// The pages that are written with it. They can be packed before, by somebody else.
    pub(crate) fn pages(&self) -> Vec<Arc<WaitingPage>> {
        self.shelf.waiting()
    }

    /// Writes it.
    ///
    /// # Errors
    /// When it cannot be written; then everything before it still holds.
    pub(crate) fn write(self) -> Result<Settling, StoreError> {
        let unsynced = self.write_unsynced(&ShellFile::Stays)?;
        unsynced.parts().try_for_each(Unsynced::sync)?;
        unsynced.finish()
    }

    /// Writes it without waiting for the disk, with the state of the pane's shell if there is one.
    ///
    /// # Errors
    /// When it cannot be written; then everything before it still holds.
    pub(crate) fn write_unsynced(self, shell: &ShellFile) -> Result<UnsyncedCut, StoreError> {
        let laid_out = self.shelf.lay_out()?;
        let mut parts: Vec<Unsynced> = laid_out.unsynced.into_iter().collect();
        parts.push(self.dir.write_screen_unsynced(&Checkpoint {
            journal: self.generation,
            history_end: laid_out.end,
            time: now(),
            // They are with the session, which is there without its screens.
            facts: serde_json::Value::Null,
            dump: self.dump,
        })?);
        if let ShellFile::Becomes(state) = shell {
            parts.push(self.dir.write_shell_unsynced(state)?);
        }
        Ok(UnsyncedCut {
            dir: self.dir,
            generation: self.generation,
            shelf: self.shelf,
            first_page: self.first_page,
            pages: laid_out.pages,
            parts,
        })
    }
}

/// A checkpoint that is written when its pages are packed.
pub(crate) struct Coming {
    pub(crate) cut: Cut,
    /// When it was taken: what happened before is in it.
    pub(crate) taken: Instant,
    /// How long that took.
    pub(crate) took: Duration,
}

impl Coming {
    /// Whether its pages are packed.
    pub(crate) fn is_packed(&self) -> bool {
        self.cut.pages().iter().all(|page| page.is_packed())
    }
}

/// What becomes of the stored state of a pane's shell.
pub(crate) enum ShellFile {
    /// Nobody touches it.
    Stays,
    Becomes(Vec<u8>),
}

/// A checkpoint that is written, and for which the disk is to be waited for.
pub(crate) struct UnsyncedCut {
    dir: PaneDir,
    generation: u64,
    shelf: Arc<Shelf>,
    first_page: Option<u64>,
    pages: Vec<u64>,
    parts: Vec<Unsynced>,
}

impl UnsyncedCut {
    /// What has to be synced before it is finished.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Unsynced> {
        self.parts.iter()
    }

    /// Reads it back and puts it in force, the history first.
    ///
    /// # Errors
    /// When something is not what was written; then everything before it still holds.
    pub(crate) fn finish(self) -> Result<Settling, StoreError> {
        self.parts.into_iter().try_for_each(Unsynced::finish)?;
        self.shelf.were_written(&self.pages);
        Ok(Settling {
            dir: self.dir,
            generation: self.generation,
            shelf: self.shelf,
            first_page: self.first_page,
        })
    }
}

/// A checkpoint that a power cut could still undo, so that the journals before it are still there.
pub(crate) struct Settling {
    dir: PaneDir,
    generation: u64,
    shelf: Arc<Shelf>,
    first_page: Option<u64>,
}

impl Settling {
    /// Waits for the disk, and drops the journals, or adds them to a recording of so many bytes.
    ///
    /// # Errors
    /// When the disk does not say that it is safe; then everything before it still holds.
    pub(crate) fn settle(&self, record_limit: u64) -> Result<(), StoreError> {
        self.dir.settle(self.generation, record_limit)?;
        self.release_pages();
        Ok(())
    }

    /// The directory for which the disk has to be waited for.
    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Drops the journals, or adds them to a recording, after the disk was waited for.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub(crate) fn was_synced(&self, record_limit: u64) -> Result<(), StoreError> {
        self.dir
            .remove_journals_before(self.generation, record_limit)?;
        self.release_pages();
        Ok(())
    }

    /// The checkpoint is safe, and does not need pages beyond the limit.
    fn release_pages(&self) {
        if let Some(first) = self.first_page
            && let Err(error) = self.shelf.release_before(first)
        {
            tracing::warn!(%error, "the room of old history is not given back");
        }
    }

    /// Whether it is of the same pane, which needs to be waited for once only.
    pub(crate) fn is_of_same_pane(&self, other: &Self) -> bool {
        self.dir.path() == other.dir.path()
    }
}
