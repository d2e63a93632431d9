//! A pane's screen, shared by the task that feeds it and the clients that show it. Every change goes through the pane's
//! record, under the screen's lock, so that screen and journal agree.

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

/// A client's view of the screens that it shows.
pub(crate) trait ScreenViewer: Send + Sync {
    /// Notes what has changed in a pane. To be called under the emulator's lock.
    fn note(&self, pane: PaneId, dirty: &Dirty);

    /// Wakes the client's task to paint the change.
    fn wake(&self);

    /// The next change answers a key: it is painted without waiting for the frame clock.
    fn hurry(&self);

    /// Paints the change before it returns. Where that is not possible, or something is left to do, it wakes the task.
    fn show_now(&self);
}

/// The recorder, as a screen sees it. No method waits.
pub(crate) trait Caretaker: Send + Sync {
    /// A screen has new output.
    fn watch(&self, screen: Weak<Screen>);

    /// A screen's journal has become long, or cannot be written.
    fn hurry(&self, screen: Weak<Screen>);

    /// A screen was loaded from disk.
    fn loaded(&self, screen: Weak<Screen>);

    /// The pages of a deferred checkpoint are packed.
    fn packed(&self, screen: Weak<Screen>);
}

/// The emulator of a pane, its record on disk, and the clients to wake when it has changed.
pub(crate) struct Screen {
    pane: PaneId,
    body: Mutex<Body>,
    trackers: Mutex<Vec<Arc<dyn ScreenViewer>>>,
    /// Whether the event loop has asked to be notified of the next output.
    is_output_requested: AtomicBool,
    is_asleep: AtomicBool,
}

struct Body {
    /// None while the screen is on disk alone. [`Screen::lock`] loads it.
    emulator: Option<Box<Emulator>>,
    record: Option<Record>,
}

impl Screen {
    /// A screen that is in memory only.
    pub(crate) fn new(pane: PaneId, emulator: Emulator) -> Arc<Self> {
        Self::with(pane, Some(Box::new(emulator)), None)
    }

    /// The screen of a sleeping pane, on disk. It is loaded when it is needed.
    pub(crate) fn asleep(pane: PaneId, record: Record) -> Arc<Self> {
        let screen = Self::with(pane, None, Some(record));
        screen.fall_asleep();
        screen
    }

    /// A screen on disk whose program still runs.
    pub(crate) fn found(pane: PaneId, record: Record) -> Arc<Self> {
        Self::with(pane, None, Some(record))
    }

    /// Records all further changes.
    pub(crate) fn keep(self: &Arc<Self>, mut record: Record) {
        record.belongs_to(Arc::downgrade(self));
        let mut body = self.body();
        if let Some(emulator) = &mut body.emulator {
            record.begin(emulator);
        }
        body.record = Some(record);
    }

