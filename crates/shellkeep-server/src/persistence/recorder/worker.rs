//! The recorder's thread: its queue, its retries, and its order of work.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Instant;

use shellkeep_store::schema::{CommandEntry, PaneHome as Home};
use shellkeep_store::{Store, StoreId};

use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::persistence::cataloguer::Cataloguer;
use crate::persistence::record::{Record, UnsettledCheckpoint};
use crate::persistence::recorder::batch::Batch;
use crate::persistence::recorder::commands::Commands;
use crate::persistence::recorder::files::Files;
use crate::persistence::recorder::freed_memory::FreedMemory;
use crate::persistence::recorder::pace::{LOADED_LIFETIME, RETRY_INTERVAL, SYNC_INTERVAL};
use crate::persistence::recorder::packing::Packer;
use crate::persistence::recorder::page_cache::PageCacheWriter;
use crate::persistence::recorder::pending_session::Session;
use crate::persistence::recorder::shared::Shared;
use crate::persistence::recorder::starts::Starts;
use crate::persistence::recorder::task::{Asked, Owned, Task};
use crate::persistence::recorder::watched::Watched;
use crate::persistence::recorder::{Recorder, files};

impl Recorder {
    /// A recorder; its thread is started when there is something to do.
    pub(crate) fn start(store: Store, events: ThreadEvents) -> Self {
        let (tasks, inbox) = mpsc::channel();
        let shared = Shared::default();
        let page_cache = PageCacheWriter::new(store.clone(), shared.newest.clone(), events.clone());
        let worker = Worker {
            cataloguer: Cataloguer::new(store.clone(), shared.sizes.clone()),
            shared: shared.clone(),
            grown: BTreeSet::new(),
            events: events.clone(),
            watched: Vec::new(),
            loaded: Vec::new(),
            sessions: BTreeMap::new(),
            undone: Undone::default(),
            starts: Starts::default(),
            unsettled: Vec::new(),
            packer: Packer::default(),
            files: Files::default(),
            commands: Commands::default(),
            freed_memory: FreedMemory::default(),
            unready: store.waits_because().map(|why| (why, Instant::now())),
            is_store_gone: false,
            store,
        };
        let has_to_try = worker.unready.is_some();
        let work = move || worker.run(&inbox);
        let recorder = Self::new(tasks, work, shared, page_cache, events);
        if has_to_try {
            recorder.begin();
        }
        recorder
    }
}

/// Work that could not be done yet, in order.
#[derive(Default)]
pub(crate) struct Undone {
    pub(crate) work: VecDeque<Owned>,
    pub(crate) due: Option<Instant>,
    pub(crate) trouble: Option<String>,
}

pub(crate) struct Worker {
    pub(crate) store: Store,
    pub(crate) shared: Shared,
    pub(crate) cataloguer: Cataloguer,
    /// Sessions whose size may have changed.
    pub(crate) grown: BTreeSet<StoreId>,
    pub(crate) events: ThreadEvents,
    pub(crate) watched: Vec<Watched>,
    pub(crate) loaded: Vec<Watched>,
    pub(crate) sessions: BTreeMap<StoreId, Session>,
    pub(crate) undone: Undone,
    pub(crate) starts: Starts,
    /// Checkpoints to be settled, and when.
    pub(crate) unsettled: Vec<(UnsettledCheckpoint, Instant)>,
    pub(crate) packer: Packer,
    pub(crate) files: Files,
    pub(crate) commands: Commands,
    pub(crate) freed_memory: FreedMemory,
    /// Why the store could not be opened yet, and when it is retried.
    pub(crate) unready: Option<(String, Instant)>,
    pub(crate) is_store_gone: bool,
}

