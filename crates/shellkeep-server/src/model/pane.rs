//! A pane: a screen, the life of its program, and the input that waits for it.

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
use shellkeep_keeper::{Exit, Held, ProcessId, Pty};
use shellkeep_shell::Shell;
use shellkeep_term::{Emulator, Modes};
use tokio::sync::mpsc;

use crate::alarm::Timer;
use crate::display::flood_throttle::FloodThrottle;
use crate::event::Event;
use crate::model::backlog::Backlog;
use crate::model::falling::Falling;
use crate::model::idle_capture::IdleCapture;
use crate::model::mode::Mode;
use crate::model::options::Options;
use crate::model::pane_life::{Asleep, PaneLife, RevivalStage, Reviving, Running, Sleep};
use crate::model::shell_report::ShellReport;
use crate::model::ticket::Ticket;
use crate::model::typed::Typed;
use crate::panes::pane_task::{FirstOutput, PaneTask};
use crate::panes::pipe::Pipe;
use crate::panes::screen::Screen;
use crate::panes::tap::{TapKey, Taps};
use crate::persistence::record::{Facts, Record, now};

/// The size that a pane's program was last sent (SIGWINCH).
struct SentSize {
    size: Size,
    /// Runs for a while after that: further changes wait for it.
    timer: Option<Timer>,
    /// The pane has had another size since, which the program was not sent.
    is_stale: bool,
}

