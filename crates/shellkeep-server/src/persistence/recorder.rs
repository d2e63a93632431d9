//! The recorder: the one thread that does what would hold up the live path. It syncs journals once a second, makes
//! checkpoints, and writes sessions down. Without anything to do it sleeps without end.

mod captured;
mod files;
mod forgetting;
mod forgotten;
mod freed_memory;
mod gathered;
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
mod together;
mod unwritten;
mod watched;
mod worker;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use shellkeep_keeper::steps;
use shellkeep_shell::ShellState;
use shellkeep_store::schema::{SessionFile, StoredStart};
use shellkeep_store::{Store, StoreError, StoreId};

use crate::inbox::ThreadEvents;
use crate::panes::screen::{Caretaker, Screen};
use crate::persistence::disk_sizes::Sizes;
use crate::persistence::record::{Cut, Home, ShellFile, now};
use crate::persistence::recorder::page_cache::{PageCacheWriter, Version};
use crate::persistence::recorder::shared::{Shared, Told};
use crate::persistence::recorder::starts::{SOON, Start};
use crate::persistence::recorder::task::{Asked, FlushAnswer, Task};
use crate::persistence::recorder::watched::cut;

pub(crate) use crate::persistence::recorder::captured::Captured;
pub(crate) use crate::persistence::recorder::files::{BufferChange, write as write_file};
pub(crate) use crate::persistence::recorder::forgotten::Forgotten;
pub(crate) use crate::persistence::recorder::freed_memory::MUCH_WORK;
pub(crate) use crate::persistence::recorder::pending_session::Begun;

/// A way to the recorder.
#[derive(Clone)]
pub(crate) struct Recorder {
    tasks: Sender<Task>,
    thread: Arc<Mutex<Thread>>,
    shared: Shared,
    events: ThreadEvents,
    page_cache: PageCacheWriter,
    /// The revision of the last change that the page cache is to have.
    last_revision: Arc<AtomicU64>,
}

/// What the thread does once it begins.
type Begin = Box<dyn FnOnce() + Send>;

/// The thread.
enum Thread {
    /// There was nothing to do yet: the first prompt of a server need not wait for a thread.
    Unborn(Begin),
    /// The same, and it begins soon: on two processors it would be in the way of the program that starts.
    Coming(Begin),
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
    /// A recorder whose thread is to do `work` when there is something to do.
    fn new(
        tasks: Sender<Task>,
        work: impl FnOnce() + Send + 'static,
        shared: Shared,
        page_cache: PageCacheWriter,
        events: ThreadEvents,
    ) -> Self {
        Self {
            tasks,
            thread: Arc::new(Mutex::new(Thread::Unborn(Box::new(work)))),
            shared,
            events,
            page_cache,
            last_revision: Arc::default(),
        }
    }

    /// Has the thread begin, if it has not yet.
    fn begin(&self) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let (Thread::Unborn(work) | Thread::Coming(work)) =
            std::mem::replace(&mut *thread, Thread::Begun)
        else {
            return;
        };
        let thread = std::thread::Builder::new().name("recorder".to_owned());
        if let Err(error) = thread.spawn(work) {
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
            Thread::Unborn(work) => {
                let recorder = self.clone();
                runtime.spawn(async move {
                    tokio::time::sleep(SOON).await;
                    recorder.begin();
                });
                Thread::Coming(work)
            }
            other => other,
        };
    }

    /// How large sessions are on disk.
    pub(crate) fn sizes(&self) -> &Sizes {
        &self.shared.sizes
    }

    /// Says how many bytes of recording each pane may have.
    pub(crate) fn set_record_limit(&self, bytes: u64) {
        self.shared.record_limit.store(bytes, Ordering::Relaxed);
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

    /// The number of the last change that was to be written into the page cache.
    pub(crate) fn last_revision(&self) -> u64 {
        self.last_revision.load(Ordering::Relaxed)
    }

    /// Says `Event::Written` with this revision when all changes up to it are in the page cache.
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

    /// Writes sessions down at once, and says when they are safe on disk.
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

    /// Has something done with the files of a session, after all that was asked for before, unless that session is forgotten first.
    pub(crate) fn run(
        &self,
        session: StoreId,
        work: impl FnMut(&Store) -> Result<(), StoreError> + Send + 'static,
    ) {
        self.ask(Task::Do((session, Box::new(work))));
    }

    /// Deletes a session at once: what is still to be written of it is not, and nothing that waits for room is waited for. Then says
    /// `Event::Kept` with this number.
    pub(crate) fn forget(&self, forgotten: Forgotten, number: u64) {
        self.shared.unwritten.sessions.forget(&forgotten.id);
        self.ask(Task::Forget(forgotten, number));
    }

    /// The event loop has handled so many events and commands: it may have freed memory.
    pub(crate) fn worked(&self, amount: u64) {
        self.ask(Task::Worked(amount));
    }

    /// Has the catalogue brought up to date with a session, after all that was asked for before.
    pub(crate) fn changed(&self, id: StoreId) {
        self.ask(Task::Changed(id));
    }

    /// Writes changes of paste buffers, and then says `Event::Kept` with this number.
    pub(crate) fn write_buffers(&self, changes: Vec<(StoreId, BufferChange)>, number: u64) {
        let changes = changes.into_iter().filter_map(|(id, change)| {
            // One without a slot is in a slot that came before.
            Some((id, self.shared.unwritten.buffers.put(id, change)?))
        });
        self.ask(Task::Buffers(changes.collect(), number));
    }

    /// Says `Event::Kept` with this number when all that was asked for before is done, or cannot be done for now.
    pub(crate) fn say_when_done(&self, number: u64) {
        self.write_buffers(Vec::new(), number);
    }

    /// Writes a file of the user's, which is not ours to try again and again.
    pub(crate) fn write_file(&self, path: PathBuf, bytes: Vec<u8>) {
        if let Some(slot) = self.shared.unwritten.files.put(path.clone(), bytes) {
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
        (state, at): (ShellState, u64),
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

    /// Makes the last checkpoint of a pane that is closed. [`Recorder::end_record`] is to follow.
    pub(crate) fn checkpoint_last(&self, screen: Arc<Screen>) -> LastCheckpoint {
        let has_failed = Arc::new(AtomicBool::new(false));
        let failed = has_failed.clone();
        self.checkpoint(screen.clone(), ShellFile::Stays, move |result| {
            if let Err(error) = result {
                tracing::warn!(error, "the last of a closed pane is not kept yet");
                failed.store(true, Ordering::Relaxed);
            }
        });
        LastCheckpoint { screen, has_failed }
    }

    /// Ends the record of a closed pane in its turn, when its last checkpoint is made: what was asked for before may wait for room, and
    /// has to find where the pane is. If there is no room for the checkpoint, whatever is asked for behind it waits until there is.
    pub(crate) fn end_record(
        &self,
        session: StoreId,
        LastCheckpoint { screen, has_failed }: LastCheckpoint,
        captured: Arc<Captured>,
    ) {
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

    /// Has everything written and synced, and then says `Event::Flushed` with this number.
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
        self.shared
            .told
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// The last checkpoint of a closed pane, asked for.
pub(crate) struct LastCheckpoint {
    screen: Arc<Screen>,
    has_failed: Arc<AtomicBool>,
}
