//! A pane's screen, shared between the task that feeds it and the clients that look at it.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use shellkeep_core::{PaneId, Size};
use shellkeep_keeper::Pty;
use shellkeep_store::Record as Entry;
use shellkeep_term::{Config, Dirty, Effects, Emulator};

use crate::persistence::record;
use crate::persistence::record::Record;
use crate::search::reading::Reading;
use crate::search::stored::Kept;

/// A client that looks at screens.
pub(crate) trait Watcher: Send + Sync {
    /// Notes what has changed in a pane. To be called under its emulator's lock.
    fn note(&self, pane: PaneId, dirty: &Dirty);

    /// Has its task look at what has changed.
    fn wake(&self);

    /// The change that follows answers a key: it is shown without waiting for the frame clock.
    fn hurry(&self);

    /// Shows what has changed at once. Where that is not possible, or something is left to do, its task sees to it.
    fn show_now(&self);
}

/// Looks after what is kept of screens. Never waits.
pub(crate) trait Caretaker: Send + Sync {
    /// Something happens on a screen.
    fn watch(&self, screen: Weak<Screen>);

    /// A screen's journal is long, or broken.
    fn hurry(&self, screen: Weak<Screen>);

    /// A screen was fetched from disk.
    fn loaded(&self, screen: Weak<Screen>);

    /// The pages of a checkpoint that was to be written later are packed.
    fn packed(&self, screen: Weak<Screen>);
}

/// The emulator of a pane, what is kept of it on disk, and whom to wake when it has changed.
pub(crate) struct Screen {
    pane: PaneId,
    body: Mutex<Body>,
    trackers: Mutex<Vec<Arc<dyn Watcher>>>,
    /// Whether the event loop wants to hear of the next output.
    is_output_news: AtomicBool,
    is_asleep: AtomicBool,
}

struct Body {
    /// Absent while it is on disk and nowhere else; whoever locks the screen finds it here.
    emulator: Option<Box<Emulator>>,
    record: Option<Record>,
}

impl Screen {
    /// A screen that is in memory and nowhere else.
    pub(crate) fn new(pane: PaneId, emulator: Emulator) -> Arc<Self> {
        Self::with(pane, Some(Box::new(emulator)), None)
    }

    /// A screen that is on disk, and is read when somebody looks.
    pub(crate) fn asleep(pane: PaneId, record: Record) -> Arc<Self> {
        let screen = Self::with(pane, None, Some(record));
        screen.fall_asleep();
        screen
    }

    /// A screen that is on disk, and whose program goes on.
    pub(crate) fn found(pane: PaneId, record: Record) -> Arc<Self> {
        Self::with(pane, None, Some(record))
    }

    /// Keeps all that happens to it from now on.
    pub(crate) fn keep(self: &Arc<Self>, mut record: Record) {
        record.belongs_to(Arc::downgrade(self));
        let mut body = self.body();
        if let Some(emulator) = &mut body.emulator {
            record.begin(emulator);
        }
        body.record = Some(record);
    }

    /// Whether it is on disk as well.
    pub(crate) fn is_kept(&self) -> bool {
        self.body().record.is_some()
    }

    fn with(pane: PaneId, emulator: Option<Box<Emulator>>, record: Option<Record>) -> Arc<Self> {
        Arc::new_cyclic(|this| {
            let mut record = record;
            if let Some(record) = &mut record {
                record.belongs_to(this.clone());
            }
            Self {
                pane,
                body: Mutex::new(Body { emulator, record }),
                trackers: Mutex::new(Vec::new()),
                is_output_news: AtomicBool::new(true),
                is_asleep: AtomicBool::new(false),
            }
        })
    }

    /// Whose it is.
    pub(crate) fn pane(&self) -> PaneId {
        self.pane
    }

