//! The recording of a pane: compressed journals that no checkpoint needs any more, with the times of all output. It can
//! be replayed, and nothing depends on it.

use std::path::PathBuf;

use crate::disk;
use crate::error::StoreError;
use crate::journal::reader::{JournalReader, Step};
use crate::pane::PaneDir;
use crate::schema::journal::Record;
use crate::schema::sealed::{self, RECORDING};

impl PaneDir {
    /// The journals in the recording, in order. They keep their generations.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn recording(&self) -> Result<Vec<u64>, StoreError> {
        parts(self)
    }

    /// Passes the records of one journal of the recording to `each`, in order; of a damaged journal those before the
    /// damage.
    ///
    /// # Errors
    /// When it cannot be read, is broken, or was written by a later version.
    pub fn read_recording(
        &self,
        generation: u64,
        each: impl FnMut(Record<'_>),
    ) -> Result<(), StoreError> {
        read(self, generation, each)
    }
}

fn dir_of(pane: &PaneDir) -> Result<PathBuf, StoreError> {
    let dir = pane.file(RECORDING.name);
    pane.refuse_links_to(&dir)?;
    Ok(dir)
}

/// Adds a journal to the recording. One that is too large is left out, because the screen does not depend on it.
pub(crate) fn add(pane: &PaneDir, generation: u64) -> Result<(), StoreError> {
    let path = pane.journal_path(generation);
    let journal = match disk::read(&path, sealed::MAX_PLAIN) {
        Err(StoreError::Broken { .. }) => return Ok(()),
        read => read?.unwrap_or_default(),
    };
    // A journal without records is not worth a file.
    if JournalReader::over(&journal[..], 0).is_empty() {
        return Ok(());
    }
    let bytes = sealed::encode(&RECORDING, &journal).map_err(StoreError::io("pack", &path))?;
    let dir = dir_of(pane)?;
    disk::make_dir(&dir)?;
    // Without waiting for the disk: a power cut may lose the end of a recording, on which nothing depends.
    disk::put(&dir, &generation.to_string(), &bytes)
}

/// The journals in it, in order.
fn parts(pane: &PaneDir) -> Result<Vec<u64>, StoreError> {
    let names = pane.names(&dir_of(pane)?)?;
    let mut parts: Vec<u64> = names
        .iter()
        .filter_map(|entry| entry.name.parse().ok())
        .collect();
    parts.sort_unstable();
    Ok(parts)
}

/// Removes the oldest parts until at most `limit` bytes are left.
pub(crate) fn trim(pane: &PaneDir, limit: u64) -> Result<(), StoreError> {
    let dir = dir_of(pane)?;
    if !disk::is_dir(&dir) {
        return Ok(());
    }
    let mut total = 0_u64;
    for part in parts(pane)?.into_iter().rev() {
        let path = dir.join(part.to_string());
        let size = std::fs::metadata(&path).map_or(0, |meta| meta.len());
        total = total.saturating_add(size);
        if total > limit {
            std::fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
        }
    }
    if limit == 0 {
        // This fails if there are other files, which are not ours.
        let _ = std::fs::remove_dir(&dir);
    }
    Ok(())
}

/// Passes the records of one part to `each`.
fn read(
    pane: &PaneDir,
    generation: u64,
    mut each: impl FnMut(Record<'_>),
) -> Result<(), StoreError> {
    let path = dir_of(pane)?.join(generation.to_string());
    let bytes = disk::read(&path, sealed::MAX_PLAIN + (1 << 20))?.unwrap_or_default();
    let journal =
        sealed::decode(&RECORDING, &bytes).map_err(|why| StoreError::format(&path, why))?;
    let mut reader = JournalReader::over(&journal[..], 0);
    loop {
        match reader.step().map_err(StoreError::io("read", &path))? {
            Step::Record(record) => each(record),
            Step::End => return Ok(()),
            Step::Damage(why) => return Err(StoreError::format(&path, why)),
        }
    }
}
