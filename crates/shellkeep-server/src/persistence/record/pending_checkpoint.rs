//! Checkpoints on their way to the disk: taken, written, synced, and put in force.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shellkeep_store::{Checkpoint, PaneDir, StoreError, Unsynced};

use crate::persistence::record::history_pages::{HistoryPages, WaitingPage};
use crate::persistence::record::now;

/// A checkpoint taken in memory.
pub(crate) struct TakenCheckpoint {
    pub(crate) dir: PaneDir,
    pub(crate) generation: u64,
    pub(crate) history_pages: Arc<HistoryPages>,
    /// The first page within the limit on history, if there is a limit.
    pub(crate) first_page: Option<u64>,
    pub(crate) dump: Vec<u8>,
}

impl TakenCheckpoint {
    /// The pages that are written with it. Another thread may pack them first.
    pub(crate) fn pages(&self) -> Vec<Arc<WaitingPage>> {
        self.history_pages.waiting()
    }

    /// Writes and syncs it.
    ///
    /// # Errors
    /// If it cannot be written; the earlier checkpoint and journals are still in force then.
    pub(crate) fn write(self) -> Result<UnsettledCheckpoint, StoreError> {
        let unsynced = self.write_unsynced(&ShellFile::Stays)?;
        unsynced.parts().try_for_each(Unsynced::sync)?;
        unsynced.finish()
    }

    /// Writes it without waiting for the disk, with the state of the pane's shell if there is one.
    ///
    /// # Errors
    /// If it cannot be written; the earlier checkpoint and journals are still in force then.
    pub(crate) fn write_unsynced(
        self,
        shell: &ShellFile,
    ) -> Result<UnsyncedCheckpoint, StoreError> {
        let laid_out = self.history_pages.lay_out()?;
        let mut parts: Vec<Unsynced> = laid_out.unsynced.into_iter().collect();
        parts.push(self.dir.write_screen_unsynced(&Checkpoint {
            journal: self.generation,
            history_end: laid_out.end,
            time: now(),
            // The session has the facts, and is available without the screen.
            facts: serde_json::Value::Null,
            dump: self.dump,
        })?);
        if let ShellFile::Becomes(state) = shell {
            parts.push(self.dir.write_shell_unsynced(state)?);
        }
        Ok(UnsyncedCheckpoint {
            dir: self.dir,
            generation: self.generation,
            history_pages: self.history_pages,
            first_page: self.first_page,
            pages: laid_out.pages,
            parts,
        })
    }
}

/// A checkpoint that is written when its pages are packed.
pub(crate) struct DeferredCheckpoint {
    pub(crate) checkpoint: TakenCheckpoint,
    /// When it was taken: it includes everything before.
    pub(crate) taken: Instant,
    pub(crate) took: Duration,
}

impl DeferredCheckpoint {
    pub(crate) fn is_packed(&self) -> bool {
        self.checkpoint.pages().iter().all(|page| page.is_packed())
    }
}

/// What becomes of the pane's `shell` file.
pub(crate) enum ShellFile {
    /// It is left as it is.
    Stays,
    Becomes(Vec<u8>),
}

/// A checkpoint that is written and not yet synced.
pub(crate) struct UnsyncedCheckpoint {
    dir: PaneDir,
    generation: u64,
    history_pages: Arc<HistoryPages>,
    first_page: Option<u64>,
    pages: Vec<u64>,
    parts: Vec<Unsynced>,
}

impl UnsyncedCheckpoint {
    /// The files to be synced before it can be put in force.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Unsynced> {
        self.parts.iter()
    }

    /// Reads it back and puts it in force, the history first.
    ///
    /// # Errors
    /// If a file does not read back as written; the earlier checkpoint and journals are still in force then.
    pub(crate) fn finish(self) -> Result<UnsettledCheckpoint, StoreError> {
        self.parts.into_iter().try_for_each(Unsynced::finish)?;
        self.history_pages.were_written(&self.pages);
        Ok(UnsettledCheckpoint {
            dir: self.dir,
            generation: self.generation,
            history_pages: self.history_pages,
            first_page: self.first_page,
        })
    }
}

/// A checkpoint that is in force, but which a power cut could still undo. The journals before it still exist.
pub(crate) struct UnsettledCheckpoint {
    dir: PaneDir,
    generation: u64,
    history_pages: Arc<HistoryPages>,
    first_page: Option<u64>,
}

impl UnsettledCheckpoint {
    /// Syncs its directory, and drops the journals before it, or adds them to a recording limited to this many bytes.
    ///
    /// # Errors
    /// If the sync fails; the journals still exist then.
    pub(crate) fn settle(&self, record_limit: u64) -> Result<(), StoreError> {
        self.dir.settle(self.generation, record_limit)?;
        self.release_pages();
        Ok(())
    }

    /// The directory to be synced.
    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Drops the journals, or adds them to a recording, after its directory was synced.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub(crate) fn was_synced(&self, record_limit: u64) -> Result<(), StoreError> {
        self.dir
            .remove_journals_before(self.generation, record_limit)?;
        self.release_pages();
        Ok(())
    }

    /// Frees pages beyond the limit, which the checkpoint does not need.
    fn release_pages(&self) {
        if let Some(first) = self.first_page
            && let Err(error) = self.history_pages.release_before(first)
        {
            tracing::warn!(%error, "cannot free the disk space of old history");
        }
    }

    /// Whether it is of the same pane: a pane's directory has to be synced once only.
    pub(crate) fn is_of_same_pane(&self, other: &Self) -> bool {
        self.dir.path() == other.dir.path()
    }
}
