//! A pane.

use std::os::fd::BorrowedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use nix::fcntl::OFlag;
use nix::sys::stat::Mode as FileMode;
use nix::unistd::Pid;
use shellkeep_copy::Remembered;
use shellkeep_core::{PaneId, Size, WindowId};
use shellkeep_keeper::process::bytes_waiting;
use shellkeep_keeper::{Exit, Generation, Held, ProcessId, Pty};
use shellkeep_shell::{Revival, Shell};
use shellkeep_sleep::Resume;
use tokio::sync::mpsc;

use crate::alarm::Timer;
use crate::event::Event;
use crate::event_loop::{Falling, IdleCapture, Report, Waker};
use crate::flood_throttle::FloodThrottle;
use crate::pane_task::{Before, PaneTask};
use crate::pipe::Pipe;
use crate::record::{Facts, Record, now};
use crate::running::Run;
use crate::screen::Screen;
use crate::state::{Backlog, Mode, Options, PaneProcess, Seconds, ShellWord};
use crate::tap::{TapKey, Taps};
use crate::ticket::Ticket;

/// What a pane's program was told of its size.
struct Told {
    size: Size,
    /// Runs for a while after that.
    timer: Option<Timer>,
    /// It has had another since.
    is_stale: bool,
}

/// A pane on its way back.
pub(crate) struct Reviving {
    /// How its shell gets its state back; none if it is a new shell.
    pub(crate) revival: Option<Revival>,
    /// The program that ran in it, and how that comes back.
    pub(crate) resume: Option<Resume>,
    /// What has returned, as far as it is known.
    pub(crate) report: Report,
    /// What is missing and was not said in the pane yet.
    pub(crate) unsaid: Vec<String>,
    /// What it goes back to if its shell does not start.
    pub(crate) sleep: Sleep,
    pub(crate) stage: RevivalStage,
    /// Goes to it behind so many bytes of what was typed.
    pub(crate) key_within: Option<(usize, &'static [u8])>,
    /// What is prepared for another attempt is of no use to this one.
    pub(crate) attempt: Ticket,
    pub(crate) began: Instant,
    pub(crate) timer: Timer,
}

/// How the program of a sleeping pane comes back: to be looked for on the disk.
#[derive(Debug)]
pub(crate) enum Rule {
    /// Nobody has asked yet.
    Unasked,
    /// It is being looked for, and the pane is to wake then if somebody wants it to.
    Sought {
        /// Who.
        waker: Option<Waker>,
        /// No other answer than the one to this question counts.
        question: Ticket,
    },
    Known(Resume),
}

impl Rule {
    /// Whether the pane wakes as soon as it is known.
    pub(crate) fn is_waited_for(&self) -> bool {
        matches!(self, Self::Sought { waker: Some(_), .. })
    }
}

/// How far a pane on its way back has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RevivalStage {
    /// Its shell is to show its prompt.
    Prompt,
    /// Its shell had time enough to show it, and may still do: what is typed goes to it meanwhile.
    Late,
    /// Its program was called, and is to run before it gets what was typed.
    Program,
}

/// The sleep of a pane: nothing runs, and all of it is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sleep {
    /// Since when.
    pub(crate) since: Seconds,
    pub(crate) cause: Cause,
    /// The words of the program that ran, if it was not the shell alone.
    pub(crate) program: Vec<String>,
    /// What else is known of that program.
    pub(crate) run: Run,
    /// Whether its screen was put in order for a shell that never came to its prompt: there is no old one to be erased any more.
    pub(crate) is_tidied: bool,
}

/// Why a pane sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// It was put to sleep, its shell's state with it.
    Hibernated,
    /// Its processes ended with the machine, or with the keeper.
    Lost,
    /// Its session was archived, and has been opened again.
    Reopened,
    /// It was put to sleep by force, and its shell cannot tell its state.
    Ended,
}

