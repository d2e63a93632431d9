//! Deletes sessions that have been in the archive for too long.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Store;
use super::sweep::{self, Complaint, Sweep};
use crate::disk;
use crate::error::StoreError;
use crate::id::StoreId;
use crate::schema::layout::ARCHIVE;

/// The result of deleting old sessions.
#[derive(Debug, Default)]
pub struct Expired {
    /// The deleted sessions, with their names.
    pub removed: Vec<(StoreId, String)>,
    /// When the oldest of the remaining sessions was archived.
    pub oldest: Option<SystemTime>,
    /// Sessions that could not be read or deleted.
    pub complaints: Vec<Complaint>,
}

impl Store {
    /// Deletes the archived sessions of this server's label that were archived before `limit`. Sessions that cannot be
    /// read, or were written by a later version, stay.
    #[must_use]
    pub fn expire(&self, limit: SystemTime) -> Expired {
        let mut expired = Expired::default();
        let archive = self.root().join(ARCHIVE);
        let months = self.0.dirs.names(&archive).unwrap_or_default().into_iter();
        for month in months.filter(|month| month.is_dir) {
            let month = archive.join(&month.name);
            let mut sweep = Sweep::default();
            for id in sweep::ids_in(self, &month, &mut sweep) {
                let path = month.join(id.to_string());
                match moved_at(&path) {
                    Some(when) if when < limit => {
                        self.expire_one(id, &path, &mut sweep, &mut expired);
                    }
                    Some(when) => {
                        let oldest = expired.oldest.map_or(when, |oldest| oldest.min(when));
                        expired.oldest = Some(oldest);
                    }
                    // It was reopened or deleted meanwhile.
                    None => {}
                }
            }
            expired.complaints.append(&mut sweep.complaints);
            // Removes an empty month; fails for any other.
            let _ = std::fs::remove_dir(&month);
        }
        expired
    }

    fn expire_one(&self, id: StoreId, path: &Path, sweep: &mut Sweep, expired: &mut Expired) {
        let removed = sweep::read_session(self, id, path, sweep).and_then(|kept| {
            if kept.label != self.0.label {
                return Ok(None);
            }
            self.check_writable()?;
            // Only from this path, because it may be leaving the archive.
            disk::remove_tree(path)?;
            disk::remove_tree(&self.0.dirs.quarantine(id))?;
            Ok(Some(kept.name()))
        });
        match removed {
            Ok(Some(name)) => expired.removed.push((id, name)),
            Ok(None) | Err(StoreError::Unknown(_)) => {}
            Err(error) => sweep.complain(Some(id), error),
        }
    }
}

/// When a directory was moved here, or something in it was changed later.
fn moved_at(path: &Path) -> Option<SystemTime> {
    let meta = std::fs::metadata(path).ok()?;
    let seconds = u64::try_from(meta.ctime()).ok()?;
    let nanos = u32::try_from(meta.ctime_nsec()).ok()?;
    UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))
}
