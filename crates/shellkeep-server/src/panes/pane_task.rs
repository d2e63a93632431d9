//! The two tasks of a pane with a program: one reads the PTY and feeds the screen, the other writes input that the PTY
//! did not take at once. Other receivers of the output put a tap on the pane (`tap.rs`). The tasks never wait for a
//! client.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::mem::discriminant;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use shellkeep_core::PaneId;
use shellkeep_keeper::process::bytes_waiting;
use shellkeep_keeper::{ProcessId, Pty, steps};
use shellkeep_term::{Effect, Effects, Emulator};
use tokio::sync::mpsc::error::SendError;
use tokio::sync::{Notify, mpsc};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

use crate::display::flood_throttle::FloodThrottle;
use crate::event::Event;
use crate::hibernation::prompt_filter::{Progress, PromptFilter, Redraw, StartupOutput};
use crate::model::{Backlog, Release, Sent};
use crate::panes::screen::Screen;
use crate::panes::tap::Taps;
use crate::persistence::record::LITTLE_OUTPUT;

/// How many bytes are fed before other tasks get a turn: about 50 µs of work.
const TURN_BYTES: usize = 16 << 10;

/// How long a little output that was shown may stay in the transit pipe, where it is safe, before it goes to the
/// journal. The pieces in which a program answers a key are written together that way.
const LITTLE_OUTPUT_DELAY: Duration = Duration::from_millis(1);

thread_local! {
    /// One buffer for a thread instead of one for a pane: thousands of panes cost nothing.
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(Vec::with_capacity(TURN_BYTES));
}

/// The event loop's handle of a pane's tasks. Dropping it ends them.
pub(crate) struct PaneTask {
    reader: Arc<PaneReader>,
    tasks: [AbortHandle; 2],
}

/// What is shown of the output before a shell's first prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstOutput {
    Shown,
    /// Nothing: it is held back by a prompt filter.
    Held,
}

/// Whether a pane's output is read. Locked by the reader while output is neither in the PTY nor on the screen.
struct ReadState {
    /// If false, the screen is being handed over or captured: further output is read by the next server, or later.
    is_open: bool,
    /// Output that was read meanwhile to look for marks. It is shown when reading is resumed.
    unshown: Vec<u8>,
}

/// The marks that a shell prints when a command begins and when it has ended.
const COMMAND_MARKS: [&[u8]; 2] = [b"\x1b]133;C", b"\x1b]133;D"];

impl PaneTask {
    pub(crate) fn start(
        (pane, process): (PaneId, ProcessId),
        (pty, backlog): (Arc<dyn Pty>, Arc<Backlog>),
        (screen, taps): (Arc<Screen>, Arc<Taps>),
        events: mpsc::Sender<Event>,
        flood_throttle: Arc<FloodThrottle>,
        before: FirstOutput,
    ) -> Self {
        let hold = match before {
            FirstOutput::Shown => None,
            FirstOutput::Held => Some(PromptFilter::Startup(StartupOutput::default())),
        };
        let hold = Mutex::new(hold);
        let input = Arc::new(InputQueue {
            pty,
            backlog,
            first: Mutex::default(),
            last: Mutex::default(),
            unanswered: Mutex::default(),
            grown: Notify::new(),
            look_again: Notify::new(),
        });
        let reader = Arc::new(PaneReader {
            pane,
            process,
            input: input.clone(),
            screen,
            taps,
            hold,
            events,
            drain: Notify::new(),
            flood_throttle,
            reading: Mutex::new(ReadState {
                is_open: true,
                unshown: Vec::new(),
            }),
            asked: Mutex::default(),
            has_transit_pipe: AtomicBool::new(true),
        });
        let tasks = [
            tokio::spawn(reader.clone().run()).abort_handle(),
            tokio::spawn(write_pending(input)).abort_handle(),
        ];
        Self { reader, tasks }
    }

    /// Hides the prompt that the shell is about to redraw, since it is on the screen already.
    pub(crate) fn hide_redraw(&self) {
        let mut hold = self.reader.hold();
        hold.get_or_insert(PromptFilter::Redraw(Redraw::default()));
    }

    /// Shows the output that was held back, because no prompt came in time.
    pub(crate) fn show_held_output(&self) {
        let mut hold = self.reader.hold();
        if let Some(mut held) = hold.take() {
            let mut shown = Vec::new();
            held.give_up(&mut shown);
            // Its queries were answered when they were held back.
            self.reader.screen.lock().feed(&shown, &mut Effects::new());
            self.reader.taps.printed(self.reader.pane, &shown);
            self.reader.screen.changed();
        }
    }

