//! Files that are made durable together. A file system can sync many files in hardly more time than one, but only if
//! all syncs are started before waiting for the first.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::disk::{self, Fresh};
use crate::error::StoreError;
use crate::history::AppendedPages;

/// The number of threads that wait for the disk at once. More would not help, because the file system syncs many files
/// in few operations.
const MAX_SYNC_THREADS: usize = 16;

/// Something that was written but is neither durable nor in effect yet. Dropping it undoes it.
#[derive(Debug)]
pub struct Unsynced(UnsyncedPart);

#[derive(Debug)]
enum UnsyncedPart {
    File(Fresh),
    Pages(AppendedPages),
}

impl Unsynced {
    pub(crate) fn file(fresh: Fresh) -> Self {
        Self(UnsyncedPart::File(fresh))
    }

    /// Waits until it is on the disk.
    ///
    /// # Errors
    /// When syncing fails.
    pub fn sync(&self) -> Result<(), StoreError> {
        match &self.0 {
            UnsyncedPart::File(fresh) => fresh.sync(),
            UnsyncedPart::Pages(appended) => appended.sync(),
        }
    }

    /// Puts it into effect after it is on the disk; a file is read back first. [`sync_dirs`] makes that durable.
    ///
    /// # Errors
    /// When the content is not what was written, or it cannot be put in its place. Nothing has changed then.
    pub fn finish(self) -> Result<(), StoreError> {
        match self.0 {
            UnsyncedPart::File(fresh) => fresh.put_in_place(),
            UnsyncedPart::Pages(appended) => {
                appended.take_up();
                Ok(())
            }
        }
    }

    /// The directory to sync once it is in effect, if there is one.
    #[must_use]
    pub fn dir(&self) -> Option<&Path> {
        match &self.0 {
            UnsyncedPart::File(fresh) => Some(fresh.dir()),
            UnsyncedPart::Pages(_) => None,
        }
    }
}

impl From<AppendedPages> for Unsynced {
    fn from(appended: AppendedPages) -> Self {
        Self(UnsyncedPart::Pages(appended))
    }
}

/// Waits until all of these are on the disk. Returns the results in order.
pub fn sync_together(all: &[&Unsynced]) -> Vec<Result<(), StoreError>> {
    at_a_time(all, |one| one.sync())
}

/// Makes the entries of these directories durable. Returns the results in order.
pub fn sync_dirs(all: &[PathBuf]) -> Vec<Result<(), StoreError>> {
    at_a_time(all, |dir| disk::sync_dir(dir))
}

/// Calls `work` for each item, several at a time, because the calls mostly wait.
fn at_a_time<T: Sync>(
    all: &[T],
    work: impl Fn(&T) -> Result<(), StoreError> + Sync,
) -> Vec<Result<(), StoreError>> {
    let results: Vec<Mutex<Option<Result<(), StoreError>>>> =
        all.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let some = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let (Some(one), Some(result)) = (all.get(at), results.get(at)) else {
                return;
            };
            let done = work(one);
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
    };
    std::thread::scope(|scope| {
        // More threads. If none can be started, this one does everything.
        for _ in 1..all.len().min(MAX_SYNC_THREADS) {
            let thread = std::thread::Builder::new().name("disk".to_owned());
            if thread.spawn_scoped(scope, some).is_err() {
                break;
            }
        }
        some();
    });
    let results = results.into_iter();
    let results = results.map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner));
    results.map(|done| done.unwrap_or(Ok(()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_processed_once_and_has_its_result() {
        let numbers: Vec<usize> = (0..100).collect();
        let count = AtomicUsize::new(0);
        let results = at_a_time(&numbers, |number| {
            count.fetch_add(1, Ordering::Relaxed);
            match number % 7 {
                0 => Err(StoreError::LookOnly),
                _ => Ok(()),
            }
        });
        assert_eq!(count.into_inner(), 100);
        let failed = results.iter().enumerate().filter(|(_, it)| it.is_err());
        let expected: Vec<usize> = (0..100).step_by(7).collect();
        assert_eq!(failed.map(|(at, _)| at).collect::<Vec<_>>(), expected);
        assert!(at_a_time(&[] as &[u8], |_| Ok(())).is_empty());
    }
}
