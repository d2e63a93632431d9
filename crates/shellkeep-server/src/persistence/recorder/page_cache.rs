//! The thread that writes sessions into the page cache as soon as they change. It never waits for the disk, as the recorder does: a
//! command answers when this thread has written what the command changed. The death of all processes then undoes nothing; a power cut
//! may, until the recorder has written and synced the same.

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

/// A session as it was at some time.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    /// Later ones have higher numbers, over all sessions.
    pub(crate) revision: u64,
    pub(crate) body: Arc<SessionFile>,
}

/// The newest version of each session that is in its file. Two threads write there, and neither may put an older version over a
/// newer one.
#[derive(Clone, Default)]
pub(crate) struct Newest(Arc<Mutex<BTreeMap<StoreId, u64>>>);

impl Newest {
    /// Does something with the file of a session, unless that is of a later version than this. The other thread waits meanwhile, so it
    /// must not wait for the disk.
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

    /// No version before this one is to be written any more: the session is about to be moved or deleted.
    pub(crate) fn close(&self, id: StoreId, revision: u64) {
        self.unless_newer(id, revision, || ());
    }
}

/// What the thread is asked to do.
enum Job {
    /// A session has changed: the version in this slot is to be written.
    Write(StoreId, Slot),
    /// A session was closed, at this revision.
    Close(StoreId, u64),
    /// How the program of a new pane was started.
    Start(Home, Arc<StoredStart>),
    /// Says [`Event::Written`] with this revision.
    Tell(u64),
}

/// A way to the thread, which is started when there is something to do.
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
        // A version that follows is of the session opened again: it must be written after the close.
        self.unwritten.seal(&id);
        self.ask(Job::Close(id, revision));
    }

    pub(crate) fn write_start(&self, home: Home, start: Arc<StoredStart>) {
        self.ask(Job::Start(home, start));
    }

    /// Says [`Event::Written`] when all that was asked for before is written, or cannot be.
    pub(crate) fn say_when_written(&self, revision: u64) {
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
                tracing::error!(%error, "what commands change is written late");
            }
            jobs
        });
        if let Err(mpsc::SendError(Job::Tell(revision))) = sender.send(job) {
            // There is no such thread: the recorder writes it, and no command waits for that.
            self.events.send(Event::Written { revision });
        }
    }
}

struct Worker {
    store: Store,
    newest: Newest,
    unwritten: Unwritten<StoreId, Version>,
    events: ThreadEvents,
    /// Sessions that were closed. One of them that is written again was opened again.
    closed: BTreeSet<StoreId>,
}

impl Worker {
    fn run(mut self, inbox: &Receiver<Job>) {
        while let Ok(job) = inbox.recv() {
            let done = catch_unwind(AssertUnwindSafe(|| self.run_job(job)));
            match done {
                Ok(Ok(())) => {}
                // The recorder, which writes the same, tries again and tells the user.
                Ok(Err(error)) => tracing::debug!(%error, "not in the page cache"),
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
            Job::Start(home, start) => {
                let dir = self.store.open_pane(home.session, home.pane);
                dir.put_start(&start)
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
        // A state directory that is gone is the recorder's to find out, which then has everything written anew.
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
