//! Searches all files of a pane for damage before they are needed.

use std::path::Path;

use crate::damage::Damage;
use crate::error::StoreError;
use crate::file_stamp::FileStamp;
use crate::history::{History, unread_sentence};
use crate::pane::PaneDir;
use crate::schema::layout::HISTORY;

impl PaneDir {
    /// The damage in what is stored of the pane. Every file that a recovery needs is read completely, and nothing is
    /// moved, cut or made. The recording is left out, because nothing depends on it.
    ///
    /// # Errors
    /// When something cannot be read, or was written by a later version.
    pub fn inspect(&self) -> Result<Vec<Damage>, StoreError> {
        let pane = self.only_look();
        let found = look(&pane)?;
        if found.is_empty() {
            return Ok(found);
        }
        // A running server may have been writing. Only a file that is damaged a second time, and was not changed in
        // between, counts.
        let stamp = |damage: &Damage| FileStamp::of(&damage.file).ok();
        let stamps: Vec<_> = found.iter().map(stamp).collect();
        let again = look(&pane)?;
        let both = found.into_iter().zip(stamps);
        let stays = both.filter(|(damage, before)| {
            again.contains(damage) && FileStamp::of(&damage.file).ok() == *before
        });
        Ok(stays.map(|(damage, _)| damage).collect())
    }
}

fn look(pane: &PaneDir) -> Result<Vec<Damage>, StoreError> {
    let mut recovery = pane.load()?;
    recovery.replay(|_| {});
    let mut damage = recovery.damage;
    let path = pane.file(HISTORY);
    // Damage in its headers was found already.
    if damage.iter().all(|each| each.file != path) {
        damage.extend(unread_pages(&recovery.history, &path));
    }
    for read in [pane.read_start().map(drop), pane.read_shell().map(drop)] {
        match read {
            Ok(()) => {}
            Err(StoreError::Broken { path, why }) => {
                damage.push(Damage::noted(&path, &why.to_string()));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(damage)
}

/// Pages of a history that exist and cannot be read.
fn unread_pages(history: &History, path: &Path) -> Option<Damage> {
    let lines = history.unread_lines();
    (lines > 0).then(|| Damage::new(path, unread_sentence(lines), None))
}