/// A screen with a program behind it.
pub(crate) struct Pane {
    pub(crate) id: PaneId,
    pub(crate) window: WindowId,
    pub(crate) size: Size,
    pub(crate) screen: Arc<Screen>,
    /// Further receivers of the program's output: pipes and control clients.
    pub(crate) taps: Arc<Taps>,
    /// The command of `pipe-pane`.
    pipe: Option<Pipe>,
    pub(crate) life: PaneLife,
    /// The device of its terminal, once it is open.
    pub(crate) tty: String,
    /// The command line it was started with, as typed; empty for the default shell.
    pub(crate) start_command: String,
    pub(crate) argv: Vec<String>,
    /// The directory it was started in.
    pub(crate) start_path: Vec<u8>,
    /// Directory and name of its program when they were last read.
    pub(crate) facts: Facts,
    pub(crate) capture: IdleCapture,
    /// The shell it was started with, if that shell can be asked for its state.
    pub(crate) shell_program: Option<PathBuf>,
    /// What its shell has reported about itself.
    pub(crate) shell_report: ShellReport,
    /// When a client last showed it.
    pub(crate) seen: Option<Instant>,
    /// Keys are not passed to its program (`select-pane -d`).
    pub(crate) input_off: bool,
    /// It was made in a private session. Nothing of it may be on disk, wherever it is now.
    pub(crate) is_secret: bool,
    /// Its title was set by a command.
    pub(crate) has_title: bool,
    /// The number of its last use as the active pane.
    pub(crate) used: u64,
    /// What it shows in place of its screen.
    pub(crate) mode: Option<Mode>,
    pub(crate) last_search: Option<Remembered>,
    pub(crate) options: Options,
    sent_size: SentSize,
    /// Input that no program has got yet.
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
            life: PaneLife::Starting(None),
            tty: String::new(),
            start_command: String::new(),
            argv: Vec::new(),
            start_path: Vec::new(),
            facts: Facts::default(),
            capture: IdleCapture::default(),
            shell_program: None,
            shell_report: ShellReport::default(),
            seen: None,
            input_off: false,
            is_secret: false,
            has_title: false,
            used: 0,
            mode: None,
            last_search: None,
            options: Options::default(),
            sent_size: SentSize {
                size,
                timer: None,
                is_stale: false,
            },
            backlog: Arc::default(),
        }
    }

    /// Sets a backlog that outlives this server, with the input that an earlier server left.
    pub(crate) fn keeps_input(&mut self, backlog: Backlog) {
        self.backlog = Arc::new(backlog);
    }

    /// Drops the pane's input: the pane is gone.
    pub(crate) fn forget_input(&self) {
        self.backlog.forget();
    }

    /// Begins to read the output of a program that was started.
    pub(crate) fn start(
        &mut self,
        held: Held,
        events: mpsc::Sender<Event>,
        flood_throttle: Arc<FloodThrottle>,
    ) {
        self.tty = held.tty;
        self.capture = IdleCapture::default();
        self.screen.wake_up();
        let pty = held.pty.clone();
        self.screen
            .with_record(|record| record.runs(held.process, pty));
        let sinks = (self.screen.clone(), self.taps.clone());
        let is_reviving = self.life.reviving().is_some();
        let before = match is_reviving && self.shell_program.is_some() {
            true => FirstOutput::Held,
            false => FirstOutput::Shown,
        };
        let task = PaneTask::start(
            (self.id, held.process),
            (held.pty, self.backlog.clone()),
            sinks,
            events,
            flood_throttle,
            before,
        );
        if !is_reviving {
            task.release(None);
        }
        self.life.runs(Running::new(held.process, task));
        self.sent_size.is_stale = false;
        if self.size != self.sent_size.size {
            self.send_size();
        }
        if let Some(exit) = held.exit {
            self.ended(exit);
        }
    }

    /// The pane is asleep: everything is on disk, and its program is no longer the pane's.
    pub(crate) fn falls_asleep(&mut self, sleep: Sleep) {
        self.life.sleeps(Asleep::new(sleep));
        self.forget_program();
    }

    /// A new program is about to be started in the pane.
    pub(crate) fn restarts(&mut self) {
        self.life.restarts();
        self.forget_program();
    }

    /// Nothing could be started, so the pane stays asleep. Returns how its shell was to come back.
    pub(crate) fn fails_to_wake(&mut self) -> Option<Box<Reviving>> {
        let reviving = self.life.fails_to_wake();
        self.forget_program();
        reviving
    }

    /// Drops what the last program left behind. The program itself is dropped with the stage of life that owned it.
    fn forget_program(&mut self) {
        self.backlog.program_gone();
        self.screen.with_record(Record::ended);
        self.tty.clear();
    }

    /// The process on its terminal.
    pub(crate) fn process(&self) -> Option<ProcessId> {
        self.life.running().map(|running| running.process)
    }

    pub(crate) fn pid(&self) -> Option<u32> {
        self.process().map(|process| process.pid)
    }

    /// Whether a notice about a process is about the pane's present process.
    pub(crate) fn runs(&self, process: ProcessId) -> bool {
        self.process() == Some(process)
    }

    /// Whether its terminal is open: a program runs, or has ended and its output is still read.
    pub(crate) fn has_program(&self) -> bool {
        self.task().is_some()
    }

    /// The task that reads and writes its terminal. Users' input goes through [`Pane::write`] instead, which may hold
    /// it back.
    pub(crate) fn task(&self) -> Option<&PaneTask> {
        self.life.running().map(|running| &running.task)
    }

    /// Whether it was started with a command other than a shell that shellkeep knows, and that command still runs.
    pub(crate) fn runs_what_it_began_with(&self) -> bool {
        !self.argv.is_empty() && self.shell_program.is_none()
    }

    /// Whether its program has ended, or there was none.
    pub(crate) fn is_dead(&self) -> bool {
        self.life.dead().is_some()
    }

    /// How its program has ended, if the pane stays open to show that.
    pub(crate) fn shown_exit(&self) -> Option<Exit> {
        self.life.dead()?.exit
    }

    /// Whether it is asleep. A pane that wakes counts as asleep until a program runs in it.
    pub(crate) fn is_asleep(&self) -> bool {
        self.life.asleep().is_some()
    }

    /// Whether a program is being started for a sleeping pane.
    pub(crate) fn is_waking(&self) -> bool {
        self.is_asleep() && self.life.waking().is_some()
    }

    pub(crate) fn sleep(&self) -> Option<&Sleep> {
        self.life.asleep().map(|asleep| &asleep.sleep)
    }

    pub(crate) fn sleep_mut(&mut self) -> Option<&mut Sleep> {
        self.life.asleep_mut().map(|asleep| &mut asleep.sleep)
    }

    /// Whether it was revived and no command has run in it since.
    pub(crate) fn is_revived(&self) -> bool {
        let running = self.life.running();
        running.is_some_and(|running| running.is_revived)
    }

    /// The process group in the foreground of its terminal.
    pub(crate) fn foreground(&self) -> Option<Pid> {
        let task = self.task()?;
        let group = task
            .pty()
            .fd()
            .and_then(|fd| nix::unistd::tcgetpgrp(fd).ok());
        group.or_else(|| Some(Pid::from_raw(self.pid()?.cast_signed())))
    }

    pub(crate) fn is_in_mode(&self) -> bool {
        self.mode.is_some()
    }

    pub(crate) fn mode_name(&self) -> Option<&'static str> {
        self.mode.as_ref().map(Mode::name)
    }

    /// Whether `pipe-pane` is active.
    pub(crate) fn has_pipe(&self) -> bool {
        self.pipe.as_ref().is_some_and(Pipe::is_open)
    }

    pub(crate) fn is_piped_by(&self, ticket: Ticket) -> bool {
        self.pipe.as_ref().is_some_and(|pipe| pipe.ticket == ticket)
    }

    /// Connects its output to a command, or a command's output to its program.
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
        if let Some(task) = self.task() {
            task.stop_reading();
        }
    }

    pub(crate) fn read_again(&self) {
        if let Some(task) = self.task() {
            task.read_again();
        }
    }

    /// Gives the program input that is the same in all modes. What was typed after a change of size is read after it.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.type_in(&[Typed::from(bytes)], 1);
    }

    /// Gives the program what was typed, so many times, in the way it wants it; one that is not there yet, in the way it will want it then.
    pub(crate) fn type_in(&mut self, typed: &[Typed], times: usize) {
        self.give(typed, times, PaneTask::write);
    }

    /// Sends the terminal's reply to a query of the program.
    pub(crate) fn reply(&mut self, bytes: &[u8]) {
        self.give(&[Typed::from(bytes)], 1, PaneTask::reply);
    }

    fn give(&mut self, typed: &[Typed], times: usize, to: impl FnOnce(&PaneTask, &[u8])) {
        self.send_size_now();
        let modes = match self.is_asleep() {
            // What the program that is gone has set is reset when the pane wakes.
            true => Modes::default(),
            false => Emulator::modes(&self.screen.lock()),
        };
        match (self.task(), &self.life) {
            // The sleeping pane's next program gets the input, or this one if the pane stays awake.
            (Some(_), PaneLife::FallingAsleep(..)) => self.backlog.hold(typed, times, &modes),
            (Some(_), _) if self.is_held() => self.backlog.hold(typed, times, &modes),
            (Some(task), _) => {
                let bytes = self.backlog.encode(typed, times, &modes);
                // Not every event is one for every program.
                if bytes.is_empty() {
                    return;
                }
                to(task, &bytes);
            }
            // No program will read it.
            (None, PaneLife::Dead(_)) => {}
            (None, _) => self.backlog.hold(typed, times, &modes),
        }
        self.capture.typed();
    }

    /// Whether input waits until a revived shell has shown its prompt and has its line back.
    pub(crate) fn is_held(&self) -> bool {
        let reviving = self.life.reviving();
        reviving.is_some_and(|it| it.stage != RevivalStage::Late)
    }

    /// Sends a revived shell the key that makes it restore its half-typed line. Bash redraws its prompt for that, which
    /// is hidden.
    pub(crate) fn write_line_key(&self, key: &[u8]) {
        let program = self.shell_program.as_deref();
        if let Some(task) = self.task() {
            if program.and_then(Shell::of) == Some(Shell::Bash) {
                task.hide_redraw();
            }
            task.write(key);
        }
    }

    /// What was typed and no program has got, as its program would get it now.
    pub(crate) fn early_input(&self) -> Vec<u8> {
        let modes = Emulator::modes(&self.screen.lock());
        self.backlog.bytes_for(&modes)
    }

    /// Gives the program what was held, with a key of ours behind so many bytes of it.
    pub(crate) fn release_input(&self, key_within: Option<(usize, &[u8])>) {
        if let Some(task) = self.task() {
            task.release(key_within.map(|(behind, key)| (behind, key.to_vec())));
        }
    }

    /// When output last came, in milliseconds since 1970.
    pub(crate) fn last_output(&self) -> u64 {
        let last = self.screen.with_record(|record| {
            let seen = record.last_entry();
            let ago = seen.map(|last| u64::try_from(last.elapsed().as_millis()).unwrap_or(0));
            ago.map_or_else(|| record.last_written(), |ago| now().saturating_sub(ago))
        });
        last.unwrap_or_else(now)
    }

    /// When input was last sent to its program.
    pub(crate) fn last_write(&self) -> Option<Instant> {
        self.task().and_then(PaneTask::last_write)
    }

    /// The last input that was sent to its program.
    pub(crate) fn last_written(&self) -> Vec<u8> {
        let task = self.task();
        task.map_or_else(Vec::new, PaneTask::last_written)
    }

    /// Erases a key of the server's that the shell has inserted into the user's line instead of obeying it.
    pub(crate) fn erase_key(&self, key: &[u8]) {
        let Some((task, text)) = self.task().zip(key.strip_prefix(b"\x1b")) else {
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

    pub(crate) fn has_early_input(&self) -> bool {
        !self.backlog.is_empty()
    }

    pub(crate) fn pty(&self) -> Option<Arc<dyn Pty>> {
        Some(self.task()?.pty().clone())
    }

    pub(crate) fn pty_fd(&self) -> Option<BorrowedFd<'_>> {
        self.task()?.pty().fd()
    }

    /// Whether there is input that its program has not read.
    pub(crate) fn has_unread_input(&self) -> bool {
        let is_queued = self.has_program() && self.backlog.is_on_its_way();
        is_queued || has_unread(&self.tty)
    }

    /// Whether a shell that has reported its state has been given work since.
    pub(crate) fn is_used_again(&self) -> bool {
        let has_run = || self.task().is_some_and(PaneTask::has_run_unseen);
        self.shell_report.has_run() || self.has_unread_input() || has_run()
    }

    /// Whether a pane on its way to sleep has to stay awake because it is used. One that is put to sleep by force does
    /// not.
    pub(crate) fn calls_off_sleep(&self) -> bool {
        let is_forced = self.life.falling().is_some_and(Falling::is_forced);
        !is_forced && self.is_used_again()
    }

    /// Whether its shell was asked for its state, and the answer is outstanding.
    pub(crate) fn is_asked(&self) -> bool {
        self.life.falling().is_some_and(Falling::is_asked)
    }

    /// Its sleep as the next server is to know it. A pane is noted as asleep shortly before it is; and a waking one
    /// until its shell shows its prompt, because until then everything it has is on disk.
    pub(crate) fn noted_sleep(&self) -> Option<&Sleep> {
        match &self.life {
            PaneLife::Asleep(asleep) => Some(&asleep.sleep),
            PaneLife::FallingAsleep(_, falling) => falling.note(),
            PaneLife::Waking(waking) => {
                let reviving = waking.reviving.as_deref();
                let is_early = reviving.is_some_and(|it| it.stage == RevivalStage::Prompt);
                (is_early || self.is_asleep()).then_some(&waking.asleep.sleep)
            }
            PaneLife::Starting(_) | PaneLife::Running(_) | PaneLife::Dead(_) => None,
        }
    }

    /// The shell that the next server must not end although the pane is noted as asleep.
    pub(crate) fn noted_shell(&self) -> Option<u32> {
        self.life.falling()?.note()?;
        self.pid()
    }

    /// When its program last printed something or a client last showed it, while this server has run.
    pub(crate) fn last_used(&self) -> Option<Instant> {
        let printed = self.screen.with_record(|record| record.last_entry());
        printed.flatten().into_iter().chain(self.seen).max()
    }

    /// Whether there is output that no client has shown.
    pub(crate) fn has_unread_output(&self) -> bool {
        let printed = self
            .screen
            .with_record(|record| record.last_entry())
            .flatten();
        printed.is_some_and(|printed| self.seen.is_none_or(|seen| printed > seen))
    }

    /// Notes how the program has ended. Its last output is still to be read.
    pub(crate) fn ended(&mut self, exit: Exit) {
        if let PaneLife::Dead(dead) = &mut self.life {
            dead.exit = Some(exit);
        }
        if let Some(running) = self.life.running_mut() {
            running.exit = Some(exit);
            running.task.drain();
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
        self.sent_size.is_stale = true;
        self.screen.changed();
    }

    /// Makes the program redraw its screen, which was not restored.
    pub(crate) fn ask_to_repaint(&mut self) {
        self.sent_size.is_stale = true;
    }

    /// Whether its program should be sent its size now.
    pub(crate) fn is_size_due(&self) -> bool {
        let is_news = self.sent_size.is_stale || self.sent_size.size != self.size;
        is_news && self.sent_size.timer.is_none() && self.has_program()
    }

    /// Sends its program the pane's size if the program has another one, even if it was just sent one.
    pub(crate) fn send_size_now(&mut self) {
        if self.sent_size.size != self.size && self.has_program() {
            self.send_size();
        }
    }

    /// Sets the timer until which its program is sent no further size.
    pub(crate) fn set_size_timer(&mut self, timer: Option<Timer>) {
        self.sent_size.timer = timer;
    }

    /// Sends its program the pane's size. If the program has that size already, it is sent a size one row smaller
    /// instead, and the right one later: a program that sees no change does not redraw.
    pub(crate) fn send_size(&mut self) {
        let size = match self.size {
            size if size != self.sent_size.size => size,
            size if size.rows() > 1 => Size::new(size.rows() - 1, size.cols()),
            size => Size::new(2, size.cols()),
        };
        self.sent_size.size = size;
        self.sent_size.is_stale = false;
        if let Some(task) = self.task()
            && let Err(error) = task.pty().resize(size)
        {
            tracing::warn!(pane = %self.id, %error, "cannot resize the terminal");
        }
    }
}

/// Whether there is input on a terminal that its program has not read. Only the slave side of a PTY knows, so it is
/// opened.
fn has_unread(tty: &str) -> bool {
    let flags = OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let waits = || {
        let line = nix::fcntl::open(tty, flags, FileMode::empty());
        line.is_ok_and(|line| bytes_waiting(line) > 0)
    };
    !tty.is_empty() && waits()
}
