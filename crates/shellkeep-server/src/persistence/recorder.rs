//! The recorder: one thread for everything on disk that would hold up the event loop or a pane. It syncs journals once
//! a second, writes checkpoints, sessions and buffers, and archives. When there is nothing to do it sleeps without a
//! timer.

mod batch;
mod captured;
mod commands;
mod files;
mod forgetting;
mod forgotten;
mod freed_memory;
mod pace;
mod packing;
mod page_cache;
mod pending_session;
mod screens;
mod sessions;
mod shared;
mod starts;
mod task;
#[cfg(test)]
mod tests;
mod unwritten;
mod watched;
mod worker;
mod write_batch;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use shellkeep_keeper::steps;
use shellkeep_shell::ShellState;
use shellkeep_store::catalogue::{Catalogue, CatalogueError};
use shellkeep_store::schema::{CommandEntry, SessionFile, StoredStart};
use shellkeep_store::{Store, StoreError, StoreId};

use crate::inbox::ThreadEvents;
use crate::panes::screen::{Caretaker, Screen};
use crate::persistence::disk_sizes::Sizes;
use crate::persistence::record::{Home, ShellFile, TakenCheckpoint, now};
use crate::persistence::recorder::page_cache::{PageCacheWriter, Version};
use crate::persistence::recorder::shared::{RecorderStatus, Shared};
use crate::persistence::recorder::starts::{START_DELAY, Start};
use crate::persistence::recorder::task::{Asked, FlushAnswer, Task};
use crate::persistence::recorder::watched::take_checkpoint;

pub(crate) use crate::persistence::recorder::captured::Captured;
pub(crate) use crate::persistence::recorder::files::{BufferChange, write as write_file};
pub(crate) use crate::persistence::recorder::forgotten::Forgotten;
pub(crate) use crate::persistence::recorder::freed_memory::MUCH_WORK;
pub(crate) use crate::persistence::recorder::pending_session::Begun;

#[derive(Clone)]
pub(crate) struct Recorder {
    tasks: Sender<Task>,
    thread: Arc<Mutex<ThreadState>>,
    shared: Shared,
    events: ThreadEvents,
    page_cache: PageCacheWriter,
    /// The revision of the last change that is to be in the page cache.
    last_revision: Arc<AtomicU64>,
}

/// What the thread runs once it starts.
type ThreadMain = Box<dyn FnOnce() + Send>;

enum ThreadState {
    /// It was not started, because there was nothing to do: the first prompt of a server need not wait for it.
    NotStarted(ThreadMain),
    /// It is started in a moment: on two CPUs it would compete with the program that starts.
    Starting(ThreadMain),
    Begun,
}

impl Caretaker for Recorder {
    fn watch(&self, screen: Weak<Screen>) {
        self.ask(Task::Watch(screen));
    }

    fn hurry(&self, screen: Weak<Screen>) {
        self.ask(Task::Hurry(screen));
    }

    fn loaded(&self, screen: Weak<Screen>) {
        self.ask(Task::Loaded(screen));
    }

    fn packed(&self, screen: Weak<Screen>) {
        self.ask(Task::Packed(screen));
    }
}

impl Recorder {
    /// A recorder whose thread runs `work` when there is something to do.
    fn new(
        tasks: Sender<Task>,
        work: impl FnOnce() + Send + 'static,
        shared: Shared,
        page_cache: PageCacheWriter,
        events: ThreadEvents,
    ) -> Self {
        Self {
            tasks,
            thread: Arc::new(Mutex::new(ThreadState::NotStarted(Box::new(work)))),
            shared,
            events,
            page_cache,
            last_revision: Arc::default(),
        }
    }