impl Sleep {
    /// Whether its shell was idle and told its state: it comes back as it was.
    pub(crate) fn has_state(&self) -> bool {
        self.cause == Cause::Hibernated && self.program.is_empty()
    }

    /// Whether its shell ended without being asked: it comes back as it was when it was last asked, if it was.
    pub(crate) fn may_be_captured(&self) -> bool {
        matches!(self.cause, Cause::Lost | Cause::Reopened)
    }
}

/// A screen with a program behind it.
pub(crate) struct Pane {
    pub(crate) id: PaneId,
    /// The window it is in.
    pub(crate) window: WindowId,
    pub(crate) size: Size,
    pub(crate) screen: Arc<Screen>,
    /// Who else gets what its program prints.
    pub(crate) taps: Arc<Taps>,
    /// The command its output is also passed to.
    pipe: Option<Pipe>,
    pub(crate) process: PaneProcess,
    /// The terminal's device, once it is open.
    pub(crate) tty: String,
    /// What was started in it, as typed; empty for a shell.
    pub(crate) start_command: String,
    /// The words of that.
    pub(crate) argv: Vec<String>,
    /// Where it was started.
    pub(crate) start_path: Vec<u8>,
    /// How the program ended, if it has and somebody saw it.
    pub(crate) exit: Option<Exit>,
    /// All its program printed was read, before it was known how the program ended.
    pub(crate) is_read_out: bool,
    /// Runs while a pane whose program was ended by a signal may still turn out to end with the whole system.
    pub(crate) end_grace: Option<Timer>,
    /// When it ended, if the pane was kept after that.
    pub(crate) died: Option<Seconds>,
    /// Where its program was when somebody last looked.
    pub(crate) facts: Facts,
    /// Why it has no program, if it is to have one when somebody comes.
    pub(crate) sleep: Option<Sleep>,
    /// A program is being started for it.
    pub(crate) is_waking: bool,
    /// Nothing could be started in it: it is not tried again for being looked at.
    pub(crate) has_failed: bool,
    /// All of its session slept when it began to wake.
    pub(crate) wakes_session: bool,
    /// While it sleeps or wakes, commands have sent it something to do.
    pub(crate) is_fed: bool,
    /// How its program comes back.
    pub(crate) rule: Rule,
    /// It is on its way to sleep: what is typed waits.
    pub(crate) falling: Option<Box<Falling>>,
    /// How its shell's state is kept while it runs.
    pub(crate) capture: IdleCapture,
    /// Its shell is about to be what it was: what is typed waits for its prompt.
    pub(crate) reviving: Option<Box<Reviving>>,
    /// It came back, and no command has run in it since.
    pub(crate) is_revived: bool,
    /// The shell it was started with, if that can be asked for its state.
    pub(crate) shell_program: Option<PathBuf>,
    /// What its shell says of itself.
    pub(crate) shell_word: ShellWord,
    /// When somebody last looked at it.
    pub(crate) seen: Option<Instant>,
    /// Whether keys are kept from it.
    pub(crate) input_off: bool,
    /// It was in a private session: nothing of it may be on disk, wherever it is now.
    pub(crate) is_secret: bool,
    /// Whether somebody gave it a title by hand.
    pub(crate) has_title: bool,
    /// When it was last the active one, counted in uses.
    pub(crate) used: u64,
    /// What it shows in place of its screen.
    pub(crate) mode: Option<Mode>,
    /// What was last looked for in copy mode.
    pub(crate) last_search: Option<Remembered>,
    /// Options set for it alone.
    pub(crate) options: Options,
    told: Told,
    task: Option<PaneTask>,
    /// What was typed before the program ran.
    backlog: Arc<Backlog>,
}

