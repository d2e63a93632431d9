//! Writes batches that commands wait for, collected while the disk was busy. However large a batch is, the disk is
//! waited for twice: once for the files, and, when they are read back and in place, once for their directories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use shellkeep_store::{Store, StoreError, StoreId, Unsynced, sync_dirs, sync_together};

use crate::panes::screen::Screen;
use crate::persistence::record::{UnsettledCheckpoint, UnsyncedCheckpoint};
use crate::persistence::recorder::batch::Batch;
use crate::persistence::recorder::pace::RETRY_INTERVAL;
use crate::persistence::recorder::page_cache::{Newest, Version};
use crate::persistence::recorder::pending_session::{SESSION_BATCH_DELAY, Session};
use crate::persistence::recorder::starts::Start;
use crate::persistence::recorder::task::{Asked, Done, Work};
use crate::persistence::recorder::watched::take_checkpoint;
use crate::persistence::recorder::worker::Worker;

struct BatchCheckpoint {
    screen: Arc<Screen>,
    done: Done,
    began: Instant,
    step: CheckpointStep,
}

enum CheckpointStep {
    Written(UnsyncedCheckpoint),
    InForce(UnsettledCheckpoint),
    /// It is in force and synced, or its pane has no record.
    Done,
    Failed(String),
}

struct BatchStart {
    start: Start,
    /// The new file beside the old one, unless writing has failed.
    file: Option<Unsynced>,
    is_in_place: bool,
}

type UnsyncedSessions = BTreeMap<StoreId, Result<UnsyncedSession, StoreError>>;

/// A session whose new file is beside the old one.
struct UnsyncedSession {
    revision: u64,
    file: Unsynced,
}

/// The sessions that are in place, and the directories to be synced.
type PlacedSessions = BTreeMap<StoreId, Result<PathBuf, String>>;

impl Worker {
    /// Writes and syncs a batch, and calls its callbacks.
    pub(crate) fn write_batch(&mut self, batch: Batch) {
        let Batch {
            checkpoints,
            sessions,
            waiting,
            mut starts,
        } = batch;
        if !checkpoints.is_empty() {
            // How a program was started is read when its pane falls asleep, however soon that is, so those starts go
            // first.
            let records = checkpoints.iter().map(|asked| &asked.screen);
            let homes = records.filter_map(|screen| screen.with_record(|record| record.home()));
            starts.extend(self.starts_of(&homes.map(|home| home.session).collect()));
        }
        let mut starting = self.begin_starts(starts);
        let checkpoints = checkpoints.into_iter();
        let mut under_way: Vec<BatchCheckpoint> =
            checkpoints.map(|asked| self.begin(asked)).collect();
        let mut unsynced = self.begin_versions(&sessions);
        self.sync_files(&mut under_way, &mut unsynced, &mut starting);
        starting.iter_mut().for_each(BatchStart::put_in_place);
        for one in &mut under_way {
            self.put_in_force(one);
        }
        let placed = self.put_in_place(unsynced);
        let of_panes = under_way.iter().filter_map(|one| match &one.step {
            CheckpointStep::InForce(unsettled) => Some(unsettled.dir()),
            _ => None,
        });
        let of_sessions = placed.values().flatten().map(PathBuf::as_path);
        let of_starts = self.dirs_of(&starting);
        let of_starts = of_starts.iter().map(PathBuf::as_path);
        let unsafe_dirs = sync_all_dirs(of_panes.chain(of_sessions).chain(of_starts));
        let record_limit = self.shared.record_limit.load(Ordering::Relaxed);
        for one in &mut under_way {
            settle(one, &unsafe_dirs, record_limit);
        }
        let failed = self.sessions_ended(placed, sessions, &unsafe_dirs);
        self.starts_ended(starting, &unsafe_dirs);
        for one in under_way {
            (one.done)(match one.step {
                CheckpointStep::Failed(trouble) => Err(trouble),
                _ => Ok(()),
            });
        }
        for (ids, done) in waiting {
            let trouble = ids.iter().find_map(|id| failed.get(id));
            done(trouble.map_or(Ok(()), |trouble| Err(trouble.clone())));
        }
    }

    /// Writes starts beside their files, without waiting for the disk.
    fn begin_starts(&self, starts: Vec<Start>) -> Vec<BatchStart> {
        let starts = starts.into_iter().map(|start| {
            // The thread for the page cache may be behind, and must not put an earlier one in its place.
            self.shared.newest.close(start.pane, start.revision);
            BatchStart {
                file: start.write_unsynced(&self.store).ok(),
                start,
                is_in_place: false,
            }
        });
        starts.collect()
    }

    /// The directories of these starts, and their parents.
    fn dirs_of(&self, starting: &[BatchStart]) -> Vec<PathBuf> {
        let placed = starting.iter().filter(|one| one.is_in_place);
        placed.flat_map(|one| one.start.dirs(&self.store)).collect()
    }