    /// Starts the thread, if it was not.
    fn begin(&self) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let (ThreadState::NotStarted(work) | ThreadState::Starting(work)) =
            std::mem::replace(&mut *thread, ThreadState::Begun)
        else {
            return;
        };
        let thread = std::thread::Builder::new().name("recorder".to_owned());
        if let Err(error) = thread.spawn(work) {
            tracing::error!(%error, "cannot start the recorder's thread; nothing is written to disk");
        }
    }

    /// Starts the thread a moment later.
    fn begin_soon(&self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return self.begin();
        };
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        *thread = match std::mem::replace(&mut *thread, ThreadState::Begun) {
            ThreadState::NotStarted(work) => {
                let recorder = self.clone();
                runtime.spawn(async move {
                    tokio::time::sleep(START_DELAY).await;
                    recorder.begin();
                });
                ThreadState::Starting(work)
            }
            other => other,
        };
    }

    pub(crate) fn sizes(&self) -> &Sizes {
        &self.shared.sizes
    }

    /// Sets how many bytes of recording each pane may have.
    pub(crate) fn set_record_limit(&self, bytes: u64) {
        self.shared.record_limit.store(bytes, Ordering::Relaxed);
    }

    /// Sends a task. If the thread has ended, so has the server, and the task is dropped.
    fn ask(&self, task: Task) {
        let can_wait = task.can_wait();
        let _ = self.tasks.send(task);
        if can_wait {
            self.begin_soon();
        } else {
            self.begin();
        }
    }

    pub(crate) fn write_session(&self, id: StoreId, body: SessionFile, begun: Begun) {
        let version = self.next_version(body);
        self.write_version(id, version, begun);
    }

    fn write_version(&self, id: StoreId, version: Version, begun: Begun) {
        if begun == Begun::No {
            self.page_cache.write(id, version.clone());
        }
        if let Some(slot) = self.shared.unwritten.sessions.put(id, version) {
            self.ask(Task::Session { id, slot, begun });
        }
    }

    fn next_revision(&self) -> u64 {
        self.last_revision.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn next_version(&self, body: SessionFile) -> Version {
        Version {
            revision: self.next_revision(),
            body: Arc::new(body),
        }
    }

    /// The revision of the last change that was to be written into the page cache.
    pub(crate) fn last_revision(&self) -> u64 {
        self.last_revision.load(Ordering::Relaxed)
    }

    /// Sends `Event::Written` with this revision when all changes up to it are in the page cache.
    pub(crate) fn report_when_written(&self, revision: u64) {
        self.page_cache.report_when_written(revision);
    }

    /// Writes how the program of a new pane was started: into the page cache now, to the disk soon.
    pub(crate) fn write_start(&self, home: Home, start: StoredStart) {
        let start = Arc::new(start);
        let revision = self.next_revision();
        self.page_cache.write_start(home, revision, start.clone());
        let Home { session, pane } = home;
        let start = Start {
            session,
            pane,
            start,
            revision,
        };
        self.ask(Task::Start(start, Instant::now()));
    }

    /// Moves a closed session to the archive, after all earlier requests. `done` is called when it is there.
    pub(crate) fn archive(&self, id: StoreId, done: impl Fn() + Send + 'static) {
        let revision = self.next_revision();
        self.page_cache.close(id, revision);
        // A version of the reopened session must not go into the archive.
        self.shared.unwritten.sessions.seal(&id);
        let newest = self.shared.newest.clone();
        self.run(id, move |store| {
            newest.close(id, revision);
            store.archive(id, now())?;
            done();
            Ok(())
        });
        self.changed(id);
    }

    /// Writes sessions at once, and calls back when they are synced.
    pub(crate) fn write_sessions_now(
        &self,
        sessions: Vec<(StoreId, SessionFile)>,
        done: impl FnOnce(Result<(), String>) + Send + 'static,
    ) {
        let sessions = sessions.into_iter();
        let sessions = sessions.map(|(id, body)| {
            let version = self.next_version(body);
            (id, self.shared.unwritten.sessions.put(id, version))
        });
        self.ask(Task::Sessions(sessions.collect(), Box::new(done)));
    }

    /// Runs work on the files of a session after all earlier requests, unless that session is deleted first.
    pub(crate) fn run(
        &self,
        session: StoreId,
        work: impl FnMut(&Store) -> Result<(), StoreError> + Send + 'static,
    ) {
        self.ask(Task::Do((session, Box::new(work))));
    }

    /// Deletes a session at once, before earlier requests, and drops what is still to be written of it. Sends
    /// `Event::Kept` with this number.
    pub(crate) fn forget(&self, forgotten: Forgotten, number: u64) {
        self.shared.unwritten.sessions.forget(&forgotten.id);
        self.ask(Task::Forget(forgotten, number));
    }

    /// The event loop has handled this many events and commands, which may have freed memory.
    pub(crate) fn worked(&self, amount: u64) {
        self.ask(Task::Worked(amount));
    }

    /// Updates the catalogue for a session, after all earlier requests.
    pub(crate) fn changed(&self, id: StoreId) {
        self.ask(Task::Changed(id));
    }

    /// Appends an entry to the commands of a pane: safe from the death of every process when [`Recorder::catalogue_commands`] returns.
    pub(crate) fn add_command(&self, home: Home, entry: CommandEntry) {
        self.ask(Task::Command(home, Box::new(entry)));
    }

    /// Waits until the entries of commands are written, and brings the catalogue up to date with them. Not for the event loop.
    ///
    /// # Errors
    /// When the catalogue cannot be written.
    pub(crate) fn catalogue_commands(
        &self,
        catalogue: &mut Catalogue,
    ) -> Result<(), CatalogueError> {
        let (done, written) = mpsc::channel();
        self.ask(Task::CommandsWritten(done));
        let _ = written.recv();
        let lock = || {
            let uncatalogued = self.shared.uncatalogued.lock();
            uncatalogued.unwrap_or_else(PoisonError::into_inner)
        };
        let taken = std::mem::take(&mut *lock());
        let result = match taken.is_checked {
            true => catalogue.refresh_commands_of(&taken.sessions),
            // An earlier server may have ended before it did this.
            false => catalogue.refresh_all_commands(),
        };
        let mut uncatalogued = lock();
        match result {
            Ok(()) => uncatalogued.is_checked = true,
            Err(_) => uncatalogued.sessions.extend(taken.sessions),
        }
        result
    }

    /// Writes changed buffers, and sends `Event::Kept` with this number.
    pub(crate) fn write_buffers(&self, changes: Vec<(StoreId, BufferChange)>, number: u64) {
        let changes = changes.into_iter().filter_map(|(id, change)| {
            // Without a new slot the change goes into one that is queued already.
            Some((id, self.shared.unwritten.buffers.put(id, change)?))
        });
        self.ask(Task::Buffers(changes.collect(), number));
    }

    /// Sends `Event::Kept` with this number when all earlier requests are done, or cannot be done for now.
    pub(crate) fn report_when_done(&self, number: u64) {
        self.write_buffers(Vec::new(), number);
    }

    /// Writes a file of the user's, once: on failure it is not retried.
    pub(crate) fn write_file(&self, path: PathBuf, bytes: Vec<u8>) {
        if let Some(slot) = self.shared.unwritten.files.put(path.clone(), bytes) {
            self.ask(Task::File(path, slot));
        }
    }

    /// Writes a checkpoint with the state of the pane's shell, and calls back when both are synced. Concurrent requests
    /// are written together.
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

    /// Writes the state of a pane's shell. On failure the shell is asked again at its next prompt: no command waits for
    /// it, and the earlier state remains.
    pub(crate) fn keep_captured(
        &self,
        session: StoreId,
        screen: Arc<Screen>,
        captured: Arc<Captured>,
        (state, at): (ShellState, u64),
    ) {
        captured.set_reported(state, at);
        self.run(session, move |_| {
            // Use the directory at the time of the work: the pane may have been moved meanwhile.
            if let Some(dir) = screen.with_record(|record| record.dir().clone()) {
                // The failure is recorded in `captured`.
                let _ = captured.write(&dir);
            }
            steps::reached("capture-written");
            Ok(())
        });
    }

    /// Requests the last checkpoint of a pane that is closed. [`Recorder::end_record`] must follow.
    pub(crate) fn checkpoint_last(&self, screen: Arc<Screen>) -> LastCheckpoint {
        let has_failed = Arc::new(AtomicBool::new(false));
        let failed = has_failed.clone();
        self.checkpoint(screen.clone(), ShellFile::Stays, move |result| {
            if let Err(error) = result {
                tracing::warn!(
                    error,
                    "the last checkpoint of a closed pane is not written yet"
                );
                failed.store(true, Ordering::Relaxed);
            }
        });
        LastCheckpoint { screen, has_failed }
    }

    /// Ends the record of a closed pane, after its last checkpoint. In its turn, because earlier requests may be
    /// waiting for disk space and have to find the pane. If there is no space for the checkpoint, later requests wait
    /// until there is.
    pub(crate) fn end_record(
        &self,
        session: StoreId,
        LastCheckpoint { screen, has_failed }: LastCheckpoint,
        captured: Arc<Captured>,
    ) {
        self.run(session, move |_| {
            let taken = Instant::now();
            if has_failed.load(Ordering::Relaxed)
                && let Some(checkpoint) = take_checkpoint(&screen)
            {
                let written = checkpoint.and_then(TakenCheckpoint::write);
                screen.with_record(|record| record.checkpoint_ended(&written, taken));
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

    /// Writes and syncs everything, and sends `Event::Flushed` with this number.
    pub(crate) fn flush(&self, number: u64) {
        self.ask(Task::Flush(FlushAnswer {
            number,
            left: Some("the recorder has failed; the server's log says why".to_owned()),
            events: self.events.clone(),
        }));
    }

    /// Waits until all earlier requests are done. For threads; the event loop must never call it.
    pub(crate) fn settle(&self) {
        let (done, wait) = mpsc::channel();
        self.ask(Task::Settle(done));
        let _ = wait.recv();
    }

    pub(crate) fn status(&self) -> RecorderStatus {
        self.shared
            .status
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// The requested last checkpoint of a closed pane.
pub(crate) struct LastCheckpoint {
    screen: Arc<Screen>,
    has_failed: Arc<AtomicBool>,
}