    /// The emulator, for a moment: it is locked meanwhile, so never across an await.
    pub(crate) fn lock(&self) -> Shown<'_> {
        let mut body = self.body();
        if body.emulator.is_none() {
            let emulator = match &mut body.record {
                Some(record) => record.load(),
                None => Emulator::new(Size::default(), Config::default()),
            };
            body.emulator = Some(Box::new(emulator));
        }
        Shown { body }
    }

    /// What is kept of it, for a moment, and without fetching the rest of it from there.
    pub(crate) fn with_record<T>(&self, look: impl FnOnce(&mut Record) -> T) -> Option<T> {
        self.body().record.as_mut().map(look)
    }

    /// What is kept of it, and the emulator if that is in memory.
    pub(crate) fn with_both<T>(
        &self,
        look: impl FnOnce(&mut Record, &mut Emulator) -> T,
    ) -> Option<T> {
        let mut body = self.body();
        let Body { emulator, record } = &mut *body;
        Some(look(record.as_mut()?, emulator.as_mut()?))
    }

    /// All that was printed in it, if it is in memory; it is not fetched for that.
    pub(crate) fn reading(&self) -> Option<Reading> {
        let body = self.body();
        let printed = body.emulator.as_ref()?.printed();
        let history = body.record.as_ref().and_then(Record::pages);
        drop(body);
        Some(Reading::new(printed, history.as_ref()))
    }

    /// Where it is kept, if its pane sleeps.
    pub(crate) fn at_rest(&self) -> Option<Kept> {
        if !self.is_asleep.load(Ordering::Relaxed) {
            return None;
        }
        self.body().record.as_ref().map(Record::kept)
    }

    /// Where it should be, if it is on disk only and somebody has removed it there.
    pub(crate) fn lost_place(&self) -> Option<PathBuf> {
        let body = self.body();
        let record = body.record.as_ref().filter(|_| body.emulator.is_none())?;
        let path = record.dir().path();
        (!path.is_dir()).then(|| path.to_owned())
    }

    /// Writes down what was shown first, since somebody waited for it.
    pub(crate) fn write_down(&self) {
        if let Some(record) = &mut self.body().record {
            record.write_down();
        }
    }

    /// Its pane sleeps, so that it need not be in memory.
    pub(crate) fn fall_asleep(&self) {
        self.is_asleep.store(true, Ordering::Relaxed);
    }

    /// Its pane sleeps no more.
    pub(crate) fn wake_up(&self) {
        self.is_asleep.store(false, Ordering::Relaxed);
    }

    /// Drops it from memory, if its pane sleeps, nobody looks, and all of it is on disk.
    pub(crate) fn unload_if_unused(&self) {
        let is_watched = {
            let trackers = self.trackers.lock().unwrap_or_else(PoisonError::into_inner);
            !trackers.is_empty()
        };
        if is_watched || !self.is_asleep.load(Ordering::Relaxed) {
            return;
        }
        let mut body = self.body();
        if let Some(record) = &mut body.record
            && record.is_written()
        {
            record.close();
            body.emulator = None;
        }
    }

    /// The memory it takes at the moment.
    pub(crate) fn memory(&self) -> usize {
        let body = self.body();
        body.emulator
            .as_ref()
            .map_or(0, |emulator| emulator.memory())
    }

    /// Nothing more is kept of it.
    pub(crate) fn take_record(&self) -> Option<Record> {
        // What is on disk only must be in memory before the way to it is gone.
        self.lock().body.record.take()
    }

    fn body(&self) -> MutexGuard<'_, Body> {
        // A panic in the engine would be a bug, but one bad pane must not hurt the others.
        self.body.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says who looks at this pane from now on.
    pub(crate) fn set_trackers(&self, trackers: Vec<Arc<impl Watcher + 'static>>) {
        let trackers = trackers.into_iter();
        let trackers = trackers.map(|tracker| -> Arc<dyn Watcher> { tracker });
        *self.trackers.lock().unwrap_or_else(PoisonError::into_inner) = trackers.collect();
    }

    /// Has the event loop told when something is printed next.
    pub(crate) fn tell_of_output(&self) {
        self.is_output_news.store(true, Ordering::Relaxed);
    }

    /// Something was printed: whether the event loop is to be told. Only once, until it asks again.
    pub(crate) fn is_output_news(&self) -> bool {
        self.is_output_news.load(Ordering::Relaxed)
            && self.is_output_news.swap(false, Ordering::Relaxed)
    }

    /// Tells everybody who looks what has changed.
    pub(crate) fn changed(&self) {
        for tracker in self.note_change().iter() {
            tracker.wake();
        }
    }

    /// The same for output that answers a key: it does not wait for the frame clock.
    pub(crate) fn answered(&self) {
        let trackers = self.note_change();
        for tracker in trackers.iter() {
            tracker.hurry();
        }
        Self::show(trackers);
    }

    /// The same for a little output, which takes little time to paint.
    pub(crate) fn changed_a_little(&self) {
        Self::show(self.note_change());
    }

    /// Shows a change before this returns, if one client alone looks and is ready for it.
    fn show(trackers: MutexGuard<'_, Vec<Arc<dyn Watcher>>>) {
        if let [only] = &trackers[..] {
            let only = only.clone();
            drop(trackers);
            only.show_now();
        } else {
            for tracker in trackers.iter() {
                tracker.wake();
            }
        }
    }

    /// Notes for everybody who looks what has changed.
    fn note_change(&self) -> MutexGuard<'_, Vec<Arc<dyn Watcher>>> {
        // Under the emulator's lock, so that nobody composes between the change and the news of it.
        let mut body = self.body();
        let trackers = self.trackers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(emulator) = &mut body.emulator {
            let dirty = emulator.take_dirty();
            for tracker in trackers.iter() {
                tracker.note(self.pane, &dirty);
            }
        }
        trackers
    }
}