    /// Writes starts again one by one that could not be synced.
    fn starts_ended(&mut self, starting: Vec<BatchStart>, unsafe_dirs: &BTreeMap<PathBuf, String>) {
        for one in starting {
            let mut dirs = one.start.dirs(&self.store).into_iter();
            if !one.is_in_place || dirs.any(|dir| unsafe_dirs.contains_key(&dir)) {
                self.write_alone(one.start);
            }
        }
    }

    /// Writes and syncs sessions. Returns those that failed, and why.
    pub(crate) fn write_versions(
        &self,
        versions: &BTreeMap<StoreId, Version>,
    ) -> BTreeMap<StoreId, String> {
        let mut unsynced = self.begin_versions(versions);
        sync_sessions(&mut unsynced);
        let placed = self.put_in_place(unsynced);
        let unsafe_dirs = sync_all_dirs(placed.values().flatten().map(PathBuf::as_path));
        let troubles = placed.into_iter().map(|(id, placed)| {
            let safe = placed.and_then(|dir| unsafe_dirs.get(&dir).cloned().map_or(Ok(()), Err));
            (id, safe)
        });
        let troubles = troubles.filter_map(|(id, safe)| Some((id, safe.err()?)));
        troubles.collect()
    }

    /// Writes sessions beside their files, without waiting for the disk.
    fn begin_versions(&self, versions: &BTreeMap<StoreId, Version>) -> UnsyncedSessions {
        let written = versions.iter().map(|(id, Version { revision, body })| {
            let revision = *revision;
            let file = self.store.write_session_unsynced(*id, body.as_ref());
            (*id, file.map(|file| UnsyncedSession { revision, file }))
        });
        written.collect()
    }

    /// Reads sessions back, and renames them into place. Their directories have to be synced then.
    fn put_in_place(&self, unsynced: UnsyncedSessions) -> PlacedSessions {
        let placed = unsynced.into_iter().map(|(id, unsynced)| {
            let placed =
                unsynced.and_then(|unsynced| unsynced.place(id, &self.store, &self.shared.newest));
            (id, placed.map_err(|error| error.to_string()))
        });
        placed.collect()
    }

    /// Takes a checkpoint, and writes it without waiting for the disk.
    fn begin(&mut self, asked: Asked) -> BatchCheckpoint {
        let mut under_way = BatchCheckpoint {
            screen: asked.screen,
            done: asked.done,
            began: Instant::now(),
            step: CheckpointStep::Done,
        };
        if let Some(checkpoint) = take_checkpoint(&under_way.screen) {
            match checkpoint.and_then(|checkpoint| checkpoint.write_unsynced(&asked.shell)) {
                Ok(checkpoint) => under_way.step = CheckpointStep::Written(checkpoint),
                Err(error) => self.failed(&mut under_way, error),
            }
        }
        under_way
    }

    /// A checkpoint has failed: the earlier one and the journals are still in force.
    fn failed(&mut self, under_way: &mut BatchCheckpoint, error: StoreError) {
        under_way.step = CheckpointStep::Failed(error.to_string());
        let took = under_way.began.elapsed();
        self.checkpoint_ended::<()>(&under_way.screen, &Err(error), under_way.began, took);
    }

    /// Syncs the files. One that fails counts as not written.
    fn sync_files(
        &mut self,
        under_way: &mut [BatchCheckpoint],
        unsynced: &mut UnsyncedSessions,
        starting: &mut [BatchStart],
    ) {
        let mut files: Vec<&Unsynced> = Vec::new();
        let mut counts = Vec::new();
        for one in under_way.iter() {
            let before = files.len();
            if let CheckpointStep::Written(checkpoint) = &one.step {
                files.extend(checkpoint.parts());
            }
            counts.push(files.len() - before);
        }
        files.extend(unsynced.values().flatten().map(|session| &session.file));
        files.extend(starting.iter().filter_map(|one| one.file.as_ref()));
        let mut synced = sync_together(&files).into_iter();
        for (one, count) in under_way.iter_mut().zip(counts) {
            let results: Vec<_> = synced.by_ref().take(count).collect();
            if let Some(error) = results.into_iter().find_map(Result::err) {
                self.failed(one, error);
            }
        }
        for placed in unsynced.values_mut().filter(|placed| placed.is_ok()) {
            if let Some(Err(error)) = synced.next() {
                *placed = Err(error);
            }
        }
        for one in starting.iter_mut().filter(|one| one.file.is_some()) {
            if let Some(Err(_)) = synced.next() {
                one.file = None;
            }
        }
    }

    /// Reads a checkpoint back, and puts it in force.
    fn put_in_force(&mut self, one: &mut BatchCheckpoint) {
        match std::mem::replace(&mut one.step, CheckpointStep::Done) {
            CheckpointStep::Written(checkpoint) => match checkpoint.finish() {
                Ok(unsettled) => {
                    let took = one.began.elapsed();
                    self.checkpoint_ended(&one.screen, &Ok(()), one.began, took);
                    one.step = CheckpointStep::InForce(unsettled);
                }
                Err(error) => self.failed(one, error),
            },
            other => one.step = other,
        }
    }