    /// Stops reading. When this returns, all that was read is on the screen, and the rest stays in the PTY.
    pub(crate) fn stop_reading(&self) {
        let mut reading = self.reader.reading();
        reading.is_open = false;
        let unshown = std::mem::take(&mut reading.unshown);
        if !unshown.is_empty() {
            // Its effects are dropped: the event loop is leaving or capturing.
            self.reader
                .screen
                .lock()
                .feed(&unshown, &mut Effects::new());
        }
    }

    pub(crate) fn read_again(&self) {
        let mut reading = self.reader.reading();
        reading.is_open = true;
        self.reader.input.look_again.notify_one();
    }

    /// Whether the shell has begun or ended a command since reading was stopped.
    pub(crate) fn has_run_unseen(&self) -> bool {
        COMMAND_MARKS.into_iter().any(|mark| self.has_unseen(mark))
    }

    /// Whether these bytes were printed since reading was stopped.
    pub(crate) fn has_unseen(&self, wanted: &[u8]) -> bool {
        let mut reading = self.reader.reading();
        if reading.is_open {
            return false;
        }
        BUFFER.with_borrow_mut(|buffer| {
            buffer.resize(TURN_BYTES, 0);
            while let Ok(count @ 1..) = self.reader.input.pty.try_read(buffer) {
                reading.unshown.extend_from_slice(&buffer[..count]);
                if reading.unshown.len() >= TURN_BYTES {
                    break;
                }
            }
        });
        let mut unshown = reading.unshown.windows(wanted.len());
        unshown.any(|it| it == wanted)
    }

    /// Sends the program input: at once as far as there is room, the rest in order.
    pub(crate) fn write(&self, bytes: &[u8]) {
        self.reader.input.unanswered().given();
        self.reader.input.write(bytes);
    }

    /// Releases the held input to the program, before anything that is written later, with a key of the server's behind
    /// so many bytes of it.
    pub(crate) fn release(&self, key: Option<(usize, Vec<u8>)>) {
        let input = self.reader.input.clone();
        let backlog = input.backlog.clone();
        let modes = Emulator::modes(&self.reader.screen.lock());
        if let Some(release) = backlog.release(&modes, key) {
            input.last().note(&backlog.bytes());
            backlog.request(move || input.give_backlog(release));
        }
    }

    /// Sends the program the terminal's reply to a query.
    pub(crate) fn reply(&self, bytes: &[u8]) {
        self.reader.input.reply(bytes);
    }

    /// Reads what is left, since the program has ended, and then reports the end of the output.
    pub(crate) fn drain(&self) {
        self.reader.drain.notify_one();
    }

    /// When input was last sent to it.
    pub(crate) fn last_write(&self) -> Option<std::time::Instant> {
        self.reader.input.last().at
    }

    /// The last input that was sent to it.
    pub(crate) fn last_written(&self) -> Vec<u8> {
        self.reader.input.last().bytes.clone()
    }

    pub(crate) fn pty(&self) -> &Arc<dyn Pty> {
        &self.reader.input.pty
    }
}

impl Drop for PaneTask {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Output that comes later than this after the last input is not taken for an answer to it.
const ANSWER_TIME: Duration = Duration::from_millis(100);

/// Replies are dropped while a program has this many bytes of unread input.
const MAX_UNREAD: usize = 64 << 10;

/// Among how many of the latest effects one of the same kind is replaced.
const MERGED_EFFECTS: usize = 8;

/// Input on its way to a program. Unbounded on purpose: a paste of any size must arrive whole.
struct InputQueue {
    pty: Arc<dyn Pty>,
    /// Input that did not fit into the PTY, or that the program may not have yet.
    backlog: Arc<Backlog>,
    /// Replies and keys of the server's that did not fit while the backlog was held. They go before the backlog. Every
    /// task that writes to the PTY holds this lock, so that writes do not interleave.
    first: Mutex<Vec<u8>>,
    last: Mutex<LastWrite>,
    unanswered: Mutex<Unanswered>,
    grown: Notify,
    /// Notified when reading is resumed.
    look_again: Notify,
}

/// Input that the program has not answered with output yet.
#[derive(Default)]
struct Unanswered {
    count: usize,
    last: Option<Instant>,
}

impl Unanswered {
    fn given(&mut self) {
        self.count += 1;
        self.last = Some(Instant::now());
    }

