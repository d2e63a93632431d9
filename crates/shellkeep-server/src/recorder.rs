//! The recorder: the one thread that does what would hold up the live path. It syncs journals once a second, makes
//! checkpoints, and writes sessions down. Without anything to do it sleeps without end.

mod captured;
mod files;
mod forgetting;
mod freed_memory;
mod packing;
mod page_cache;
mod screens;
mod sessions;
mod starts;
mod task;
#[cfg(test)]
mod tests;
mod together;
mod unwritten;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde_json::Value;
use shellkeep_keeper::steps;
use shellkeep_shell::State;
use shellkeep_store::schema::StoredStart;
use shellkeep_store::{Store, StoreError, StoreId};

use crate::cataloguer::Cataloguer;
use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::record::{Cut, Home, Record, Settling, ShellFile, now};
use crate::screen::Screen;
use crate::sizes::Sizes;
use crate::stats::Timings;

pub(crate) use captured::Captured;
use files::Files;
pub(crate) use files::{BufferChange, write as write_file};
pub(crate) use forgetting::Forgotten;
use freed_memory::FreedMemory;
use packing::{Packer, Parcel};
use page_cache::{Newest, PageCacheWriter, Version};
use screens::{Watched, cut};
pub(crate) use sessions::Begun;
use sessions::{Session, TOGETHER};
use starts::{SOON, Start, Starts};
use task::{Done, FlushAnswer, Owned, Task};
use together::{Asked, Together};
use unwritten::Unwritten;

/// How long output may be in the system's memory alone.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// What a program or a command does not wait for gives way to what it does after so long.
const SLICE: Duration = Duration::from_millis(10);

/// How often it is tried again while nothing can be written.
const RETRY: Duration = Duration::from_secs(2);

/// A sleeping pane that somebody looked at is dropped from memory after so long.
const LOOK: Duration = Duration::from_secs(10);

/// A way to the recorder.
#[derive(Clone)]
pub(crate) struct Recorder {
    tasks: Sender<Task>,
    thread: Arc<Mutex<Thread>>,
    told: Arc<Mutex<Told>>,
    /// How many bytes of recording each pane may have.
    record_limit: Arc<AtomicU64>,
    /// How large sessions are on disk.
    pub(crate) sizes: Sizes,
    events: ThreadEvents,
    page_cache: PageCacheWriter,
    newest: Newest,
    unwritten: AllUnwritten,
    /// The revision of the last change that the page cache is to have.
    last_revision: Arc<AtomicU64>,
}

/// What the thread was asked to write and has not taken yet.
#[derive(Clone, Default)]
struct AllUnwritten {
    sessions: Unwritten<StoreId, Version>,
    buffers: Unwritten<StoreId, BufferChange>,
    files: Unwritten<PathBuf, Vec<u8>>,
}

/// The thread.
enum Thread {
    /// There was nothing to do yet: the first prompt of a server need not wait for a thread.
    Unborn(Box<Worker>, Receiver<Task>),
    /// The same, and it begins soon: on two processors it would be in the way of the program that starts.
    Coming(Box<Worker>, Receiver<Task>),
    Begun,
}

/// What the recorder has to tell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// Why something cannot be written at the moment.
    pub(crate) trouble: Option<String>,
    /// How long checkpoints took.
    pub(crate) checkpoints: Timings,
}

impl Recorder {
    /// Sets everything up; the thread begins when there is something to do.
    pub(crate) fn start(store: Store, events: ThreadEvents) -> Self {
        let (tasks, inbox) = mpsc::channel();
        let told = Arc::new(Mutex::new(Told::default()));
        let sizes = Sizes::default();
        let record_limit = Arc::new(AtomicU64::new(0));
        let (newest, page_cache_store) = (Newest::default(), store.clone());
        let unwritten = AllUnwritten::default();
        let worker = Worker {
            newest: newest.clone(),
            unwritten: unwritten.clone(),
            cataloguer: Cataloguer::new(store.clone(), sizes.clone()),
            sizes: sizes.clone(),
            record_limit: record_limit.clone(),
            grown: BTreeSet::new(),
            events: events.clone(),
            told: told.clone(),
            watched: Vec::new(),
            loaded: Vec::new(),
            sessions: BTreeMap::new(),
            undone: Undone::default(),
            starts: Starts::default(),
            settling: Vec::new(),
            packer: Packer::default(),
            files: Files::default(),
            freed_memory: FreedMemory::default(),
            unready: store.waits_because().map(|why| (why, Instant::now())),
            is_store_gone: false,
            store,
        };
        let page_cache = PageCacheWriter::new(page_cache_store, newest.clone(), events.clone());
        let has_to_try = worker.unready.is_some();
        let recorder = Self {
            tasks,
            thread: Arc::new(Mutex::new(Thread::Unborn(Box::new(worker), inbox))),
            told,
            record_limit,
            sizes,
            events,
            page_cache,
            newest,
            unwritten,
            last_revision: Arc::default(),
        };
        if has_to_try {
            recorder.begin();
        }
        recorder
    }

