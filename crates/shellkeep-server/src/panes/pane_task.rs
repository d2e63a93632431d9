//! A pane's tasks: one reads its PTY and feeds its screen, one writes what the PTY did not take at once. Whoever else wants
//! the bytes puts a tap on the pane: see `tap.rs`.

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
use shellkeep_term::{Effect, Effects};
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
use crate::persistence::record::LITTLE;

/// Bytes fed before other tasks get a turn: some fifty microseconds of work.
const TURN: usize = 16 << 10;

/// How long a little output that is shown stays in the transit pipe, where it is safe, before it is written down. A program that answers a key in
/// several pieces has them written together.
const A_LITTLE_LATER: Duration = Duration::from_millis(1);

thread_local! {
    /// One buffer a thread, not one a pane: thousands of panes cost nothing.
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(Vec::with_capacity(TURN));
}

/// A running pane: what the event loop holds of its tasks.
pub(crate) struct PaneTask {
    reader: Arc<Reader>,
    tasks: [AbortHandle; 2],
}

/// Whether all that a program prints is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// All of it.
    Shown,
    /// What it prints before its first prompt is held back.
    Held,
}

/// Whether a pane's output is read. Held by the reader for as long as output is neither in the PTY nor
/// on the screen.
struct Reading {
    /// If not, the screen is handed over, or being written down: what comes now is the next server's to read, or for later.
    is_open: bool,
    /// What was looked at meanwhile. It is shown when reading goes on.
    unshown: Vec<u8>,
}

/// What a shell prints when it begins a command, and when it has ended one.
const COMMAND_MARKS: [&[u8]; 2] = [b"\x1b]133;C", b"\x1b]133;D"];