    /// Whether output that has come now answers input: at most once for each input, and within [`ANSWER_TIME`] of the
    /// last one.
    fn is_answer(&mut self) -> bool {
        if self.last.is_none_or(|last| last.elapsed() > ANSWER_TIME) {
            *self = Self::default();
        }
        let is_answer = self.count > 0;
        self.count = self.count.saturating_sub(1);
        is_answer
    }
}

/// The last input that a program was sent.
#[derive(Default)]
struct LastWrite {
    at: Option<std::time::Instant>,
    bytes: Vec<u8>,
}

impl LastWrite {
    /// How many bytes are kept: more than a user types to find something.
    const MAX_BYTES: usize = 256;

    fn note(&mut self, bytes: &[u8]) {
        self.at = Some(std::time::Instant::now());
        let new = &bytes[bytes.len().saturating_sub(Self::MAX_BYTES)..];
        let extra = (self.bytes.len() + new.len()).saturating_sub(Self::MAX_BYTES);
        self.bytes.drain(..extra);
        self.bytes.extend_from_slice(new);
    }
}

impl InputQueue {
    /// Sends a reply to a query of the program. A program that queries and does not read gets no more replies: they
    /// would fill the memory as fast as it prints.
    fn reply(&self, bytes: &[u8]) {
        if self.unread() < MAX_UNREAD {
            self.write(bytes);
        }
    }

    /// Writes after all input that is on its way, but before input that is held.
    fn write(&self, bytes: &[u8]) {
        let mut first = self.first();
        let is_held = self.backlog.is_held();
        let is_next = first.is_empty() && (is_held || self.backlog.is_empty());
        let written = match is_next {
            true => self.pty.try_write(bytes).unwrap_or(0),
            false => 0,
        };
        let rest = &bytes[written..];
        if !rest.is_empty() {
            match is_held {
                true => first.extend_from_slice(rest),
                false => self.backlog.push(rest),
            }
            self.grown.notify_one();
        }
        drop(first);
        self.last().note(bytes);
    }

    /// How many bytes the terminal had no room for.
    fn unread(&self) -> usize {
        let on_its_way = match self.backlog.is_on_its_way() {
            true => self.backlog.len(),
            false => 0,
        };
        self.first().len() + on_its_way
    }

    /// Writes as much of a released backlog as there is room for; the rest follows as the program reads.
    fn give_backlog(&self, release: Release) {
        if !self.backlog.open(release) {
            return;
        }
        let first = self.first();
        if !first.is_empty() || matches!(self.backlog.send(&*self.pty), Ok(Sent::Some)) {
            self.grown.notify_one();
        }
    }

    fn unanswered(&self) -> MutexGuard<'_, Unanswered> {
        let unanswered = self.unanswered.lock();
        unanswered.unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what did not fit, waiting for room.
    fn poll_rest(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut first = self.first();
        while !first.is_empty() {
            let count = ready!(self.pty.poll_write(cx, &first))?;
            first.drain(..count);
        }
        self.backlog.poll_send(cx, &*self.pty)
    }

    fn first(&self) -> MutexGuard<'_, Vec<u8>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last(&self) -> MutexGuard<'_, LastWrite> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes what did not fit, as the program reads.
async fn write_pending(queue: Arc<InputQueue>) {
    loop {
        queue.grown.notified().await;
        let result = poll_fn(|cx| queue.poll_rest(cx)).await;
        if result.is_err() {
            // The terminal is closed, so no program will read it. The reader sees the end by itself.
            return;
        }
    }
}

struct PaneReader {
    pane: PaneId,
    /// The process whose output is read. Every event names it, since the pane may have another process when the event
    /// is handled.
    process: ProcessId,
    input: Arc<InputQueue>,
    screen: Arc<Screen>,
    taps: Arc<Taps>,
    /// Holds back part of the output.
    hold: Mutex<Option<PromptFilter>>,
    events: mpsc::Sender<Event>,
    drain: Notify,
    reading: Mutex<ReadState>,
    flood_throttle: Arc<FloodThrottle>,
    /// Effects of the output that the event loop has not been sent yet.
    asked: Mutex<Effects>,
    /// False once a kernel was found to be unable to splice into the transit pipe.
    has_transit_pipe: AtomicBool,
}

/// The result of one turn of reading.
enum Turn {
    /// There may be more to read.
    More,
    /// Everything was read.
    Rest,
    /// A little was read, such as a key's echo. Whether there is more was not tried.
    Little,
    End,
}

impl PaneReader {
    async fn run(self: Arc<Self>) {
        // When the little output that was shown is to be written to the journal and reported to the event loop.
        let mut due = None;
        self.take_leftovers();
        loop {
            let turn = tokio::select! {
                biased;
                turn = poll_fn(|cx| self.poll_turn(cx)) => turn,
                () = self.input.look_again.notified() => continue,
                () = self.drain.notified() => {
                    self.read_rest();
                    Turn::End
                }
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    due = None;
                    self.screen.write_down();
                    if self.report_output().await.is_err() {
                        return;
                    }
                    continue;
                }
            };
            let is_news = match turn {
                Turn::Little => {
                    let now = Instant::now();
                    *due.get_or_insert(now + LITTLE_OUTPUT_DELAY) <= now
                }
                Turn::More | Turn::Rest => true,
                Turn::End => due.is_some(),
            };
            if is_news && self.report_output().await.is_err() {
                return;
            }
            if self.send_effects().await.is_err() {
                return;
            }
            // A flood here must not slow down other panes.
            match turn {
                Turn::More => self.flood_throttle.between_turns().await,
                // The last piece of a burst may be a little as well, and nothing follows that would write it.
                Turn::Rest => self.screen.write_down(),
                Turn::Little => {}
                Turn::End => {
                    let (pane, process) = (self.pane, self.process);
                    let _ = self.events.send(Event::Ended { pane, process }).await;
                    return;
                }
            }
        }
    }

