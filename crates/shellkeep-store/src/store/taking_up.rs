//! Loads all sessions of a server at its start, in little time and memory. The descriptions come from the catalogue if
//! it has them as they are on disk. All others are read on all CPUs, a few at a time, because thousands of them in
//! memory at once would leave it fragmented.

use std::collections::BTreeMap;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use super::Store;
use super::sweep::{self, Complaint, Orphan, Owners, Sweep};
use crate::catalogue::{Body, Catalogue, CatalogueState};
use crate::error::StoreError;
use crate::file_stamp::FileStamp;
use crate::id::StoreId;
use crate::schema::SessionOwner;
use crate::schema::layout::{SESSION, SESSIONS};

/// This many sessions are read faster than a catalogue is opened or a thread is started.
const FEW_SESSIONS: usize = 50;
/// How many sessions a thread reads at a time.
const SESSIONS_PER_BATCH: usize = 32;
/// How many rows of the catalogue are read at a time.
const ROWS_READ_AHEAD: usize = 256;

/// What a server learns at its start besides its sessions.
#[derive(Debug, Default)]
pub struct TakingUp {
    /// Sessions without a description, but with panes.
    pub orphans: Vec<Orphan>,
    /// What is wrong with other sessions.
    pub complaints: Vec<Complaint>,
    /// Sessions that the catalogue does not have as they are on disk.
    pub uncatalogued: Vec<StoreId>,
}

/// A session that a server takes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenSession<T> {
    /// Its name in the store.
    pub id: StoreId,
    /// Bytes on disk, if that is known without reading the directories of many sessions.
    pub size: Option<u64>,
    /// What the server has made of the description.
    pub body: T,
    /// It was closed, and belongs in the archive.
    pub is_closed: bool,
}

/// The result of reading one session.
struct ReadSession<T> {
    id: StoreId,
    size: Option<u64>,
    is_catalogued: bool,
    /// Its owner, and its description if it may belong to this server.
    read: Result<(SessionOwner, Option<T>), StoreError>,
}

impl Store {
    /// As [`Self::sessions`], for a server that starts: faster, one session at a time, with the result of `read`, which
    /// gets the description as JSON text, including label and owner, on another thread.
    pub fn take_up<T: Send>(
        &self,
        read: impl Fn(&str) -> T + Sync,
        each: impl FnMut(TakenSession<T>),
    ) -> TakingUp {
        run(self, read, each)
    }
}

/// Calls `each` with every session of this server, in the order of their ids.
fn run<T: Send>(
    store: &Store,
    read: impl Fn(&str) -> T + Sync,
    mut each: impl FnMut(TakenSession<T>),
) -> TakingUp {
    let mut sweep = Sweep::default();
    let dir = store.root().join(SESSIONS);
    let mut ids = sweep::ids_in(store, &dir, &mut sweep);
    ids.sort_unstable();
    let has_catalogue = ids.len() > FEW_SESSIONS;
    // The thread that receives the results has as much to do, so it gets a CPU.
    let threads = match has_catalogue {
        true => std::thread::available_parallelism().map_or(1, |all| (all.get() - 1).max(1)),
        false => 0,
    };
    let mut source = Source {
        catalogue: has_catalogue.then(|| sound_catalogue(store)).flatten(),
        label: &store.0.label,
        last: None,
        ids: ids.into_iter(),
        ahead: Vec::new().into_iter(),
        gone: Vec::new(),
        batches: 0,
    };
    let look = |(id, known): (StoreId, Option<Body>), sweep: &mut Sweep| {
        let size = match &known {
            Some(body) => Some(body.size),
            None if has_catalogue => None,
            None => Some(store.disk_use(id)),
        };
        ReadSession {
            size,
            ..look_at(store, id, known, sweep, &read)
        }
    };
    let mut taking_up = TakingUp::default();
    let mut owners = Owners::default();
    side_by_side(threads, &mut source, look, |found, heard| {
        sweep.complaints.extend(heard.complaints);
        for found in found {
            let ReadSession { id, size, .. } = found;
            match found.read {
                Ok((head, body)) => {
                    if has_catalogue && !found.is_catalogued {
                        taking_up.uncatalogued.push(id);
                    }
                    if let Some(body) = body.filter(|_| owners.are_ours(store, &head)) {
                        let is_closed = store.is_marked_closed(id);
                        each(TakenSession {
                            id,
                            size,
                            body,
                            is_closed,
                        });
                    }
                }
                Err(StoreError::Unknown(_)) => {
                    match sweep::panes_of(store, &dir.join(id.to_string())) {
                        Ok(panes) => sweep.orphans.push(Orphan { id, panes }),
                        Err(error) => sweep.complain(Some(id), error),
                    }
                }
                Err(error) => sweep.complain(Some(id), error),
            }
        }
    });
    // Sessions that no longer exist are wrong in the catalogue as well.
    taking_up.uncatalogued.extend(source.into_gone());
    (taking_up.orphans, taking_up.complaints) = (sweep.orphans, sweep.complaints);
    taking_up
}

/// A few sessions, and their rows in the catalogue.
type Batch = Vec<(StoreId, Option<Body>)>;

