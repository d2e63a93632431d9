//! The recorder: the one thread that does what would hold up the live path. It syncs journals once a second, makes
//! checkpoints, and writes sessions down. Without anything to do it sleeps without end.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde_json::Value;
use shellkeep_store::{Store, StoreError, StoreId};

use crate::cataloguer::Cataloguer;
use crate::event::Event;
use crate::record::State;
use crate::screen::Screen;
use crate::stats::Timings;

/// How long output may be in the system's memory alone.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Changes of a session that follow each other within so long are written together.
const TOGETHER: Duration = Duration::from_millis(100);

/// A pane that printed nothing for so long gets a checkpoint.
const QUIET: Duration = Duration::from_secs(5);

/// How often it is tried again while nothing can be written.
const RETRY: Duration = Duration::from_secs(2);

/// A sleeping pane that somebody looked at is dropped from memory after so long.
const LOOK: Duration = Duration::from_secs(10);

/// Something to be done with files.
type Work = Box<dyn FnOnce(&Store) -> Result<(), StoreError> + Send>;

/// Hears how a checkpoint went.
type Done = Box<dyn FnOnce(Result<(), String>) + Send>;

/// What the thread is asked to do.
enum Task {
    /// Something happens on a screen.
    Watch(Weak<Screen>),
    /// A screen's journal is long, or broken.
    Hurry(Weak<Screen>),
    /// A screen was fetched from disk.
    Loaded(Weak<Screen>),
    /// A session is to be written down.
    Session { id: StoreId, body: Box<Value> },
    /// Something with the files of a session, in its turn.
    Do(Work),
    /// The files of a session are not what the catalogue says of them.
    Changed(StoreId),
    /// A checkpoint of a screen, now; whoever asks wants to know how it went.
    Checkpoint(Arc<Screen>, Done),
    /// Everything, now.
    Flush(Sender<()>),
}

/// A way to the recorder.
#[derive(Clone)]
pub(crate) struct Recorder {
    tasks: Sender<Task>,
    told: Arc<Mutex<Told>>,
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
    /// Starts the thread.
    pub(crate) fn start(store: Store, events: tokio::sync::mpsc::Sender<Event>) -> Self {
        let (tasks, inbox) = mpsc::channel();
        let told = Arc::new(Mutex::new(Told::default()));
        let worker = Worker {
            cataloguer: Cataloguer::new(store.root()),
            store,
            events,
            told: told.clone(),
            watched: Vec::new(),
            loaded: Vec::new(),
            sessions: BTreeMap::new(),
        };
        let thread = std::thread::Builder::new().name("recorder".to_owned());
        if let Err(error) = thread.spawn(move || worker.run(&inbox)) {
            tracing::error!(%error, "nothing can be kept");
        }
        Self { tasks, told }
    }

    /// The thread's end is the server's end: nobody is left to be told.
    fn ask(&self, task: Task) {
        let _ = self.tasks.send(task);
    }

    pub(crate) fn watch(&self, screen: Weak<Screen>) {
        self.ask(Task::Watch(screen));
    }

    pub(crate) fn hurry(&self, screen: Weak<Screen>) {
        self.ask(Task::Hurry(screen));
    }

    pub(crate) fn loaded(&self, screen: Weak<Screen>) {
        self.ask(Task::Loaded(screen));
    }

    pub(crate) fn write_session(&self, id: StoreId, body: Value) {
        let body = Box::new(body);
        self.ask(Task::Session { id, body });
    }

    /// Has something done with the files, after all that was asked for before.
    pub(crate) fn run(&self, work: impl FnOnce(&Store) -> Result<(), StoreError> + Send + 'static) {
        self.ask(Task::Do(Box::new(work)));
    }

    /// Has the catalogue brought up to date with a session, after all that was asked for before.
    pub(crate) fn changed(&self, id: StoreId) {
        self.ask(Task::Changed(id));
    }

    pub(crate) fn checkpoint(
        &self,
        screen: Arc<Screen>,
        done: impl FnOnce(Result<(), String>) + Send + 'static,
    ) {
        self.ask(Task::Checkpoint(screen, Box::new(done)));
    }

    /// Waits until everything is on disk.
    pub(crate) fn flush(&self) {
        let (done, wait) = mpsc::channel();
        self.ask(Task::Flush(done));
        let _ = wait.recv();
    }