impl Pane {
    pub(crate) fn new(id: PaneId, window: WindowId, size: Size, screen: Arc<Screen>) -> Self {
        Self {
            id,
            window,
            size,
            screen,
            taps: Arc::default(),
            pipe: None,
            process: PaneProcess::None,
            tty: String::new(),
            start_command: String::new(),
            argv: Vec::new(),
            start_path: Vec::new(),
            exit: None,
            is_read_out: false,
            end_grace: None,
            died: None,
            facts: Facts::default(),
            sleep: None,
            is_waking: false,
            has_failed: false,
            wakes_session: false,
            is_fed: false,
            rule: Rule::Unasked,
            falling: None,
            capture: IdleCapture::default(),
            reviving: None,
            is_revived: false,
            shell_program: None,
            shell_word: ShellWord::default(),
            seen: None,
            input_off: false,
            is_secret: false,
            has_title: false,
            used: 0,
            mode: None,
            last_search: None,
            options: Options::default(),
            told: Told {
                size,
                timer: None,
                is_stale: false,
            },
            task: None,
            backlog: Arc::default(),
        }
    }

    /// What is typed before a program can take it outlives this server; what an earlier one left is there.
    pub(crate) fn keeps_input(&mut self, backlog: Backlog) {
        self.backlog = Arc::new(backlog);
    }

    /// It is gone, and what was typed into it with it.
    pub(crate) fn forget_input(&self) {
        self.backlog.forget();
    }

    /// The program runs: from now on its output is read.
    pub(crate) fn start(
        &mut self,
        held: Held,
        events: mpsc::Sender<Event>,
        flood_throttle: Arc<FloodThrottle>,
    ) {
        self.process = PaneProcess::Running(held.process);
        self.tty = held.tty;
        (self.sleep, self.is_waking) = (None, false);
        self.capture = IdleCapture::default();
        self.rule = Rule::Unasked;
        self.has_failed = false;
        self.screen.wake_up();
        let pty = held.pty.clone();
        self.screen
            .with_record(|record| record.runs(held.process, pty));
        let sinks = (self.screen.clone(), self.taps.clone());
        let before = match self.reviving.is_some() && self.shell_program.is_some() {
            true => Before::Held,
            false => Before::Shown,
        };
        let task = PaneTask::start(
            (self.id, held.process),
            (held.pty, self.backlog.clone()),
            sinks,
            events,
            flood_throttle,
            before,
        );
        if self.reviving.is_none() {
            task.release(None);
        }
        self.task = Some(task);
        self.told.is_stale = false;
        if self.size != self.told.size {
            self.tell_size();
        }
        if let Some(exit) = held.exit {
            self.ended(exit);
        }
    }

    /// All of it is safe on disk: nothing that was found out while it slept before counts for this sleep.
    pub(crate) fn falls_asleep(&mut self, note: Option<Sleep>) {
        self.sleep = note;
        (self.has_failed, self.is_fed) = (false, false);
        self.rule = Rule::Unasked;
    }

    /// The keeper was asked for its program: no other answer than that to this start is about it.
    pub(crate) fn starts(&mut self, generation: Generation) {
        self.process = PaneProcess::Starting(generation);
    }

