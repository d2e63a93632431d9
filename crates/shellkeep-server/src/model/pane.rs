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
use shellkeep_keeper::{Exit, Held, ProcessId, Pty};
use shellkeep_shell::Shell;
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
use crate::model::shell_word::ShellWord;
use crate::model::ticket::Ticket;
use crate::panes::pane_task::{Before, PaneTask};
use crate::panes::pipe::Pipe;
use crate::panes::screen::Screen;
use crate::panes::tap::{TapKey, Taps};
use crate::persistence::record::{Facts, Record, now};

/// What a pane's program was told of its size.
struct Told {
    size: Size,
    /// Runs for a while after that.
    timer: Option<Timer>,
    /// It has had another since.
    is_stale: bool,
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
    pub(crate) life: PaneLife,
    /// The terminal's device, once it is open.
    pub(crate) tty: String,
    /// What was started in it, as typed; empty for a shell.
    pub(crate) start_command: String,
    /// The words of that.
    pub(crate) argv: Vec<String>,
    /// Where it was started.
    pub(crate) start_path: Vec<u8>,
    /// Where its program was when somebody last looked.
    pub(crate) facts: Facts,
    /// How its shell's state is kept while it runs.
    pub(crate) capture: IdleCapture,
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
            life: PaneLife::Starting(None),
            tty: String::new(),
            start_command: String::new(),
            argv: Vec::new(),
            start_path: Vec::new(),
            facts: Facts::default(),
            capture: IdleCapture::default(),
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
        self.tty = held.tty;
        self.capture = IdleCapture::default();
        self.screen.wake_up();
        let pty = held.pty.clone();
        self.screen
            .with_record(|record| record.runs(held.process, pty));
        let sinks = (self.screen.clone(), self.taps.clone());
        let is_reviving = self.life.reviving().is_some();
        let before = match is_reviving && self.shell_program.is_some() {
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
        if !is_reviving {
            task.release(None);
        }
        self.life.runs(Running::new(held.process, task));
        self.told.is_stale = false;
        if self.size != self.told.size {
            self.tell_size();
        }
        if let Some(exit) = held.exit {
            self.ended(exit);
        }
    }

    /// All of it is safe on disk, and its program is no longer its own.
    pub(crate) fn falls_asleep(&mut self, sleep: Sleep) {
        self.life.sleeps(Asleep::new(sleep));
        self.forget_program();
    }

    /// Another program is about to be started in it.
    pub(crate) fn starts_anew(&mut self) {
        self.life.starts_anew();
        self.forget_program();
    }

    /// Nothing could be started in it, so it sleeps on. Returns how its shell was to come back.
    pub(crate) fn wakes_in_vain(&mut self) -> Option<Box<Reviving>> {
        let reviving = self.life.wakes_in_vain();
        self.forget_program();
        reviving
    }

    /// What its program left behind is forgotten; the program itself went with the stage of life that had it.
    fn forget_program(&mut self) {
        self.backlog.program_gone();
        self.screen.with_record(Record::ended);
        self.tty.clear();
    }

    /// The process on its terminal.
    pub(crate) fn process(&self) -> Option<ProcessId> {
        self.life.running().map(|running| running.process)
    }