    /// Sessions were synced, or have failed. Returns why, for those that failed.
    fn sessions_ended(
        &mut self,
        placed: PlacedSessions,
        mut versions: BTreeMap<StoreId, Version>,
        unsafe_dirs: &BTreeMap<PathBuf, String>,
    ) -> BTreeMap<StoreId, String> {
        let mut failed = BTreeMap::new();
        for (id, placed) in placed {
            let safe = placed.and_then(|dir| unsafe_dirs.get(&dir).cloned().map_or(Ok(()), Err));
            match (safe, versions.remove(&id)) {
                (Err(trouble), version) => {
                    failed.insert(id, trouble.clone());
                    // It may have changes that no later version in the queue has.
                    let session = Session {
                        version,
                        written: None,
                        due: Instant::now() + RETRY_INTERVAL,
                        trouble: Some(trouble),
                    };
                    self.sessions.insert(id, session);
                }
                (Ok(()), written) => {
                    self.cataloguer.changed(id);
                    let session = Session {
                        version: None,
                        written,
                        due: Instant::now() + SESSION_BATCH_DELAY,
                        trouble: None,
                    };
                    self.sessions.insert(id, session);
                }
            }
        }
        failed
    }
}

impl Worker {
    /// Writes the starts, if the first one is due.
    pub(crate) fn write_due_starts(&mut self, now: Instant) {
        if self.starts.next_due().is_some_and(|due| due <= now) {
            self.write_all_starts();
        }
    }

    /// Writes all starts, because the next task may be about the same files.
    pub(crate) fn write_all_starts(&mut self) {
        let starts = self.starts.take_all();
        let starts = self.unless_waiting(starts);
        if !starts.is_empty() {
            self.write_batch(Batch::of_starts(starts));
        }
    }

    /// Takes the starts of these sessions, to be written now.
    fn starts_of(&mut self, sessions: &BTreeSet<StoreId>) -> Vec<Start> {
        let starts = self.starts.take_of(sessions);
        self.unless_waiting(starts)
    }

    /// Returns the starts, unless other work waits for disk space, which must not be overtaken.
    fn unless_waiting(&mut self, starts: Vec<Start>) -> Vec<Start> {
        if self.undone.due.is_none() {
            return starts;
        }
        starts.into_iter().for_each(|start| self.do_later(start));
        Vec::new()
    }

    /// Writes a start that failed in a batch by itself, and retries if that may help.
    fn write_alone(&mut self, start: Start) {
        self.do_later(start);
        self.do_unless_waiting();
    }

    fn do_later(&mut self, start: Start) {
        let work = (
            start.session,
            Box::new(move |store: &Store| start.write(store)) as Work,
        );
        self.undone.work.push_back(work);
    }
}

/// Syncs sessions. One that fails counts as not written.
fn sync_sessions(unsynced: &mut UnsyncedSessions) {
    let sessions = unsynced.values().flatten();
    let files: Vec<&Unsynced> = sessions.map(|session| &session.file).collect();
    let synced = sync_together(&files);
    let written = unsynced.values_mut().filter(|placed| placed.is_ok());
    for (placed, synced) in written.zip(synced) {
        if let Err(error) = synced {
            *placed = Err(error);
        }
    }
}

impl BatchStart {
    /// Reads it back, and renames it into place.
    fn put_in_place(&mut self) {
        let file = self.file.take();
        self.is_in_place = file.is_some_and(|file| file.finish().is_ok());
    }
}

impl UnsyncedSession {
    /// Reads it back, and renames it into place; its directory has to be synced then. If a later version is there
    /// already, that one is synced instead.
    fn place(self, id: StoreId, store: &Store, newest: &Newest) -> Result<PathBuf, StoreError> {
        let dir = self.file.dir().map(PathBuf::from).unwrap_or_default();
        match newest.unless_newer(id, self.revision, || self.file.finish()) {
            Some(placed) => placed.map(|()| dir),
            None => store.sync_session(id),
        }
    }
}

/// Syncs directories. Returns those that failed, and why.
fn sync_all_dirs<'a>(dirs: impl Iterator<Item = &'a Path>) -> BTreeMap<PathBuf, String> {
    let dirs: BTreeSet<PathBuf> = dirs.map(PathBuf::from).collect();
    let dirs: Vec<PathBuf> = dirs.into_iter().collect();
    let synced = sync_dirs(&dirs);
    let synced = dirs.into_iter().zip(synced);
    let failed = synced.filter_map(|(dir, synced)| Some((dir, synced.err()?.to_string())));
    failed.collect()
}

/// Drops the journals before a checkpoint whose directory was synced.
fn settle(one: &mut BatchCheckpoint, unsafe_dirs: &BTreeMap<PathBuf, String>, record_limit: u64) {
    let CheckpointStep::InForce(unsettled) = &one.step else {
        return;
    };
    let settled = match unsafe_dirs.get(unsettled.dir()) {
        Some(trouble) => Err(trouble.clone()),
        None => unsettled
            .was_synced(record_limit)
            .map_err(|error| error.to_string()),
    };
    one.step = match settled {
        Ok(()) => CheckpointStep::Done,
        Err(trouble) => CheckpointStep::Failed(trouble),
    };
}