/// A screen that is locked. To be read as one likes; every way to change it writes the change down first, so that the next
/// server comes to the same screen.
pub(crate) struct Shown<'a> {
    body: MutexGuard<'a, Body>,
}

impl Deref for Shown<'_> {
    type Target = Emulator;

    fn deref(&self) -> &Emulator {
        self.body.emulator.as_ref().expect("lock() has fetched it")
    }
}

impl Shown<'_> {
    fn change(&mut self, entry: &Entry<'_>) -> &mut Emulator {
        let Body { emulator, record } = &mut *self.body;
        if let Some(record) = record {
            record.append(entry);
        }
        emulator.as_mut().expect("lock() has fetched it")
    }

    /// Takes what a program, or we, have printed.
    pub(crate) fn feed(&mut self, bytes: &[u8], effects: &mut Effects) {
        let time = record::now();
        self.change(&Entry::Output { time, bytes })
            .feed(bytes, effects);
    }

    /// Takes what waits in a pane's transit pipe; the bytes are in `buffer` then.
    pub(crate) fn take_in(
        &mut self,
        pty: &Arc<dyn Pty>,
        count: usize,
        buffer: &mut Vec<u8>,
        effects: &mut Effects,
    ) {
        let Body { emulator, record } = &mut *self.body;
        match (record, pty.transit_pipe()) {
            (Some(record), _) => record.take_in(pty, count, buffer),
            (None, Some(transit_pipe)) => record::read_exactly(transit_pipe, count, buffer),
            (None, None) => buffer.clear(),
        }
        if let Some(emulator) = emulator {
            emulator.feed(buffer, effects);
        }
    }

    pub(crate) fn resize(&mut self, size: Size) {
        if size != self.size() {
            let (rows, cols) = (size.rows(), size.cols());
            self.change(&Entry::Resize { rows, cols }).resize(size);
        }
    }

    pub(crate) fn set_title(&mut self, title: &str) {
        if title != self.title() {
            self.change(&Entry::Title(title)).set_title(title);
        }
    }

    pub(crate) fn clear_history(&mut self) {
        self.change(&Entry::ClearHistory).clear_history();
    }

    pub(crate) fn reset(&mut self) {
        self.change(&Entry::Reset).reset();
    }

    pub(crate) fn trim_below_cursor(&mut self) {
        self.change(&Entry::Trim).trim_below_cursor();
    }

    /// A copy of it which nobody keeps.
    pub(crate) fn copied(&self) -> Emulator {
        (**self).clone()
    }
}