    /// The process it was started with, once it runs.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.process().map(|process| process.pid)
    }

    /// Whether a notice about a process is about the one it has now.
    pub(crate) fn runs(&self, process: ProcessId) -> bool {
        self.process() == Some(process)
    }

    /// Whether its terminal is there: a program runs, or has ended and may still be asked how.
    pub(crate) fn has_program(&self) -> bool {
        self.task().is_some()
    }

    /// What reads and writes its terminal, while a program runs there. What is written to it passes what users type by, which may be held.
    pub(crate) fn task(&self) -> Option<&PaneTask> {
        self.life.running().map(|running| &running.task)
    }

    /// Whether what it was started with is a program like any other. A shell that was asked for by name is none, nor is what came in
    /// its place when the pane woke.
    pub(crate) fn runs_what_it_began_with(&self) -> bool {
        !self.argv.is_empty() && self.shell_program.is_none()
    }

    /// Whether its program has ended, or there was none.
    pub(crate) fn is_dead(&self) -> bool {
        self.life.dead().is_some()
    }

    /// How the program ended that it stays to show.
    pub(crate) fn epitaph(&self) -> Option<Exit> {
        self.life.dead()?.exit
    }

    /// Whether it sleeps: also while it wakes, until a program runs in it.
    pub(crate) fn is_asleep(&self) -> bool {
        self.life.asleep().is_some()
    }

    /// Whether a program is being started for it while it sleeps.
    pub(crate) fn is_waking(&self) -> bool {
        self.is_asleep() && self.life.waking().is_some()
    }

    pub(crate) fn sleep(&self) -> Option<&Sleep> {
        self.life.asleep().map(|asleep| &asleep.sleep)
    }

    pub(crate) fn sleep_mut(&mut self) -> Option<&mut Sleep> {
        self.life.asleep_mut().map(|asleep| &mut asleep.sleep)
    }

    /// Whether it came back, and no command has run in it since.
    pub(crate) fn is_revived(&self) -> bool {
        let running = self.life.running();
        running.is_some_and(|running| running.is_revived)
    }

    /// The process group that has the terminal.
    pub(crate) fn foreground(&self) -> Option<Pid> {
        let task = self.task()?;
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
        if let Some(task) = self.task() {
            task.stop_reading();
        }
    }

    /// Goes on reading the program's output.
    pub(crate) fn read_again(&self) {
        if let Some(task) = self.task() {
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
        match (self.task(), &self.life) {
            // Whoever is there when the matter is settled gets it.
            (Some(_), PaneLife::FallingAsleep(..)) => self.backlog.hold(bytes),
            (Some(_), _) if self.is_held() => self.backlog.hold(bytes),
            (Some(task), _) => to(task, bytes),
            // Nobody would ever read it.
            (None, PaneLife::Dead(_)) => {}
            (None, _) => self.backlog.hold(bytes),
        }
    }

    /// Whether what is typed waits for its shell to be what it was.
    pub(crate) fn is_held(&self) -> bool {
        let reviving = self.life.reviving();
        reviving.is_some_and(|it| it.stage != RevivalStage::Late)
    }

    /// Gives a shell that has just come back the key of ours that has it put its line back. Bash draws its prompt anew for that.
    pub(crate) fn write_line_key(&self, key: &[u8]) {
        let program = self.shell_program.as_deref();
        if let Some(task) = self.task() {
            if program.and_then(Shell::of) == Some(Shell::Bash) {
                task.hide_redraw();
            }
            task.write(key);
        }
    }

    /// What was typed and no program has got.
    pub(crate) fn early_input(&self) -> Vec<u8> {
        self.backlog.bytes()
    }

    /// Gives the program what was held.
    pub(crate) fn release_input(&self) {
        if let Some(task) = self.task() {
            task.release(None);
        }
    }

    /// The same, with a key of ours behind so many bytes of it.
    pub(crate) fn release_input_with(&self, behind: usize, key: &[u8]) {
        if let Some(task) = self.task() {
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
        self.task().and_then(PaneTask::last_write)
    }

    /// The last that its program was given to read.
    pub(crate) fn last_written(&self) -> Vec<u8> {
        let task = self.task();
        task.map_or_else(Vec::new, PaneTask::last_written)
    }

    /// Takes a key of ours back that its shell has inserted into the user's line.
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

    /// Whether something was typed that no program has got.
    pub(crate) fn has_early_input(&self) -> bool {
        !self.backlog.is_empty()
    }

    /// Its terminal.
    pub(crate) fn pty(&self) -> Option<Arc<dyn Pty>> {
        Some(self.task()?.pty().clone())
    }

    pub(crate) fn pty_fd(&self) -> Option<BorrowedFd<'_>> {
        self.task()?.pty().fd()
    }

    /// Whether something was typed that its program has not read.
    pub(crate) fn has_unread_input(&self) -> bool {
        let is_queued = self.has_program() && self.backlog.is_on_its_way();
        is_queued || has_unread(&self.tty)
    }

    /// Whether a shell that has told its state has been given something to do since.
    pub(crate) fn is_used_again(&self) -> bool {
        let has_run = || self.task().is_some_and(PaneTask::has_run_unseen);
        self.shell_word.has_run() || self.has_unread_input() || has_run()
    }

    /// Whether it is to stay awake although it is on its way to sleep.
    pub(crate) fn calls_off_sleep(&self) -> bool {
        let is_forced = self.life.falling().is_some_and(Falling::is_forced);
        !is_forced && self.is_used_again()
    }

    /// Whether its shell was asked for its state, and has not told all of it.
    pub(crate) fn is_asked(&self) -> bool {
        self.life.falling().is_some_and(Falling::is_asked)
    }

    /// Its sleep as whoever takes over is to know of it: a pane is noted down as asleep before it is, and until its shell shows its prompt
    /// and has its line back, all it has is on disk.
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

    /// The shell that is to be spared by whoever takes over and finds that the pane is noted down as asleep.
    pub(crate) fn noted_shell(&self) -> Option<u32> {
        self.life.falling()?.note()?;
        self.pid()
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
        is_news && self.told.timer.is_none() && self.has_program()
    }

    /// Tells its program its size if that is another than it knows, however shortly before it was told one.
    pub(crate) fn tell_size_now(&mut self) {
        if self.told.size != self.size && self.has_program() {
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
        if let Some(task) = self.task()
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
