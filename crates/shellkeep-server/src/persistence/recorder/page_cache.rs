//! The thread that writes sessions into the kernel's page cache as soon as they change. Unlike the recorder it never
//! waits for the disk, so a command is answered when this thread has written what the command changed. The death of all
//! processes then undoes nothing. A power cut may, until the recorder has written and synced the same.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use shellkeep_store::schema::{SessionFile, StoredStart};
use shellkeep_store::{Store, StoreError, StoreId};

use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::persistence::record::Home;
use crate::persistence::recorder::unwritten::{Slot, Unwritten};

/// A session at some time.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    /// Versions are numbered over all sessions; later ones have higher numbers.
    pub(crate) revision: u64,
    pub(crate) body: Arc<SessionFile>,
}

/// The newest version in the file of each session, and in the file with which each pane was started. Two threads write these
/// files, and neither may replace a newer version with an older one.
#[derive(Clone, Default)]
pub(crate) struct Newest(Arc<Mutex<BTreeMap<StoreId, u64>>>);

impl Newest {
    /// Runs work on the file of a session, unless that has a later version. The other thread waits meanwhile, so the
    /// work must not wait for the disk.
    pub(crate) fn unless_newer<T>(
        &self,
        id: StoreId,
        revision: u64,
        work: impl FnOnce() -> T,
    ) -> Option<T> {
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let present = newest.entry(id).or_default();
        if *present > revision {
            return None;
        }
        *present = revision;
        Some(work())
    }

    /// Forbids all versions before this one: the session is about to be moved or deleted.
    pub(crate) fn close(&self, id: StoreId, revision: u64) {
        self.unless_newer(id, revision, || ());
    }
}

/// What the thread is asked to do.
enum Job {
    /// Write the version of a session that is in this slot.
    Write(StoreId, Slot),
    /// A session was closed, at this revision.
    Close(StoreId, u64),
    /// Write how the program of a pane was started, at this revision.
    Start(Home, u64, Arc<StoredStart>),
    /// Send [`Event::Written`] with this revision.
    Tell(u64),
}

/// A handle of the thread, which is started when there is something to do.
#[derive(Clone)]
pub(crate) struct PageCacheWriter {
    jobs: Arc<Mutex<Option<Sender<Job>>>>,
    store: Store,
    newest: Newest,
    unwritten: Unwritten<StoreId, Version>,
    events: ThreadEvents,
}

impl PageCacheWriter {
    pub(crate) fn new(store: Store, newest: Newest, events: ThreadEvents) -> Self {
        Self {
            jobs: Arc::default(),
            store,
            newest,
            unwritten: Unwritten::default(),
            events,
        }
    }

    pub(crate) fn write(&self, id: StoreId, version: Version) {
        if let Some(slot) = self.unwritten.put(id, version) {
            self.ask(Job::Write(id, slot));
        }
    }

    pub(crate) fn close(&self, id: StoreId, revision: u64) {
        // A later version is of the reopened session, and must be written after the close.
        self.unwritten.seal(&id);
        self.ask(Job::Close(id, revision));
    }

    pub(crate) fn write_start(&self, home: Home, revision: u64, start: Arc<StoredStart>) {
        self.ask(Job::Start(home, revision, start));
    }

    /// Sends [`Event::Written`] when all earlier requests are done, or cannot be.
    pub(crate) fn report_when_written(&self, revision: u64) {
        self.ask(Job::Tell(revision));
    }

    fn ask(&self, job: Job) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = jobs.get_or_insert_with(|| {
            let (jobs, inbox) = mpsc::channel();
            let worker = Worker {
                store: self.store.clone(),
                newest: self.newest.clone(),
                unwritten: self.unwritten.clone(),
                events: self.events.clone(),
                closed: BTreeSet::new(),
            };
            let thread = std::thread::Builder::new().name("page-cache".to_owned());
            if let Err(error) = thread.spawn(move || worker.run(&inbox)) {
                tracing::error!(%error, "cannot start the thread for the page cache; the recorder writes changes later");
            }
            jobs
        });
        if let Err(mpsc::SendError(Job::Tell(revision))) = sender.send(job) {
            // There is no thread: the recorder writes it, and no command waits for that.
            self.events.send(Event::Written { revision });
        }
    }
}

struct Worker {
    store: Store,
    newest: Newest,
    unwritten: Unwritten<StoreId, Version>,
    events: ThreadEvents,
    /// Sessions that were closed. A version of one of them means that it was reopened.
    closed: BTreeSet<StoreId>,
}

impl Worker {
    fn run(mut self, inbox: &Receiver<Job>) {
        while let Ok(job) = inbox.recv() {
            let done = catch_unwind(AssertUnwindSafe(|| self.run_job(job)));
            match done {
                Ok(Ok(())) => {}
                // The recorder writes the same later. It tries again, and tells the user.
                Ok(Err(error)) => {
                    tracing::debug!(%error, "cannot write a session into the page cache")
                }
                Err(_) => tracing::error!("a session was not written after a panic; this is a bug"),
            }
        }
    }

    fn run_job(&mut self, job: Job) -> Result<(), StoreError> {
        match job {
            Job::Write(id, slot) => match self.unwritten.take(slot) {
                Some(version) => self.write(id, &version),
                None => Ok(()),
            },
            Job::Close(..) if !self.store.root().is_dir() => Ok(()),
            Job::Close(id, revision) => {
                self.newest.close(id, revision);
                self.closed.insert(id);
                self.store.mark_closed(id)
            }
            Job::Start(home, revision, start) => {
                let dir = self.store.open_pane(home.session, home.pane);
                let put = || dir.put_start(&start);
                let written = self.newest.unless_newer(home.pane, revision, put);
                written.unwrap_or(Ok(()))
            }
            Job::Tell(revision) => {
                self.events.send(Event::Written { revision });
                Ok(())
            }
        }
    }

    fn write(
        &mut self,
        id: StoreId,
        Version { revision, body }: &Version,
    ) -> Result<(), StoreError> {
        // The recorder finds out that the state directory is gone, and then has everything written again.
        if !self.store.root().is_dir() {
            return Ok(());
        }
        let write = || self.store.put_session(id, body.as_ref());
        let written = self.newest.unless_newer(id, *revision, write);
        if self.closed.remove(&id) {
            self.store.unmark_closed(id)?;
        }
        written.unwrap_or(Ok(()))
    }
}