    /// Reports output to the event loop, if it has asked for that.
    async fn report_output(&self) -> Result<(), SendError<Event>> {
        if self.screen.take_output_request() {
            let (pane, process) = (self.pane, self.process);
            let printed = Event::Printed { pane, process };
            self.events.send(printed).await?;
        }
        Ok(())
    }

    /// Sends the event loop the effects of the output.
    async fn send_effects(&self) -> Result<(), SendError<Event>> {
        let effects = std::mem::take(&mut *self.asked());
        if effects.is_empty() {
            return Ok(());
        }
        let asked = Event::Effects {
            pane: self.pane,
            process: self.process,
            effects,
        };
        self.events.send(asked).await
    }

    fn asked(&self) -> MutexGuard<'_, Effects> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold(&self) -> MutexGuard<'_, Option<PromptFilter>> {
        self.hold.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reading(&self) -> MutexGuard<'_, ReadState> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads up to a turn's worth of output and feeds it to the screen.
    fn poll_turn(&self, cx: &mut Context<'_>) -> Poll<Turn> {
        let mut reading = self.reading();
        if !reading.is_open {
            return Poll::Pending;
        }
        if self.show_unshown(&mut reading) {
            return Poll::Ready(Turn::Rest);
        }
        BUFFER.with_borrow_mut(|buffer| {
            let mut fed = 0;
            let turn = loop {
                match self.poll_some(cx, buffer) {
                    Poll::Ready(Ok(0) | Err(_)) => break Poll::Ready(Turn::End),
                    Poll::Ready(Ok(count)) if fed == 0 && count <= LITTLE_OUTPUT => {
                        fed = count;
                        break Poll::Ready(Turn::Little);
                    }
                    Poll::Ready(Ok(count)) => fed += count,
                    Poll::Pending if fed == 0 => break Poll::Pending,
                    Poll::Pending => break Poll::Ready(Turn::Rest),
                }
                if fed >= TURN_BYTES {
                    break Poll::Ready(Turn::More);
                }
            };
            if fed > 0 {
                self.show(&turn);
            }
            turn
        })
    }

    /// Wakes the clients that show the pane.
    fn show(&self, turn: &Poll<Turn>) {
        match turn {
            // A flood is no answer to a key: its frames follow the frame clock.
            Poll::Ready(Turn::More) => self.screen.changed(),
            _ if self.input.unanswered().is_answer() => self.screen.answered(),
            Poll::Ready(Turn::Little) => self.screen.changed_a_little(),
            _ => self.screen.changed(),
        }
        if matches!(turn, Poll::Ready(Turn::Little)) {
            steps::reached("echoed");
        }
    }

    /// Shows output that was read while reading was stopped. Returns whether there was some.
    fn show_unshown(&self, reading: &mut ReadState) -> bool {
        let unshown = std::mem::take(&mut reading.unshown);
        if !unshown.is_empty() {
            self.feed(&unshown);
            self.screen.changed();
        }
        !unshown.is_empty()
    }

    /// Reads once and feeds the screen. Returns how many bytes were read.
    fn poll_some(&self, cx: &mut Context<'_>, buffer: &mut Vec<u8>) -> Poll<io::Result<usize>> {
        let mut hold = self.hold();
        if let Some(held) = hold.as_mut() {
            // Not through the transit pipe: everything in the journal must be on the screen, and this may be dropped.
            buffer.resize(TURN_BYTES, 0);
            let count = ready!(self.input.pty.poll_read(cx, buffer))?;
            let mut shown = Vec::new();
            let progress = held.take(&buffer[..count], &mut shown);
            if count == 0 {
                held.give_up(&mut shown);
            }
            if progress == Progress::Over || count == 0 {
                *hold = None;
            }
            if !shown.is_empty() {
                self.feed(&shown);
            }
            return Poll::Ready(Ok(count));
        }
        drop(hold);
        if self.transit_pipe().is_some() {
            let passed = ready!(self.input.pty.poll_transit(cx, TURN_BYTES));
            match passed {
                Err(error) if error.kind() == ErrorKind::Unsupported => {
                    self.do_without_transit_pipe()
                }
                Err(error) => return Poll::Ready(Err(error)),
                Ok(count) => {
                    self.take_in(count, buffer);
                    return Poll::Ready(Ok(count));
                }
            }
        }
        buffer.resize(TURN_BYTES, 0);
        let count = ready!(self.input.pty.poll_read(cx, buffer))?;
        self.feed(&buffer[..count]);
        Poll::Ready(Ok(count))
    }

    /// Reads what a program that has ended left in its terminal.
    fn read_rest(&self) {
        let mut reading = self.reading();
        if !reading.is_open {
            return;
        }
        self.show_unshown(&mut reading);
        let mut hold = self.hold();
        if let Some(mut held) = hold.take() {
            let mut shown = Vec::new();
            held.give_up(&mut shown);
            self.feed(&shown);
        }
        drop(hold);
        BUFFER.with_borrow_mut(|buffer| {
            loop {
                let read = match self.transit_pipe() {
                    Some(_) => self.input.pty.try_transit(TURN_BYTES).inspect(|count| {
                        self.take_in(*count, buffer);
                    }),
                    None => {
                        buffer.resize(TURN_BYTES, 0);
                        let read = self.input.pty.try_read(buffer);
                        read.inspect(|count| self.feed(&buffer[..*count]))
                    }
                };
                match read {
                    Ok(count) if count > 0 => {}
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == ErrorKind::Unsupported => {
                        self.do_without_transit_pipe();
                    }
                    _ => break,
                }
            }
            self.screen.write_down();
            self.screen.changed();
        });
    }

    /// Feeds what a killed server left in the transit pipe, on its way from the terminal to the journal.
    fn take_leftovers(&self) {
        let Some(transit_pipe) = self.transit_pipe() else {
            return;
        };
        let count = bytes_waiting(transit_pipe);
        if count > 0 {
            BUFFER.with_borrow_mut(|buffer| self.take_in(count, buffer));
            self.screen.changed();
        }
    }

    /// The pipe through which output goes to the journal, so that it is never in this process's memory alone.
    fn transit_pipe(&self) -> Option<BorrowedFd<'_>> {
        let transit_pipe = self.input.pty.transit_pipe()?;
        self.has_transit_pipe
            .load(Ordering::Relaxed)
            .then_some(transit_pipe)
    }