/// The existing sessions, each with its row in the catalogue.
struct Source<'a> {
    /// `None` once all of it was read.
    catalogue: Option<Catalogue>,
    label: &'a str,
    /// The last row that was read.
    last: Option<StoreId>,
    ids: std::vec::IntoIter<StoreId>,
    /// Rows that were read and not used yet.
    ahead: std::vec::IntoIter<Body>,
    /// Rows of sessions that are not on disk.
    gone: Vec<StoreId>,
    batches: usize,
}

impl Source<'_> {
    /// The next batch, with its number.
    fn next_batch(&mut self) -> Option<(usize, Batch)> {
        let ids: Vec<StoreId> = self.ids.by_ref().take(SESSIONS_PER_BATCH).collect();
        let batch: Batch = ids.into_iter().map(|id| (id, self.known(id))).collect();
        self.batches += 1;
        (!batch.is_empty()).then(|| (self.batches - 1, batch))
    }

    /// The catalogue's row of a session. Sessions must be asked for in order.
    fn known(&mut self, id: StoreId) -> Option<Body> {
        loop {
            self.read_on();
            let first = self.ahead.as_slice().first()?;
            if first.id > id {
                return None;
            }
            let body = self.ahead.next()?;
            if body.id == id {
                return Some(body);
            }
            self.gone.push(body.id);
        }
    }

    /// Reads more rows if all were used. An error only ends the reading, because the files have everything.
    fn read_on(&mut self) {
        while self.ahead.as_slice().is_empty()
            && let Some(catalogue) = &mut self.catalogue
        {
            let bodies = catalogue.bodies(self.label, self.last, ROWS_READ_AHEAD);
            let bodies = bodies.unwrap_or_default();
            if bodies.last.is_none() {
                self.catalogue = None;
            }
            self.last = bodies.last;
            self.ahead = bodies.sound.into_iter();
        }
    }

    /// Rows of sessions that are not on disk, after all sessions were asked for.
    fn into_gone(mut self) -> Vec<StoreId> {
        loop {
            self.read_on();
            match self.ahead.next() {
                Some(body) => self.gone.push(body.id),
                None => return self.gone,
            }
        }
    }
}

/// Reads sessions on `threads` other threads, and passes the results on, in order, on this thread: at its start, a user
/// waits for the first prompt.
fn side_by_side<F: Send>(
    threads: usize,
    source: &mut Source<'_>,
    look: impl Fn((StoreId, Option<Body>), &mut Sweep) -> F + Sync,
    mut hear: impl FnMut(Vec<F>, Sweep),
) {
    let look_through = |some: Batch| -> (Vec<F>, Sweep) {
        let mut sweep = Sweep::default();
        let found = some.into_iter().map(|each| look(each, &mut sweep));
        (found.collect(), sweep)
    };
    if threads == 0 {
        while let Some((_, batch)) = source.next_batch() {
            let (found, sweep) = look_through(batch);
            hear(found, sweep);
        }
        return;
    }
    let source = Mutex::new(source);
    let work = |done: SyncSender<(usize, (Vec<F>, Sweep))>| {
        let next = || {
            source
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next_batch()
        };
        while let Some((number, batch)) = next() {
            if done.send((number, look_through(batch))).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        let (done, finished) = sync_channel(2 * threads);
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let done = done.clone();
                scope.spawn(|| work(done))
            })
            .collect();
        drop(done);
        let (mut early, mut next) = (BTreeMap::new(), 0);
        for (number, part) in finished {
            early.insert(number, part);
            while let Some((found, sweep)) = early.remove(&next) {
                next += 1;
                hear(found, sweep);
            }
        }
        // A thread that panics is a bug, but the sessions of the others must not be lost.
        for (found, sweep) in early.into_values() {
            hear(found, sweep);
        }
        for worker in workers {
            let _ = worker.join();
        }
    });
}

fn look_at<T>(
    store: &Store,
    id: StoreId,
    known: Option<Body>,
    sweep: &mut Sweep,
    read: &impl Fn(&str) -> T,
) -> ReadSession<T> {
    let path = store.0.dirs.open(id);
    let known = known.and_then(|body| still_true(body, &path.join(SESSION)));
    let is_catalogued = known.is_some();
    let found = match known {
        Some(found) => Ok(found),
        None => sweep::read_text(store, id, &path, sweep),
    };
    ReadSession {
        id,
        size: None,
        is_catalogued,
        read: found.map(|(head, text)| {
            let may_be_ours = store.0.access.is_look() || head.label == store.0.label;
            let body = may_be_ours.then(|| read(&text));
            (head, body)
        }),
    }
}

/// The catalogue, if there is one that can be used.
fn sound_catalogue(store: &Store) -> Option<Catalogue> {
    let opened = Catalogue::inspect(store.root())?.ok()?;
    (opened.state == CatalogueState::Sound).then_some(opened.catalogue)
}

/// The description in the catalogue, if the file has not changed since.
fn still_true(body: Body, file: &std::path::Path) -> Option<(SessionOwner, String)> {
    let stamp = FileStamp::of(file).ok()?;
    if stamp != body.stamp {
        return None;
    }
    let text = String::from_utf8(body.body).ok()?;
    Some((SessionOwner::read(&text)?, text))
}