impl PaneTask {
    pub(crate) fn start(
        (pane, process): (PaneId, ProcessId),
        (pty, backlog): (Arc<dyn Pty>, Arc<Backlog>),
        (screen, taps): (Arc<Screen>, Arc<Taps>),
        events: mpsc::Sender<Event>,
        flood_throttle: Arc<FloodThrottle>,
        before: Before,
    ) -> Self {
        let hold = match before {
            Before::Shown => None,
            Before::Held => Some(PromptFilter::Startup(StartupOutput::default())),
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
        let reader = Arc::new(Reader {
            pane,
            process,
            input: input.clone(),
            screen,
            taps,
            hold,
            events,
            drain: Notify::new(),
            flood_throttle,
            reading: Mutex::new(Reading {
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

    /// The shell is about to draw its prompt once more, as it is: nobody is to see that.
    pub(crate) fn hide_redraw(&self) {
        let mut hold = self.reader.hold();
        hold.get_or_insert(PromptFilter::Redraw(Redraw::default()));
    }

    /// Shows what was held back: no prompt came in time.
    pub(crate) fn show_held_output(&self) {
        let mut hold = self.reader.hold();
        if let Some(mut held) = hold.take() {
            let mut shown = Vec::new();
            held.give_up(&mut shown);
            // Nothing in it asks for an answer: that was passed on.
            self.reader.screen.lock().feed(&shown, &mut Effects::new());
            self.reader.taps.printed(self.reader.pane, &shown);
            self.reader.screen.changed();
        }
    }

    /// Reads nothing any more: whatever was read is on the screen when this returns, and the rest stays
    /// in the PTY.
    pub(crate) fn stop_reading(&self) {
        let mut reading = self.reader.reading();
        reading.is_open = false;
        let unshown = std::mem::take(&mut reading.unshown);
        if !unshown.is_empty() {
            // Nobody is left to be told of what is in it.
            self.reader
                .screen
                .lock()
                .feed(&unshown, &mut Effects::new());
        }
    }

    /// Goes on reading.
    pub(crate) fn read_again(&self) {
        let mut reading = self.reader.reading();
        reading.is_open = true;
        self.reader.input.look_again.notify_one();
    }

    /// Whether a shell has begun or ended a command since its output is not read.
    pub(crate) fn has_run_unseen(&self) -> bool {
        COMMAND_MARKS.into_iter().any(|mark| self.has_unseen(mark))
    }

    /// Whether something was printed since the output is not read.
    pub(crate) fn has_unseen(&self, wanted: &[u8]) -> bool {
        let mut reading = self.reader.reading();
        if reading.is_open {
            return false;
        }
        BUFFER.with_borrow_mut(|buffer| {
            buffer.resize(TURN, 0);
            while let Ok(count @ 1..) = self.reader.input.pty.try_read(buffer) {
                reading.unshown.extend_from_slice(&buffer[..count]);
                if reading.unshown.len() >= TURN {
                    break;
                }
            }
        });
        let mut unshown = reading.unshown.windows(wanted.len());
        unshown.any(|it| it == wanted)
    }

    /// Gives the program input: at once if there is room, in order and completely in any case.
    pub(crate) fn write(&self, bytes: &[u8]) {
        self.reader.input.unanswered().given();
        self.reader.input.write(bytes);
    }

    /// Has the program get what was held, before whatever is written from now on, with a key of ours behind so many bytes of it.
    pub(crate) fn release(&self, key: Option<(usize, Vec<u8>)>) {
        let input = self.reader.input.clone();
        let backlog = input.backlog.clone();
        if let Some(release) = backlog.release(key) {
            input.last().note(&backlog.bytes());
            backlog.request(move || input.give_backlog(release));
        }
    }

    /// Answers what the program asked.
    pub(crate) fn reply(&self, bytes: &[u8]) {
        self.reader.input.reply(bytes);
    }

    /// The program has ended: read what is left and say so.
    pub(crate) fn drain(&self) {
        self.reader.drain.notify_one();
    }

    /// When it was last given some.
    pub(crate) fn last_write(&self) -> Option<std::time::Instant> {
        self.reader.input.last().at
    }

    /// The last that it was given.
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

/// Answers are dropped while a program has so many bytes to read.
const MAX_UNREAD: usize = 64 << 10;

/// Wishes among which an earlier one of the same kind is looked for.
const MERGED_WISHES: usize = 8;

/// Input on its way to a program. Unbounded on purpose: a paste of any size must arrive whole.
struct InputQueue {
    pty: Arc<dyn Pty>,
    /// What did not fit yet, and what the program may not have yet.
    backlog: Arc<Backlog>,
    /// Answers and keys of ours that did not fit while the backlog is held: they go before it. Every task that writes to the terminal locks it.
    first: Mutex<Vec<u8>>,
    last: Mutex<LastWrite>,
    unanswered: Mutex<Unanswered>,
    grown: Notify,
    /// Reading goes on after it was stopped.
    look_again: Notify,
}

/// Input that a program has not answered by output yet.
#[derive(Default)]
struct Unanswered {
    /// How often it was given some.
    count: usize,
    last: Option<Instant>,
}

impl Unanswered {
    fn given(&mut self) {
        self.count += 1;
        self.last = Some(Instant::now());
    }

    /// Whether output that has come now answers input: once for each time that input was given, and soon after the last time.
    fn is_answer(&mut self) -> bool {
        if self.last.is_none_or(|last| last.elapsed() > ANSWER_TIME) {
            *self = Self::default();
        }
        let is_answer = self.count > 0;
        self.count = self.count.saturating_sub(1);
        is_answer
    }
}

/// What a program was given last.
#[derive(Default)]
struct LastWrite {
    at: Option<std::time::Instant>,
    bytes: Vec<u8>,
}

impl LastWrite {
    /// So much is remembered: more than anybody types to look for something.
    const MOST: usize = 256;

    fn note(&mut self, bytes: &[u8]) {
        self.at = Some(std::time::Instant::now());
        let new = &bytes[bytes.len().saturating_sub(Self::MOST)..];
        let extra = (self.bytes.len() + new.len()).saturating_sub(Self::MOST);
        self.bytes.drain(..extra);
        self.bytes.extend_from_slice(new);
    }
}

impl InputQueue {
    /// Answers what the program asked of its terminal. One that asks and does not read gets no more answers: they would fill the
    /// memory as fast as it prints.
    fn reply(&self, bytes: &[u8]) {
        if self.unread() < MAX_UNREAD {
            self.write(bytes);
        }
    }

    /// Writes behind all that is on its way, but not behind what is held.
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

    /// How much the terminal had no room for.
    fn unread(&self) -> usize {
        let on_its_way = match self.backlog.is_on_its_way() {
            true => self.backlog.len(),
            false => 0,
        };
        self.first().len() + on_its_way
    }

    /// Writes as much of a released backlog as there is room for now; the rest follows as the program makes room.
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

/// Writes what did not fit, as the program makes room.
async fn write_pending(queue: Arc<InputQueue>) {
    loop {
        queue.grown.notified().await;
        let result = poll_fn(|cx| queue.poll_rest(cx)).await;
        if result.is_err() {
            // Nobody will read it any more; the reader sees the end by itself.
            return;
        }
    }
}

struct Reader {
    pane: PaneId,
    /// Whose output it reads. All that it tells the event loop names it: the pane may have another by the time it is heard.
    process: ProcessId,
    input: Arc<InputQueue>,
    screen: Arc<Screen>,
    taps: Arc<Taps>,
    /// What is held back of the output.
    hold: Mutex<Option<PromptFilter>>,
    events: mpsc::Sender<Event>,
    drain: Notify,
    reading: Mutex<Reading>,
    flood_throttle: Arc<FloodThrottle>,
    /// What the output asks of the event loop, which was not told yet.
    asked: Mutex<Effects>,
    /// Whether output can go through the transit pipe, as far as was tried.
    has_transit_pipe: AtomicBool,
}

/// What one turn of reading came to.
enum Turn {
    /// There is more to be read.
    More,
    /// There was something, and now there is nothing.
    Rest,
    /// There was a little, such as a key's echo; whether there is more is not known.
    Little,
    End,
}

impl Reader {
    async fn run(self: Arc<Self>) {
        // When what was shown first is to be written down, and told of.
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
                    if self.tell_of_output().await.is_err() {
                        return;
                    }
                    continue;
                }
            };
            let is_news = match turn {
                Turn::Little => {
                    let now = Instant::now();
                    *due.get_or_insert(now + A_LITTLE_LATER) <= now
                }
                Turn::More | Turn::Rest => true,
                Turn::End => due.is_some(),
            };
            if is_news && self.tell_of_output().await.is_err() {
                return;
            }
            if self.tell_of_wishes().await.is_err() {
                return;
            }
            // A flood here must not be felt in another pane.
            match turn {
                Turn::More => self.flood_throttle.between_turns().await,
                // The last piece of a burst may be a little as well, and is not followed by anything that would have it written.
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

    /// Tells the event loop that something was printed, if it wants to hear of it.
    async fn tell_of_output(&self) -> Result<(), SendError<Event>> {
        if self.screen.is_output_news() {
            let (pane, process) = (self.pane, self.process);
            let printed = Event::Printed { pane, process };
            self.events.send(printed).await?;
        }
        Ok(())
    }

    /// Tells the event loop what the output asks of it.
    async fn tell_of_wishes(&self) -> Result<(), SendError<Event>> {
        let effects = std::mem::take(&mut *self.asked());
        if effects.is_empty() {
            return Ok(());
        }
        let asked = Event::Asked {
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

    fn reading(&self) -> MutexGuard<'_, Reading> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what there is, up to a turn's worth, and feeds it to the screen.
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
                    Poll::Ready(Ok(count)) if fed == 0 && count <= LITTLE => {
                        fed = count;
                        break Poll::Ready(Turn::Little);
                    }
                    Poll::Ready(Ok(count)) => fed += count,
                    Poll::Pending if fed == 0 => break Poll::Pending,
                    Poll::Pending => break Poll::Ready(Turn::Rest),
                }
                if fed >= TURN {
                    break Poll::Ready(Turn::More);
                }
            };
            if fed > 0 {
                self.show(&turn);
            }
            turn
        })
    }

    /// Shows what a turn has put on the screen.
    fn show(&self, turn: &Poll<Turn>) {
        match turn {
            // A flood answers nothing: its frames come by the clock.
            Poll::Ready(Turn::More) => self.screen.changed(),
            _ if self.input.unanswered().is_answer() => self.screen.answered(),
            Poll::Ready(Turn::Little) => self.screen.changed_a_little(),
            _ => self.screen.changed(),
        }
        if matches!(turn, Poll::Ready(Turn::Little)) {
            steps::reached("echoed");
        }
    }

    /// Shows what was looked at while nobody read. Says whether there was something.
    fn show_unshown(&self, reading: &mut Reading) -> bool {
        let unshown = std::mem::take(&mut reading.unshown);
        if !unshown.is_empty() {
            self.feed(&unshown);
            self.screen.changed();
        }
        !unshown.is_empty()
    }

    /// Reads once, and feeds what came to the screen. Says how much.
    fn poll_some(&self, cx: &mut Context<'_>, buffer: &mut Vec<u8>) -> Poll<io::Result<usize>> {
        let mut hold = self.hold();
        if let Some(held) = hold.as_mut() {
            // Not through the transit pipe: what is in the journal is on the screen.
            buffer.resize(TURN, 0);
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
            let passed = ready!(self.input.pty.poll_transit(cx, TURN));
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
        buffer.resize(TURN, 0);
        let count = ready!(self.input.pty.poll_read(cx, buffer))?;
        self.feed(&buffer[..count]);
        Poll::Ready(Ok(count))
    }

    /// Reads what a program left behind when it ended.
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
                    Some(_) => self.input.pty.try_transit(TURN).inspect(|count| {
                        self.take_in(*count, buffer);
                    }),
                    None => {
                        buffer.resize(TURN, 0);
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

    /// Takes what a server that was killed had on its way from the terminal to the journal.
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

    /// Where output passes through, so that it is never in our memory alone.
    fn transit_pipe(&self) -> Option<BorrowedFd<'_>> {
        let transit_pipe = self.input.pty.transit_pipe()?;
        self.has_transit_pipe
            .load(Ordering::Relaxed)
            .then_some(transit_pipe)
    }

    /// This kernel cannot do it.
    fn do_without_transit_pipe(&self) {
        tracing::warn!(pane = %self.pane, "output cannot be passed through a transit pipe here");
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

    /// Feeds the screen; answers to the program go back at once, attached or not.
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
                effect => add_wish(&mut self.asked(), effect),
            }
        }
    }
}

/// Adds what a program asks for. Of bells and titles the newest counts: a flood of them asks for no more than one.
fn add_wish(wishes: &mut Effects, effect: Effect) {
    let is_merged = matches!(
        effect,
        Effect::Bell | Effect::Title(_) | Effect::IconName(_)
    );
    let start = wishes.len().saturating_sub(MERGED_WISHES);
    let mut latest = wishes[start..].iter_mut();
    let same = latest.find(|it| discriminant(*it) == discriminant(&effect));
    match same.filter(|_| is_merged) {
        Some(same) => *same = effect,
        None => wishes.push(effect),
    }
}