    pub(crate) fn told(&self) -> Told {
        self.told
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Why something is not safe.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot sync a journal: {0}")]
    Sync(std::io::Error),
}

/// A screen on which something happened since its last checkpoint.
struct Watched {
    screen: Weak<Screen>,
    due: Instant,
}

/// A session's latest form.
struct Session {
    /// Not yet written.
    body: Option<Box<Value>>,
    due: Instant,
}

struct Worker {
    store: Store,
    cataloguer: Cataloguer,
    events: tokio::sync::mpsc::Sender<Event>,
    told: Arc<Mutex<Told>>,
    watched: Vec<Watched>,
    loaded: Vec<Watched>,
    sessions: BTreeMap<StoreId, Session>,
}

impl Worker {
    fn run(mut self, inbox: &Receiver<Task>) {
        loop {
            let task = match self.next_due() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match task {
                Ok(task) => self.safely(|worker| {
                    worker.take(task);
                    while let Ok(task) = inbox.try_recv() {
                        worker.take(task);
                    }
                }),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.safely(Self::work);
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
            .filter(|each| each.body.is_some())
            .map(|each| each.due);
        screens.chain(sessions).min()
    }

    fn take(&mut self, task: Task) {
        let now = Instant::now();
        match task {
            Task::Watch(screen) => self.watched.push(Watched {
                screen,
                due: now + SYNC_EVERY,
            }),
            Task::Hurry(screen) => {
                let known = self.watched.iter_mut();
                let mut known = known.filter(|each| each.screen.ptr_eq(&screen));
                match known.next() {
                    Some(known) => known.due = now,
                    None => self.watched.push(Watched { screen, due: now }),
                }
            }
            Task::Loaded(screen) => {
                self.loaded.retain(|each| !each.screen.ptr_eq(&screen));
                let due = now + LOOK;
                self.loaded.push(Watched { screen, due });
            }
            Task::Session { id, body } => self.session(id, body),
            Task::Do(work) => {
                self.write_sessions(Instant::now() + SYNC_EVERY);
                let result = work(&self.store);
                self.report(result.err().map(|error| error.to_string()));
            }
            Task::Changed(id) => self.cataloguer.changed(id),
            Task::Checkpoint(screen, done) => {
                let result = self.checkpoint(&screen);
                done(result.map_err(|error| error.to_string()));
            }
            Task::Flush(done) => {
                self.flush();
                let _ = done.send(());
            }
        }
    }

    /// The first change of a session is written at once; those that follow soon after, together.
    fn session(&mut self, id: StoreId, body: Box<Value>) {
        let now = Instant::now();
        let session = self.sessions.entry(id).or_insert(Session {
            body: None,
            due: now,
        });
        session.body = Some(body);
        if session.due <= now {
            self.write_sessions(now);
        }
    }

    fn write_sessions(&mut self, until: Instant) {
        let mut trouble = None;
        for (id, session) in &mut self.sessions {
            if session.due > until {
                continue;
            }
            let Some(body) = session.body.take() else {
                continue;
            };
            session.due = Instant::now() + TOGETHER;
            match self.store.write_session(*id, &body) {
                Ok(()) => self.cataloguer.changed(*id),
                Err(error) => {
                    tracing::warn!(session = %id, %error, "cannot write a session down");
                    session.due = Instant::now() + RETRY;
                    session.body = Some(body);
                    trouble = Some(error.to_string());
                }
            }
        }
        if let Some(trouble) = trouble {
            self.report(Some(trouble));
        }
        let now = Instant::now();
        self.sessions
            .retain(|_, session| session.body.is_some() || session.due > now);
    }

    fn work(&mut self) {
        let now = Instant::now();
        self.write_sessions(now);
        let mut trouble = None;
        let watched = std::mem::take(&mut self.watched);
        let had_work = !watched.is_empty();
        for mut each in watched {
            if each.due > now {
                self.watched.push(each);
                continue;
            }
            let Some(screen) = each.screen.upgrade() else {
                continue;
            };
            match self.look_after(&screen) {
                Ok(Some(due)) => {
                    each.due = due;
                    self.watched.push(each);
                }
                Ok(None) => {}
                Err(error) => {
                    trouble = Some(error.to_string());
                    each.due = Instant::now() + RETRY;
                    self.watched.push(each);
                }
            }
        }
        if had_work {
            let is_pending = self.sessions.values().any(|each| each.body.is_some());
            if trouble.is_some() || !is_pending {
                self.report(trouble);
            }
        }
        self.loaded.retain(|each| {
            if each.due > now {
                return true;
            }
            if let Some(screen) = each.screen.upgrade() {
                screen.unload_if_unused();
            }
            false
        });
    }

    /// Syncs a screen's journal, and makes a checkpoint if it is time. When to look again; never, if nothing happens.
    fn look_after(&mut self, screen: &Arc<Screen>) -> Result<Option<Instant>, Failure> {
        let Some(state) = screen.with_record(crate::record::Record::look_after) else {
            return Ok(None);
        };
        let State {
            file,
            facts,
            is_long,
            is_broken,
            is_changed,
            quiet_for,
        } = state;
        if let Some(facts) = facts {
            let pane = screen.pane();
            // If the loop is too busy for it now, it will be told the next time.
            let _ = self.events.try_send(Event::Facts { pane, facts });
        }
        if is_long || is_broken || (is_changed && quiet_for >= QUIET) {
            self.checkpoint(screen)?;
        } else if let Some(file) = file {
            let began = Instant::now();
            file.sync_data().map_err(Failure::Sync)?;
            screen.with_record(|record| record.was_synced(began));
        }
        let is_done = screen.with_record(crate::record::Record::forget_unless_changed);
        if is_done != Some(false) {
            return Ok(None);
        }
        Ok(Some(Instant::now() + SYNC_EVERY))
    }

    fn checkpoint(&mut self, screen: &Arc<Screen>) -> Result<(), StoreError> {
        let began = Instant::now();
        let cut = screen.with_both(|record, emulator| record.cut(emulator));
        let Some(cut) = cut else { return Ok(()) };
        let result = cut.and_then(crate::record::Cut::write);
        screen.with_record(|record| record.was_cut(&result));
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.checkpoints.record(began.elapsed());
        result
    }

    fn flush(&mut self) {
        let far = Instant::now() + SYNC_EVERY;
        self.write_sessions(far);
        for each in std::mem::take(&mut self.watched) {
            if let Some(screen) = each.screen.upgrade()
                && let Err(error) = self.checkpoint(&screen)
            {
                tracing::error!(%error, "cannot keep a screen");
            }
        }
    }

    /// Tells the event loop when something goes wrong, and when it is well again.
    fn report(&self, trouble: Option<String>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.trouble != trouble {
            told.trouble.clone_from(&trouble);
            drop(told);
            // The loop may be waiting for us at this moment, so nothing here waits for it.
            let _ = self.events.try_send(Event::Keeping { trouble });
        }
    }
}