    /// Reads without the transit pipe from now on: this kernel does not support it.
    fn do_without_transit_pipe(&self) {
        tracing::warn!(pane = %self.pane, "the kernel cannot splice output into a transit pipe");
        self.has_transit_pipe.store(false, Ordering::Relaxed);
    }

    /// Feeds the screen from the transit pipe.
    fn take_in(&self, count: usize, buffer: &mut Vec<u8>) {
        if count > 0 {
            let mut effects = Effects::new();
            let pty = &self.input.pty;
            let mut screen = self.screen.lock();
            screen.take_in(pty, count, buffer, &mut effects);
            drop(screen);
            self.pass_on(buffer, effects);
        }
    }

    /// Feeds the screen. Replies go back to the program at once, also when no client is attached.
    fn feed(&self, bytes: &[u8]) {
        let mut effects = Effects::new();
        self.screen.lock().feed(bytes, &mut effects);
        self.pass_on(bytes, effects);
    }

    fn pass_on(&self, bytes: &[u8], effects: Effects) {
        self.taps.printed(self.pane, bytes);
        for effect in effects {
            match effect {
                Effect::Reply(reply) => self.input.reply(&reply),
                effect => add_effect(&mut self.asked(), effect),
            }
        }
    }
}

/// Adds an effect. A bell or title replaces an earlier one, so that a flood of them is one.
fn add_effect(effects: &mut Effects, effect: Effect) {
    let is_merged = matches!(
        effect,
        Effect::Bell | Effect::Title(_) | Effect::IconName(_)
    );
    let start = effects.len().saturating_sub(MERGED_EFFECTS);
    let mut latest = effects[start..].iter_mut();
    let same = latest.find(|it| discriminant(*it) == discriminant(&effect));
    match same.filter(|_| is_merged) {
        Some(same) => *same = effect,
        None => effects.push(effect),
    }
}