    /// Whether it has a record on disk.
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
                is_output_requested: AtomicBool::new(true),
                is_asleep: AtomicBool::new(false),
            }
        })
    }

    pub(crate) fn pane(&self) -> PaneId {
        self.pane
    }

    /// Locks the emulator, loading it if needed. Must not be held across an await.
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

    /// Gives access to the record without loading the emulator.
    pub(crate) fn with_record<T>(&self, look: impl FnOnce(&mut Record) -> T) -> Option<T> {
        self.body().record.as_mut().map(look)
    }

    /// Gives access to the record and the emulator. None if either is absent.
    pub(crate) fn with_both<T>(
        &self,
        look: impl FnOnce(&mut Record, &mut Emulator) -> T,
    ) -> Option<T> {
        let mut body = self.body();
        let Body { emulator, record } = &mut *body;
        Some(look(record.as_mut()?, emulator.as_mut()?))
    }

    /// Its whole text. None if it is not in memory: it is not loaded for that.
    pub(crate) fn reading(&self) -> Option<Reading> {
        let body = self.body();
        let printed = body.emulator.as_ref()?.printed();
        let history = body.record.as_ref().and_then(Record::pages);
        drop(body);
        Some(Reading::new(printed, history.as_ref()))
    }

    /// Where it is on disk, if its pane sleeps.
    pub(crate) fn at_rest(&self) -> Option<Kept> {
        if !self.is_asleep.load(Ordering::Relaxed) {
            return None;
        }
        self.body().record.as_ref().map(Record::kept)
    }

    /// The directory of its record, if the screen is on disk alone and that directory is gone.
    pub(crate) fn lost_place(&self) -> Option<PathBuf> {
        let body = self.body();
        let record = body.record.as_ref().filter(|_| body.emulator.is_none())?;
        let path = record.dir().path();
        (!path.is_dir()).then(|| path.to_owned())
    }

    /// Writes output to the journal that was shown before it was written.
    pub(crate) fn write_down(&self) {
        if let Some(record) = &mut self.body().record {
            record.write_down();
        }
    }

    /// Its pane is asleep, so that the screen may be unloaded.
    pub(crate) fn fall_asleep(&self) {
        self.is_asleep.store(true, Ordering::Relaxed);
    }

    pub(crate) fn wake_up(&self) {
        self.is_asleep.store(false, Ordering::Relaxed);
    }

    /// Drops it from memory, if its pane sleeps, no client shows it, and all of it is on disk.
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

    /// How many bytes of memory its emulator takes.
    pub(crate) fn memory(&self) -> usize {
        let body = self.body();
        body.emulator
            .as_ref()
            .map_or(0, |emulator| emulator.memory())
    }

    /// Ends its record.
    pub(crate) fn take_record(&self) -> Option<Record> {
        // Load the screen before the record is gone: it may be on disk alone.
        self.lock().body.record.take()
    }

    fn body(&self) -> MutexGuard<'_, Body> {
        // A poisoned lock is used on: a panic in the emulator is a bug, and must not take the other panes down.
        self.body.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets which clients show this pane.
    pub(crate) fn set_trackers(&self, trackers: Vec<Arc<impl ScreenViewer + 'static>>) {
        let trackers = trackers.into_iter();
        let trackers = trackers.map(|tracker| -> Arc<dyn ScreenViewer> { tracker });
        *self.trackers.lock().unwrap_or_else(PoisonError::into_inner) = trackers.collect();
    }

    /// Requests one `Event::Printed` at the next output.
    pub(crate) fn request_output_notice(&self) {
        self.is_output_requested.store(true, Ordering::Relaxed);
    }

    /// Whether the event loop has to be notified of output. True only once for each request.
    pub(crate) fn take_output_request(&self) -> bool {
        self.is_output_requested.load(Ordering::Relaxed)
            && self.is_output_requested.swap(false, Ordering::Relaxed)
    }

    /// Wakes the clients that show the pane, after a change.
    pub(crate) fn changed(&self) {
        for tracker in self.note_change().iter() {
            tracker.wake();
        }
    }

    /// Like [`Screen::changed`], for output that answers a key: it does not wait for the frame clock.
    pub(crate) fn answered(&self) {
        let trackers = self.note_change();
        for tracker in trackers.iter() {
            tracker.hurry();
        }
        Self::show(trackers);
    }

    /// Like [`Screen::changed`], for a little output: it is painted at once if possible.
    pub(crate) fn changed_a_little(&self) {
        Self::show(self.note_change());
    }

    /// Paints a change before this returns, if a single client shows the pane; otherwise wakes the clients.
    fn show(trackers: MutexGuard<'_, Vec<Arc<dyn ScreenViewer>>>) {
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

    /// Notes a change for every client that shows the pane.
    fn note_change(&self) -> MutexGuard<'_, Vec<Arc<dyn ScreenViewer>>> {
        // Under the emulator's lock, so that no frame is composed between the change and the note about it.
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

/// A locked screen. It can be read freely; every method that changes it writes the change to the journal first, so that
/// the next server comes to the same screen.
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

    /// Feeds output of the program or of the server.
    pub(crate) fn feed(&mut self, bytes: &[u8], effects: &mut Effects) {
        let time = record::now();
        let emulator = self.change(&Entry::Output { time, bytes });
        record::set_time(emulator, time);
        emulator.feed(bytes, effects);
    }

    /// Feeds what is in a pane's transit pipe. The bytes are in `buffer` afterwards.
    pub(crate) fn take_in(
        &mut self,
        pty: &Arc<dyn Pty>,
        count: usize,
        buffer: &mut Vec<u8>,
        effects: &mut Effects,
    ) {
        let time = record::now();
        let Body { emulator, record } = &mut *self.body;
        match (record, pty.transit_pipe()) {
            (Some(record), _) => record.take_in(pty, count, time, buffer),
            (None, Some(transit_pipe)) => record::read_exactly(transit_pipe, count, buffer),
            (None, None) => buffer.clear(),
        }
        if let Some(emulator) = emulator {
            record::set_time(emulator, time);
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

    /// A copy without a record.
    pub(crate) fn copied(&self) -> Emulator {
        (**self).clone()
    }
}