    /// Has the thread begin, if it has not yet.
    fn begin(&self) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let (Thread::Unborn(worker, inbox) | Thread::Coming(worker, inbox)) =
            std::mem::replace(&mut *thread, Thread::Begun)
        else {
            return;
        };
        let thread = std::thread::Builder::new().name("recorder".to_owned());
        if let Err(error) = thread.spawn(move || worker.run(&inbox)) {
            tracing::error!(%error, "nothing can be kept");
        }
    }

    /// Has it begin a moment later.
    fn begin_soon(&self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return self.begin();
        };
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        *thread = match std::mem::replace(&mut *thread, Thread::Begun) {
            Thread::Unborn(worker, inbox) => {
                let recorder = self.clone();
                runtime.spawn(async move {
                    tokio::time::sleep(SOON).await;
                    recorder.begin();
                });
                Thread::Coming(worker, inbox)
            }
            other => other,
        };
    }

    /// Says how many bytes of recording each pane may have.
    pub(crate) fn set_record_limit(&self, bytes: u64) {
        self.record_limit.store(bytes, Ordering::Relaxed);
    }

    /// The thread's end is the server's end: nobody is left to be told.
    fn ask(&self, task: Task) {
        let can_wait = task.can_wait();
        let _ = self.tasks.send(task);
        if can_wait {
            self.begin_soon();
        } else {
            self.begin();
        }
    }

    pub(crate) fn watch(&self, screen: Weak<Screen>) {
        self.ask(Task::Watch(screen));
    }

    pub(crate) fn hurry(&self, screen: Weak<Screen>) {
        self.ask(Task::Hurry(screen));
    }

    fn packed(&self, parcel: Parcel) {
        self.ask(Task::Packed(parcel));
    }

    pub(crate) fn loaded(&self, screen: Weak<Screen>) {
        self.ask(Task::Loaded(screen));
    }

    pub(crate) fn write_session(&self, id: StoreId, body: Value, begun: Begun) {
        let version = self.next_version(body);
        self.write_version(id, version, begun);
    }

    fn write_version(&self, id: StoreId, version: Version, begun: Begun) {
        if begun == Begun::No {
            self.page_cache.write(id, version.clone());
        }
        if let Some(slot) = self.unwritten.sessions.put(id, version) {
            self.ask(Task::Session { id, slot, begun });
        }
    }

    fn next_revision(&self) -> u64 {
        self.last_revision.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn next_version(&self, body: Value) -> Version {
        Version {
            revision: self.next_revision(),
            body: Arc::new(body),
        }
    }

    /// The number of the last change that was to be written into the page cache.
    pub(crate) fn last_revision(&self) -> u64 {
        self.last_revision.load(Ordering::Relaxed)
    }

    /// Says [`Event::Written`] with this revision when all changes up to it are in the page cache.
    pub(crate) fn say_when_written(&self, revision: u64) {
        self.page_cache.say_when_written(revision);
    }

    /// Writes how the program of a new pane was started: into the page cache now, to the disk soon.
    pub(crate) fn write_start(&self, home: Home, start: StoredStart) {
        let start = Arc::new(start);
        self.next_revision();
        self.page_cache.write_start(home, start.clone());
        let Home { session, pane } = home;
        let start = Start {
            session,
            pane,
            start,
        };
        self.ask(Task::Start(start, Instant::now()));
    }

    /// Puts a closed session into the archive, after all that was asked for before. `done` is called when it is there.
    pub(crate) fn archive(&self, id: StoreId, done: impl Fn() + Send + 'static) {
        let revision = self.next_revision();
        self.page_cache.close(id, revision);
        // A version of the session opened again must not go into the archive.
        self.unwritten.sessions.seal(&id);
        let newest = self.newest.clone();
        self.run(id, move |store| {
            newest.close(id, revision);
            store.archive(id, now())?;
            done();
            Ok(())
        });
        self.changed(id);
    }

    /// Writes sessions down at once, and says when they are safe on disk.
    pub(crate) fn write_sessions_now(
        &self,
        sessions: Vec<(StoreId, Value)>,
        done: impl FnOnce(Result<(), String>) + Send + 'static,
    ) {
        let sessions = sessions.into_iter();
        let sessions = sessions.map(|(id, body)| {
            let version = self.next_version(body);
            (id, self.unwritten.sessions.put(id, version))
        });
        self.ask(Task::Sessions(sessions.collect(), Box::new(done)));
    }

    /// Has something done with the files of a session, after all that was asked for before, unless that session is forgotten first.
    pub(crate) fn run(
        &self,
        session: StoreId,
        work: impl FnMut(&Store) -> Result<(), StoreError> + Send + 'static,
    ) {
        self.ask(Task::Do((session, Box::new(work))));
    }

    /// Deletes a session at once: what is still to be written of it is not, and nothing that waits for room is waited for. Then says
    /// [`Event::Kept`] with this number.
    pub(crate) fn forget(&self, forgotten: Forgotten, number: u64) {
        self.unwritten.sessions.forget(&forgotten.id);
        self.ask(Task::Forget(forgotten, number));
    }

    /// Has the catalogue brought up to date with a session, after all that was asked for before.
    pub(crate) fn changed(&self, id: StoreId) {
        self.ask(Task::Changed(id));
    }

    /// Writes changes of paste buffers, and then says [`Event::Kept`] with this number.
    pub(crate) fn write_buffers(&self, changes: Vec<(StoreId, BufferChange)>, number: u64) {
        let changes = changes.into_iter().filter_map(|(id, change)| {
            // One without a slot is in a slot that came before.
            Some((id, self.unwritten.buffers.put(id, change)?))
        });
        self.ask(Task::Buffers(changes.collect(), number));
    }

    /// Says [`Event::Kept`] with this number when all that was asked for before is done, or cannot be done for now.
    pub(crate) fn say_when_done(&self, number: u64) {
        self.write_buffers(Vec::new(), number);
    }

    /// Writes a file of the user's, which is not ours to try again and again.
    pub(crate) fn write_file(&self, path: PathBuf, bytes: Vec<u8>) {
        if let Some(slot) = self.unwritten.files.put(path.clone(), bytes) {
            self.ask(Task::File(path, slot));
        }
    }

    /// Makes a checkpoint with the state of its shell, and says when both are safe on disk. Many that are asked for at once go
    /// there together.
    pub(crate) fn checkpoint(
        &self,
        screen: Arc<Screen>,
        shell: ShellFile,
        done: impl FnOnce(Result<(), String>) + Send + 'static,
    ) {
        let done = Box::new(done);
        self.ask(Task::Checkpoint(Asked {
            screen,
            shell,
            done,
        }));
    }

    /// Writes the state of a pane's shell down. If that fails, the shell is asked again at its next prompt: nothing waits for it, and the
    /// state before is still there.
    pub(crate) fn keep_captured(
        &self,
        session: StoreId,
        screen: Arc<Screen>,
        captured: Arc<Captured>,
        (state, at): (State, u64),
    ) {
        captured.told(state, at);
        self.run(session, move |_| {
            // Where the pane is when its turn comes: it may have been moved meanwhile.
            if let Some(dir) = screen.with_record(|record| record.dir().clone()) {
                // The failure is noted.
                let _ = captured.write(&dir);
            }
            steps::reached("capture-written");
            Ok(())
        });
    }

    /// Makes the last checkpoint of a pane that is closed; nothing is written where it was after that. If there is no room for it,
    /// whatever is asked for behind it waits until there is.
    pub(crate) fn write_last(
        &self,
        session: StoreId,
        screen: Arc<Screen>,
        captured: Arc<Captured>,
    ) {
        let has_failed = Arc::new(AtomicBool::new(false));
        let failed = has_failed.clone();
        self.checkpoint(screen.clone(), ShellFile::Stays, move |result| {
            if let Err(error) = result {
                tracing::warn!(error, "the last of a closed pane is not kept yet");
                failed.store(true, Ordering::Relaxed);
            }
        });
        // The record goes in its turn: what was asked for before may wait for room, and has to find where the pane is.
        self.run(session, move |_| {
            let taken = Instant::now();
            if has_failed.load(Ordering::Relaxed)
                && let Some(cut) = cut(&screen)
            {
                let written = cut.and_then(Cut::write);
                screen.with_record(|record| record.was_cut(&written, taken));
                if let Err(error) = written
                    && error.may_pass()
                {
                    return Err(error);
                }
                has_failed.store(false, Ordering::Relaxed);
            }
            let dir = screen.with_record(|record| record.dir().clone());
            let written = dir.map_or(Ok(()), |dir| captured.write(&dir));
            if let Err(error) = written
                && error.may_pass()
            {
                return Err(error);
            }
            drop(screen.take_record());
            Ok(())
        });
    }

    /// Has everything written and synced, and then says [`Event::Flushed`] with this number.
    pub(crate) fn flush(&self, number: u64) {
        self.ask(Task::Flush(FlushAnswer {
            number,
            left: Some("the recorder has failed; the server's log says why".to_owned()),
            events: self.events.clone(),
        }));
    }

    /// Waits until everything that was asked for is done. For threads, never for the event loop.
    pub(crate) fn settle(&self) {
        let (done, wait) = mpsc::channel();
        self.ask(Task::Settle(done));
        let _ = wait.recv();
    }

    pub(crate) fn told(&self) -> Told {
        self.told
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// What could not be done yet, in its order.
#[derive(Default)]
struct Undone {
    work: VecDeque<Owned>,
    due: Option<Instant>,
    trouble: Option<String>,
}

struct Worker {
    store: Store,
    newest: Newest,
    unwritten: AllUnwritten,
    cataloguer: Cataloguer,
    sizes: Sizes,
    record_limit: Arc<AtomicU64>,
    /// Sessions that may have another size now.
    grown: BTreeSet<StoreId>,
    events: ThreadEvents,
    told: Arc<Mutex<Told>>,
    watched: Vec<Watched>,
    loaded: Vec<Watched>,
    sessions: BTreeMap<StoreId, Session>,
    undone: Undone,
    starts: Starts,
    /// Checkpoints for which the disk is to be waited for, and from when on.
    settling: Vec<(Settling, Instant)>,
    packer: Packer,
    files: Files,
    freed_memory: FreedMemory,
    /// Why the store could not be opened yet, and when that is tried again.
    unready: Option<(String, Instant)>,
    /// Files of ours were found gone.
    is_store_gone: bool,
}

impl Worker {
    fn run(mut self, inbox: &Receiver<Task>) {
        // In a flood the program, the event loop and this thread compete for two cores: output and its display go first.
        shellkeep_keeper::process::lower_thread_priority();
        loop {
            let task = match self.next_due() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match task {
                Ok(task) => self.safely(|worker| {
                    worker.take_all(std::iter::once(task).chain(inbox.try_iter()));
                    worker.freed_memory.worked();
                }),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.safely(Self::work);
            for id in std::mem::take(&mut self.grown) {
                self.sizes.measure(&self.store, id);
            }
            self.safely(Self::report);
            self.freed_memory.give_back();
        }
    }

    /// A panic would be a bug, and is logged as one; keeping goes on.
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
        let settling = self.settling.iter().map(|(_, due)| *due);
        let others = self.undone.due.into_iter().chain(settling);
        let unready = self.unready.as_ref().map(|(_, due)| *due);
        let others = others.chain(self.files.next_due()).chain(unready);
        let others = others.chain(self.starts.next_due());
        let others = others.chain(self.freed_memory.next_due());
        screens.chain(sessions).chain(others).min()
    }

    /// Does all that is asked for, and what can go to the disk together, together.
    fn take_all(&mut self, tasks: impl Iterator<Item = Task>) {
        let mut together = Together::default();
        for task in tasks {
            if together.must_go_before(&task) {
                self.write_together(std::mem::take(&mut together));
            }
            match task {
                Task::Checkpoint(asked) => together.add(asked),
                Task::Sessions(sessions, done) => {
                    let ids = sessions.iter().map(|(id, _)| *id).collect();
                    let versions = self.newest_versions(sessions);
                    together.add_sessions(ids, versions, done);
                }
                task => self.take(task),
            }
        }
        self.write_together(together);
    }

    fn take(&mut self, task: Task) {
        let now = Instant::now();
        match task {
            Task::Watch(screen) => self.watched.push(Watched::new(screen, now + SYNC_EVERY)),
            Task::Hurry(screen) => {
                if !self.look_soon(&screen) {
                    self.watched.push(Watched::new(screen, now));
                }
            }
            Task::Packed(parcel) => {
                self.look_soon(&parcel.screen);
            }
            Task::Loaded(screen) => {
                self.loaded.retain(|each| !each.screen.ptr_eq(&screen));
                self.loaded.push(Watched::new(screen, now + LOOK));
            }
            Task::Session { id, slot, begun } => {
                if let Some(version) = self.unwritten.sessions.take(slot) {
                    self.session(id, version, begun);
                }
            }
            Task::Do(work) => {
                self.write_sessions(Instant::now() + SYNC_EVERY);
                self.write_all_starts();
                self.undone.work.push_back(work);
                self.do_unless_waiting();
            }
            Task::Start(start, asked) => self.starts.add(start, asked),
            Task::Forget(forgotten, number) => {
                let left = self.forget(&forgotten).err();
                let left = left.map(|error| error.to_string());
                self.events.send(Event::Kept { number, left });
            }
            Task::Changed(id) => self.cataloguer.changed(id),
            Task::Buffers(changes, number) => {
                for (id, slot) in changes {
                    if let Some(change) = self.unwritten.buffers.take(slot) {
                        self.files.take(&self.store, id, change);
                    }
                }
                let left = self.undone.trouble.clone();
                self.events.send(Event::Kept { number, left });
            }
            Task::File(path, slot) => {
                if let Some(bytes) = self.unwritten.files.take(slot) {
                    files::write(&path, &bytes);
                }
            }
            // They are gathered.
            Task::Checkpoint(_) | Task::Sessions(..) => {}
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

    /// Does what is to be done, if nothing has to wait.
    fn do_unless_waiting(&mut self) {
        if self.undone.due.is_none() {
            self.do_undone();
        }
    }

    /// Does what is to be done, until something fails that may work later.
    fn do_undone(&mut self) {
        (self.undone.due, self.undone.trouble) = (None, None);
        while let Some((session, mut work)) = self.undone.work.pop_front() {
            let Err(error) = work(&self.store) else {
                continue;
            };
            tracing::warn!(%error, "in the store");
            if error.may_pass() {
                self.undone.work.push_front((session, work));
                self.undone.due = Some(Instant::now() + RETRY);
                self.undone.trouble = Some(error.to_string());
                return;
            }
        }
    }

    /// Tries to open a store that could not be opened when the server started.
    fn make_ready(&mut self) {
        match self.store.make_ready() {
            Ok(()) => {
                tracing::info!("the store could be opened at last");
                self.unready = None;
                self.events.send(Event::StoreReady);
                // All that waited for it need wait no longer.
                self.undone.due = self.undone.due.map(|_| Instant::now());
            }
            Err(error) => self.unready = Some((error.to_string(), Instant::now() + RETRY)),
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
        self.look_after_screens(now);
    }

    fn flush(&mut self) {
        let far = Instant::now() + SYNC_EVERY;
        self.write_sessions(far);
        // Written first, then synced.
        for _ in 0..2 {
            self.files.work(&self.store, far + SYNC_EVERY);
        }
        self.write_all_starts();
        self.do_undone();
        // They stay on the list: their records know that they are, and the next look takes them off.
        let now = Instant::now();
        let screens = self.watched.iter_mut().filter_map(|each| {
            each.due = each.due.min(now);
            each.screen.upgrade()
        });
        let mut together = Together::default();
        for screen in screens.collect::<Vec<_>>() {
            // What could not be made before may be possible now; if not, writing fails as well.
            if let Some(Ok(true)) = screen.with_both(Record::come_back) {
                self.is_store_gone = true;
            }
            together.add(Asked::for_good(screen));
            if together.is_enough() {
                self.write_together(std::mem::take(&mut together));
            }
        }
        self.write_together(together);
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
        all.chain(self.files.trouble()).next()
    }

    /// Tells the event loop when something goes wrong, and when it is well again.
    fn report(&mut self) {
        if std::mem::take(&mut self.is_store_gone) {
            self.events.send(Event::StoreGone);
        }
        let trouble = self.trouble().cloned();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        // Each try fails with another file's name: one is as good as the other.
        if told.trouble.is_some() == trouble.is_some() {
            return;
        }
        told.trouble.clone_from(&trouble);
        drop(told);
        self.events.send(Event::Keeping { trouble });
    }
}