impl Worker {
    fn run(mut self, inbox: &Receiver<Task>) {
        // In a flood, the program, the event loop and this thread compete for two CPUs: output and its display go
        // first.
        shellkeep_keeper::process::lower_thread_priority();
        loop {
            let task = match self.next_due() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match task {
                Ok(task) => self.safely(|worker| {
                    worker.freed_memory.worked(1);
                    let tasks = std::iter::once(task).chain(inbox.try_iter());
                    let count = worker.take_all(tasks);
                    worker.freed_memory.worked(count);
                }),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.safely(Self::work);
            for id in std::mem::take(&mut self.grown) {
                self.shared.sizes.measure(&self.store, id);
            }
            self.safely(Self::report);
            self.freed_memory.give_back();
        }
    }

    /// A panic is a bug, and is logged as one; the thread goes on.
    fn safely(&mut self, work: impl FnOnce(&mut Self)) {
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_err() {
            tracing::error!("the recorder dropped something after a panic; this is a bug");
        }
    }

    fn next_due(&self) -> Option<Instant> {
        let screens = self.watched.iter().chain(&self.loaded).map(|each| each.due);
        let sessions = self.sessions.values();
        let sessions = sessions
            .filter(|each| each.version.is_some())
            .map(|each| each.due);
        let unsettled = self.unsettled.iter().map(|(_, due)| *due);
        let others = self.undone.due.into_iter().chain(unsettled);
        let unready = self.unready.as_ref().map(|(_, due)| *due);
        let others = others.chain(self.files.next_due()).chain(unready);
        let others = others.chain(self.starts.next_due());
        let others = others.chain(self.commands.next_due());
        let others = others.chain(self.freed_memory.next_due());
        screens.chain(sessions).chain(others).min()
    }

    /// Carries out tasks, batching those that can go to the disk together. Returns how many tasks there were.
    fn take_all(&mut self, tasks: impl Iterator<Item = Task>) -> u64 {
        let mut batch = Batch::default();
        let mut count = 0;
        for task in tasks {
            count += 1;
            // A backlog may take minutes.
            self.freed_memory.give_back();
            if batch.must_go_before(&task) {
                self.write_batch(std::mem::take(&mut batch));
            }
            match task {
                Task::Checkpoint(asked) => batch.add(asked),
                Task::Sessions(sessions, done) => {
                    let ids = sessions.iter().map(|(id, _)| *id).collect();
                    let versions = self.newest_versions(sessions);
                    batch.add_sessions(ids, versions, done);
                }
                task => self.take(task),
            }
        }
        self.write_batch(batch);
        count
    }

    fn take(&mut self, task: Task) {
        let now = Instant::now();
        match task {
            Task::Watch(screen) => self.watched.push(Watched::new(screen, now + SYNC_INTERVAL)),
            Task::Hurry(screen) => {
                if !self.make_due(&screen) {
                    self.watched.push(Watched::new(screen, now));
                }
            }
            Task::Packed(screen) => {
                self.make_due(&screen);
            }
            Task::Loaded(screen) => {
                self.loaded.retain(|each| !each.screen.ptr_eq(&screen));
                self.loaded
                    .push(Watched::new(screen, now + LOADED_LIFETIME));
            }
            Task::Session { id, slot, begun } => {
                if let Some(version) = self.shared.unwritten.sessions.take(slot) {
                    self.session(id, version, begun);
                }
            }
            Task::Do(work) => {
                self.write_sessions(Instant::now() + SYNC_INTERVAL);
                self.write_all_starts();
                self.undone.work.push_back(work);
                self.do_unless_waiting();
            }
            Task::Start(start, asked) => self.starts.add(start, asked),
            Task::Command(home, entry) => self.add_command(home, *entry),
            Task::CommandsWritten(done) => {
                let _ = done.send(());
            }
            Task::Forget(forgotten, number) => {
                let left = self.forget(&forgotten).err();
                let left = left.map(|error| error.to_string());
                self.events.send(Event::Kept { number, left });
            }
            Task::Changed(id) => self.cataloguer.changed(id),
            Task::Buffers(changes, number) => {
                for (id, slot) in changes {
                    if let Some(change) = self.shared.unwritten.buffers.take(slot) {
                        self.files.take(&self.store, id, change);
                    }
                }
                let left = self.undone.trouble.clone();
                self.events.send(Event::Kept { number, left });
            }
            Task::File(path, slot) => {
                if let Some(bytes) = self.shared.unwritten.files.take(slot) {
                    files::write(&path, &bytes);
                }
            }
            // They are in the batch.
            Task::Checkpoint(_) | Task::Sessions(..) => {}
            Task::Worked(amount) => self.freed_memory.worked(amount),
            Task::Flush(mut answer) => {
                self.flush();
                let mut troubles = self.undone.trouble.iter().chain(self.files.trouble());
                answer.left = troubles.next().cloned();
            }
            Task::Settle(done) => {
                self.write_all_starts();
                self.do_unless_waiting();
                self.write_sessions(Instant::now());
                let _ = done.send(());
            }
        }
    }

    /// Does the work that is due, unless earlier work waits.
    pub(crate) fn do_unless_waiting(&mut self) {
        if self.undone.due.is_none() {
            self.do_undone();
        }
    }

    /// Does waiting work, until some fails that may work later.
    fn do_undone(&mut self) {
        (self.undone.due, self.undone.trouble) = (None, None);
        while let Some((session, mut work)) = self.undone.work.pop_front() {
            let Err(error) = work(&self.store) else {
                continue;
            };
            tracing::warn!(%error, "work on the store has failed");
            if error.may_pass() {
                self.undone.work.push_front((session, work));
                self.undone.due = Some(Instant::now() + RETRY_INTERVAL);
                self.undone.trouble = Some(error.to_string());
                return;
            }
        }
    }

    /// Tries to open a store that could not be opened when the server started.
    fn make_ready(&mut self) {
        match self.store.make_ready() {
            Ok(()) => {
                tracing::info!("the store is open now");
                self.unready = None;
                self.events.send(Event::StoreReady);
                // The work that waited for it is due now.
                self.undone.due = self.undone.due.map(|_| Instant::now());
            }
            Err(error) => self.unready = Some((error.to_string(), Instant::now() + RETRY_INTERVAL)),
        }
    }

    fn work(&mut self) {
        let now = Instant::now();
        if self.unready.as_ref().is_some_and(|(_, due)| *due <= now) {
            self.make_ready();
        }
        self.write_due_starts(now);
        if self.undone.due.is_some_and(|due| due <= now) {
            self.do_undone();
        }
        self.write_sessions(now);
        self.settle(now);
        self.files.work(&self.store, now);
        self.commands.work(&self.store, now);
        self.look_after_screens(now);
    }

    /// Appends an entry to the commands of a pane, and notes that the catalogue does not have it.
    fn add_command(&mut self, home: Home, entry: CommandEntry) {
        let uncatalogued = &self.shared.uncatalogued;
        let mut uncatalogued = uncatalogued.lock().unwrap_or_else(PoisonError::into_inner);
        uncatalogued.sessions.insert(home.session);
        drop(uncatalogued);
        self.commands.add(&self.store, home, entry);
    }

    fn flush(&mut self) {
        let far = Instant::now() + SYNC_INTERVAL;
        self.write_sessions(far);
        // The first pass writes, the second syncs.
        for _ in 0..2 {
            self.files.work(&self.store, far + SYNC_INTERVAL);
        }
        self.commands.write(&self.store);
        self.write_all_starts();
        self.do_undone();
        // The screens stay on the list, because their records say so; the next look takes them off.
        let now = Instant::now();
        let screens = self.watched.iter_mut().filter_map(|each| {
            each.due = each.due.min(now);
            each.screen.upgrade()
        });
        let mut batch = Batch::default();
        for screen in screens.collect::<Vec<_>>() {
            // A directory that could not be made before may be possible now. If not, writing fails as well.
            if let Some(Ok(true)) = screen.with_both(Record::restore_files) {
                self.is_store_gone = true;
            }
            batch.add(Asked::for_good(screen));
            if batch.is_enough() {
                self.write_batch(std::mem::take(&mut batch));
            }
        }
        self.write_batch(batch);
        self.settle(far);
    }

    /// Why something cannot be written at the moment.
    fn trouble(&self) -> Option<&String> {
        let screens = self.watched.iter().filter_map(|each| each.trouble.as_ref());
        let sessions = self.sessions.values();
        let sessions = sessions.filter_map(|each| each.trouble.as_ref());
        let unready = self.unready.iter().map(|(why, _)| why);
        let all = unready.chain(&self.undone.trouble).chain(screens);
        let all = all.chain(sessions);
        let all = all.chain(self.files.trouble());
        all.chain(self.commands.trouble()).next()
    }

    /// Reports to the event loop when writing begins to fail, and when it works again.
    fn report(&mut self) {
        if std::mem::take(&mut self.is_store_gone) {
            self.events.send(Event::StoreGone);
        }
        let trouble = self.trouble().cloned();
        let mut status = self
            .shared
            .status
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Each failed try names another file: a change of the message is not news.
        if status.trouble.is_some() == trouble.is_some() {
            return;
        }
        status.trouble.clone_from(&trouble);
        drop(status);
        self.events.send(Event::Keeping { trouble });
    }
}