    /// The process it was started with, once it runs.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.process.id().map(|process| process.pid)
    }

    /// Whether a notice about a process is about the one it has now.
    pub(crate) fn runs(&self, process: ProcessId) -> bool {
        self.process.is(process)
    }

    /// Whether its terminal is there: a program runs, or has ended and may still be asked how.
    pub(crate) fn has_program(&self) -> bool {
        self.task.is_some()
    }

    /// Whether what it was started with is a program like any other. A shell that was asked for by name is none, nor is what came in
    /// its place when the pane woke.
    pub(crate) fn runs_what_it_began_with(&self) -> bool {
        !self.argv.is_empty() && self.shell_program.is_none()
    }

    /// Whether its program has ended, or there was none.
    pub(crate) fn is_dead(&self) -> bool {
        self.died.is_some()
    }

    /// How the program ended that it stays to show.
    pub(crate) fn epitaph(&self) -> Option<Exit> {
        self.exit.filter(|_| self.is_dead())
    }

    /// Whether it sleeps.
    pub(crate) fn is_asleep(&self) -> bool {
        self.sleep.is_some()
    }

    /// The program is no longer its own: another is about to be started.
    pub(crate) fn forget_program(&mut self) {
        self.task = None;
        self.backlog.program_gone();
        self.screen.with_record(Record::ended);
        self.process = PaneProcess::None;
        (self.exit, self.died) = (None, None);
        self.is_read_out = false;
        self.end_grace = None;
        self.is_revived = false;
        self.tty.clear();
    }

    /// The process group that has the terminal.
    pub(crate) fn foreground(&self) -> Option<Pid> {
        let task = self.task.as_ref()?;
        let group = task
            .pty()
            .fd()
            .and_then(|fd| nix::unistd::tcgetpgrp(fd).ok());
        group.or_else(|| Some(Pid::from_raw(self.pid()?.cast_signed())))
    }

    /// Whether something other than its screen is shown in its place.
    pub(crate) fn is_in_mode(&self) -> bool {
        self.mode.is_some()
    }

    /// What is shown in place of its screen.
    pub(crate) fn mode_name(&self) -> Option<&'static str> {
        self.mode.as_ref().map(Mode::name)
    }

    /// Whether its output is also passed to a command.
    pub(crate) fn has_pipe(&self) -> bool {
        self.pipe.as_ref().is_some_and(Pipe::is_open)
    }

    /// Whether this is its pipe.
    pub(crate) fn is_piped_by(&self, ticket: Ticket) -> bool {
        self.pipe.as_ref().is_some_and(|pipe| pipe.ticket == ticket)
    }

    /// Passes its output to a command, or what the command prints to its program.
    pub(crate) fn open_pipe(&mut self, pipe: Pipe) {
        if let Some(tap) = pipe.tap() {
            self.taps.put(TapKey::Pipe, tap);
        }
        self.pipe = Some(pipe);
    }

    pub(crate) fn close_pipe(&mut self) {
        self.taps.remove(TapKey::Pipe);
        self.pipe = None;
    }

    /// Leaves the program's further output to the next server.
    pub(crate) fn stop_reading(&self) {
        if let Some(task) = &self.task {
            task.stop_reading();
        }
    }

    /// Goes on reading the program's output.
    pub(crate) fn read_again(&self) {
        if let Some(task) = &self.task {
            task.read_again();
        }
    }

    /// Gives the program input. What was typed after a change of size is read after it.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.give(bytes, PaneTask::write);
    }

    /// Answers what its program asked.
    pub(crate) fn reply(&mut self, bytes: &[u8]) {
        self.give(bytes, PaneTask::reply);
    }

    fn give(&mut self, bytes: &[u8], to: impl FnOnce(&PaneTask, &[u8])) {
        self.tell_size_now();
        self.capture.typed();
        match &self.task {
            // Whoever is there when the matter is settled gets it.
            Some(_) if self.falling.is_some() || self.is_held() => {
                self.backlog.hold(bytes);
            }
            Some(task) => to(task, bytes),
            // Nobody would ever read it.
            None if self.died.is_some() => {}
            None => self.backlog.hold(bytes),
        }
    }

    /// Whether what is typed waits for its shell to be what it was.
    pub(crate) fn is_held(&self) -> bool {
        let reviving = self.reviving.as_ref();
        reviving.is_some_and(|it| it.stage != RevivalStage::Late)
    }

    /// Gives the program input that is ours, while what users type is held.
    pub(crate) fn write_past_hold(&self, bytes: &[u8]) {
        if let Some(task) = &self.task {
            task.write(bytes);
        }
    }

    /// Gives a shell that has just come back the key of ours that has it put its line back. Bash draws its prompt anew for that.
    pub(crate) fn write_line_key(&self, key: &[u8]) {
        let program = self.shell_program.as_deref();
        if let Some(task) = &self.task {
            if program.and_then(Shell::of) == Some(Shell::Bash) {
                task.hide_redraw();
            }
            task.write(key);
        }
    }

    /// Shows what its shell has printed before a prompt that does not come.
    pub(crate) fn show_held_output(&self) {
        if let Some(task) = &self.task {
            task.show_held_output();
        }
    }

    /// What was typed and no program has got.
    pub(crate) fn early_input(&self) -> Vec<u8> {
        self.backlog.bytes()
    }

    /// Gives the program what was held.
    pub(crate) fn release_input(&self) {
        if let Some(task) = &self.task {
            task.release(None);
        }
    }

    /// The same, with a key of ours behind so many bytes of it.
    pub(crate) fn release_input_with(&self, behind: usize, key: &[u8]) {
        if let Some(task) = &self.task {
            task.release(Some((behind, key.to_vec())));
        }
    }

    /// When something was last printed, in milliseconds since 1970.
    pub(crate) fn last_output(&self) -> u64 {
        let last = self.screen.with_record(|record| {
            let seen = record.last_entry();
            let ago = seen.map(|last| u64::try_from(last.elapsed().as_millis()).unwrap_or(0));
            ago.map_or_else(|| record.last_written(), |ago| now().saturating_sub(ago))
        });
        last.unwrap_or_else(now)
    }

    /// When its program was last given something to read.
    pub(crate) fn last_write(&self) -> Option<Instant> {
        self.task.as_ref().and_then(PaneTask::last_write)
    }

    /// The last that its program was given to read.
    pub(crate) fn last_written(&self) -> Vec<u8> {
        let task = self.task.as_ref();
        task.map_or_else(Vec::new, PaneTask::last_written)
    }

    /// Takes a key of ours back that its shell has inserted into the user's line.
    pub(crate) fn erase_key(&self, key: &[u8]) {
        let Some((task, text)) = self.task.as_ref().zip(key.strip_prefix(b"\x1b")) else {
            return;
        };
        let shown = [&b"^["[..], text].concat();
        let count = match (task.has_unseen(&shown), task.has_unseen(text)) {
            (true, _) => key.len(),
            (false, true) => text.len(),
            (false, false) => return,
        };
        task.write(&vec![0x7f; count]);
    }

    /// Whether something was typed that no program has got.
    pub(crate) fn has_early_input(&self) -> bool {
        !self.backlog.is_empty()
    }

    /// Its terminal.
    pub(crate) fn pty(&self) -> Option<Arc<dyn Pty>> {
        Some(self.task.as_ref()?.pty().clone())
    }

    pub(crate) fn pty_fd(&self) -> Option<BorrowedFd<'_>> {
        self.task.as_ref()?.pty().fd()
    }

    /// Whether something was typed that its program has not read.
    pub(crate) fn has_unread_input(&self) -> bool {
        let is_queued = self.task.is_some() && self.backlog.is_on_its_way();
        is_queued || has_unread(&self.tty)
    }

    /// Whether a shell that has told its state has been given something to do since.
    pub(crate) fn is_used_again(&self) -> bool {
        let has_run = || self.task.as_ref().is_some_and(PaneTask::has_run_unseen);
        self.shell_word.has_run() || self.has_unread_input() || has_run()
    }

    /// Whether it is to stay awake although it is on its way to sleep.
    pub(crate) fn calls_off_sleep(&self) -> bool {
        let is_forced = self.falling.as_ref().is_some_and(|it| it.is_forced());
        !is_forced && self.is_used_again()
    }

    /// Whether its shell was asked for its state, and has not told all of it.
    pub(crate) fn is_asked(&self) -> bool {
        self.falling.as_ref().is_some_and(|it| it.is_asked())
    }

    /// Its sleep as whoever takes over is to know of it: a pane is noted down as asleep before it is.
    pub(crate) fn noted_sleep(&self) -> Option<&Sleep> {
        let falling = self.falling.as_ref();
        self.sleep
            .as_ref()
            .or_else(|| falling.and_then(|it| it.note()))
            .or_else(|| self.sleep_to_go_back_to())
    }

    /// The sleep out of which it is being woken: until its shell shows its prompt and has its line back, all it has is on disk.
    fn sleep_to_go_back_to(&self) -> Option<&Sleep> {
        let reviving = self.reviving.as_deref();
        let is_early = |it: &&Reviving| it.stage == RevivalStage::Prompt;
        reviving.filter(is_early).map(|it| &it.sleep)
    }

    /// The shell that is to be spared by whoever takes over and finds that the pane is noted down as asleep.
    pub(crate) fn noted_shell(&self) -> Option<u32> {
        match self.sleep_to_go_back_to() {
            Some(_) => None,
            None => self.noted_sleep().and(self.pid()),
        }
    }

    /// When its program last printed something, or somebody last looked at it, in the life of this server.
    pub(crate) fn last_used(&self) -> Option<Instant> {
        let printed = self.screen.with_record(|record| record.last_entry());
        printed.flatten().into_iter().chain(self.seen).max()
    }

    /// Whether something was printed that nobody has seen.
    pub(crate) fn has_unread_output(&self) -> bool {
        let printed = self
            .screen
            .with_record(|record| record.last_entry())
            .flatten();
        printed.is_some_and(|printed| self.seen.is_none_or(|seen| printed > seen))
    }

    /// The program has ended; its last output is still to be read.
    pub(crate) fn ended(&mut self, exit: Exit) {
        self.exit = Some(exit);
        if let Some(task) = &self.task {
            task.drain();
        }
    }

    pub(crate) fn resize(&mut self, size: Size) {
        if self.size == size {
            return;
        }
        self.size = size;
        if let Some(copy) = self.mode.as_mut().and_then(Mode::copy_mut) {
            copy.before_resize();
        }
        self.screen.lock().resize(size);
        self.told.is_stale = true;
        self.screen.changed();
    }

    /// Makes the program paint itself anew, for a screen that nobody remembers.
    pub(crate) fn ask_to_repaint(&mut self) {
        self.told.is_stale = true;
    }

    /// Whether its program should hear of its size now.
    pub(crate) fn is_size_due(&self) -> bool {
        let is_news = self.told.is_stale || self.told.size != self.size;
        is_news && self.told.timer.is_none() && self.task.is_some()
    }

    /// Tells its program its size if that is another than it knows, however shortly before it was told one.
    pub(crate) fn tell_size_now(&mut self) {
        if self.told.size != self.size && self.task.is_some() {
            self.tell_size();
        }
    }

    /// Until this timer has run its program is not told of another size.
    pub(crate) fn has_told(&mut self, timer: Option<Timer>) {
        self.told.timer = timer;
    }

    /// Tells its program its size. One that knows it, and was not told of others that it had meanwhile, is told of one beside it
    /// first: its screen is not what it left behind, and it would not notice.
    pub(crate) fn tell_size(&mut self) {
        let size = match self.size {
            size if size != self.told.size => size,
            size if size.rows() > 1 => Size::new(size.rows() - 1, size.cols()),
            size => Size::new(2, size.cols()),
        };
        self.told.size = size;
        self.told.is_stale = false;
        if let Some(task) = &self.task
            && let Err(error) = task.pty().resize(size)
        {
            tracing::warn!(pane = %self.id, %error, "cannot resize the terminal");
        }
    }
}

/// Whether something was typed at a terminal that its program has not read. Only the program's own side of it tells.
fn has_unread(tty: &str) -> bool {
    let flags = OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let waits = || {
        let line = nix::fcntl::open(tty, flags, FileMode::empty());
        line.is_ok_and(|line| bytes_waiting(line) > 0)
    };
    !tty.is_empty() && waits()
}
