//! Panes fall asleep: the shell is asked for its state, the screen is written down, and only when both are safe is anything
//! ended.
//!
//! ```text
//! idle? ─► input held ─► question and signal ─► state, half-typed line ─► written and read back ─► noted ─► ended
//!              └──────────── whatever goes wrong: the question is withdrawn, the input goes to the old shell ◄──┘
//! ```

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::unistd::Pid;
use shellkeep_core::PaneId;
use shellkeep_keeper::{HostRequest, ProcessId, steps};
use shellkeep_shell::{MidKey, Purpose, Request, Shell, State, Wake};
use shellkeep_sleep::{Facts, Foreground, Mark, Reason, Verdict, judge};
use shellkeep_store::schema::StoredStart;
use shellkeep_store::{PaneDir, StoreError};

use super::answers::Watch;
use super::bedtime::Refusal;
use super::process_scan::ScanPurpose;
use super::{Server, Waker, resume, shells, wake};
use crate::alarm::{Alarm, Timer};
use crate::event::Event;
use crate::memory;
use crate::notice::Notice;
use crate::process_info;
use crate::processes::{Processes, open_files};
use crate::record::ShellFile;
use crate::running::{Run, exported};
use crate::state::{Cause, Model, Pane, RevivalStage, Reviving, Sleep};
use crate::ticket::Ticket;

/// How long a shell has to tell its state: three seconds, in which it is asked again now and then. One that has just come back does not
/// hear the first signal if it has not read yet what its prompt could do without.
const PATIENCE: [Duration; 5] = [
    Duration::from_millis(100),
    Duration::from_millis(200),
    Duration::from_millis(400),
    Duration::from_millis(800),
    Duration::from_millis(1500),
];

/// So long after something was typed the shell is left alone. What was typed may still be on its way to it, and nowhere to be seen;
/// the question would then come in the middle of a command.
const SETTLING: Duration = Duration::from_millis(50);

/// A pane on its way to sleep.
pub(crate) struct Falling {
    request: Option<Request>,
    /// The shell that was asked; none if it was not.
    shell: Option<Shell>,
    /// The process that is ended in the end; none other is.
    process: ProcessId,
    /// Answers to an earlier attempt say nothing of this one.
    attempt: Ticket,
    /// The program that is ended with it, by force, and what is known of it.
    program: Vec<String>,
    run: Run,
    stage: Stage,
    /// What is written of its sleep, before it sleeps.
    note: Option<Sleep>,
    began: Instant,
    /// How often it was asked.
    asked: usize,
    timer: Option<Timer>,
    watch: Option<Watch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Something has just been typed.
    Settling,
    /// The shell was asked.
    State,
    /// The half-typed line is still to come.
    Line,
    /// It is being written down.
    Writing,
    /// That it sleeps is being written down.
    Noting,
}

impl Falling {
    /// What is written of its sleep, before it sleeps.
    pub(crate) fn note(&self) -> Option<&Sleep> {
        self.note.as_ref()
    }

    /// Whether its shell has still to tell something.
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self.stage, Stage::State | Stage::Line)
    }

    /// How long ago its shell was asked that has still to tell something.
    pub(super) fn asked_for(&self) -> Option<Duration> {
        self.is_asked().then(|| self.began.elapsed())
    }

    /// Whether a program is ended with it, or a shell that cannot be asked.
    pub(crate) fn is_forced(&self) -> bool {
        self.shell.is_none()
    }

    /// Why the pane sleeps then.
    fn cause(&self) -> Cause {
        match self.is_forced() && self.program.is_empty() {
            true => Cause::Ended,
            false => Cause::Hibernated,
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.process.pid.cast_signed())
    }

    pub(super) fn new(shell: Option<Shell>, process: ProcessId) -> Self {
        Self {
            request: None,
            shell,
            process,
            attempt: Ticket::new(),
            program: Vec::new(),
            run: Run::default(),
            stage: Stage::State,
            note: None,
            began: Instant::now(),
            asked: 1,
            timer: None,
            watch: None,
        }
    }

    /// All is known that can be: nobody is asked any more.
    fn is_answered(&mut self) {
        self.stage = Stage::Writing;
        self.timer = None;
        self.watch = None;
        if let Some(request) = self.request.take() {
            request.withdraw();
        }
    }
}

impl Drop for Falling {
    fn drop(&mut self) {
        self.watch = None;
        if let Some(request) = self.request.take() {
            request.withdraw();
        }
    }
}

impl Server {
    /// Begins to put a pane to sleep.
    ///
    /// # Errors
    /// Why it cannot.
    pub(super) fn fall_asleep(
        &mut self,
        id: PaneId,
        processes: &Processes,
        force: Force,
    ) -> Result<(), Refusal> {
        let Some(pane) = self.state.panes.get(&id) else {
            return Err("it is gone".into());
        };
        if let Some(reason) = never_sleeps(pane) {
            return Err(reason.into());
        }
        if pane.life.falling().is_some() {
            return Ok(());
        }
        let Some(process) = pane.process() else {
            return Err("nothing runs in it".into());
        };
        let is_arriving = |it: &Reviving| it.stage == RevivalStage::Prompt;
        if pane.life.reviving().is_some_and(is_arriving) {
            // What it was is on disk still, and would be lost with a shell that has not read it.
            let reason = Reason::Arriving;
            return Err(Refusal::of(&Verdict::Refused { reason }));
        }
        let shell = pane.shell_program.as_deref().and_then(Shell::of);
        if let Some(shell) = shell.filter(|_| pane.capture.is_under_way()) {
            // The copy of it that answers would be taken for a job in the background.
            let_settle(&mut self.state, id, (shell, process), SETTLING);
            return Ok(());
        }
        let verdict = idle_verdict(&self.state, pane, processes);
        match (&verdict, force) {
            (Verdict::CanSleep, _) => {
                let shell = shell.ok_or("its shell cannot be asked for its state")?;
                // What was typed since may have started something that the look at the processes has missed.
                let since = pane.last_write();
                let since = since.map(|last| processes.began().saturating_duration_since(last));
                match SETTLING.saturating_sub(since.unwrap_or(SETTLING)) {
                    Duration::ZERO => Ok(self.ask_shell(id, shell, process)?),
                    rest => {
                        let_settle(&mut self.state, id, (shell, process), rest);
                        Ok(())
                    }
                }
            }
            (Verdict::Runs { pid: program, .. }, Force::On) => {
                self.end_program(id, process, *program);
                Ok(())
            }
            (Verdict::Refused { reason }, Force::On) if *reason == Reason::NoIntegration => {
                self.end_shell(id, process);
                Ok(())
            }
            _ => Err(Refusal::of(&verdict)),
        }
    }

    /// Puts a pane to sleep with the program that runs in it. A busy shell answers nothing: its directory, what it exports, and
    /// how the program was called are what can be had.
    fn end_program(&mut self, id: PaneId, process: ProcessId, pid: i32) {
        let shell = process.pid.cast_signed();
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        let mut run = Run::of(Pid::from_raw(pid));
        run.typed = pane.shell_word.line(run.started);
        run.last_output = pane.last_output();
        let mut program = process_info::argv_of(Pid::from_raw(pid));
        if program.is_empty() || pid == shell && pane.runs_what_it_began_with() {
            program.clone_from(&pane.argv);
            if let [line] = &pane.argv[..] {
                run.typed = Some(line.clone());
            }
        }
        run.rivals = Some(resume::rivals_of(&self.state, id, &program, &run));
        let seen = Seen {
            environ: exported(shell, pid, run.typed.as_deref()),
            umask: process_info::umask_of(Pid::from_raw(shell)),
        };
        let mut falling = Falling::new(None, process);
        (falling.program, falling.run) = (program, run);
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.life.falls_asleep(Box::new(falling));
        }
        self.write_down(id, None, seen);
    }

    /// Puts a pane to sleep with a shell that cannot be asked. Where it is and how it creates files is what the system tells; its variables
    /// are those that it began with.
    fn end_shell(&mut self, id: PaneId, process: ProcessId) {
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.life
                .falls_asleep(Box::new(Falling::new(None, process)));
        }
        let seen = Seen {
            environ: None,
            umask: process_info::umask_of(Pid::from_raw(process.pid.cast_signed())),
        };
        self.write_down(id, None, seen);
    }

    /// Everything has got where it goes, and the processes were scanned since: is the shell still idle?
    pub(super) fn settled(&mut self, id: PaneId, processes: &Processes) {
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        let falling = pane.life.falling();
        // It may have been called off meanwhile.
        let Some(falling) = falling.filter(|falling| falling.stage == Stage::Settling) else {
            return;
        };
        let (shell, process) = (falling.shell, falling.process);
        if let Some(shell) = shell.filter(|_| pane.capture.is_under_way()) {
            return let_settle(&mut self.state, id, (shell, process), SETTLING);
        }
        let asked = match (idle_verdict(&self.state, pane, processes), shell) {
            (Verdict::CanSleep, Some(shell)) => {
                self.ask_shell(id, shell, process).map_err(Refusal::from)
            }
            (verdict, _) => Err(Refusal::of(&verdict)),
        };
        match asked {
            Ok(()) => {}
            Err(refusal) if refusal.is_passing && self.settles_later(id) => {
                stop_falling(&mut self.state, id)
            }
            Err(refusal) => self.called_off(id, &refusal.text),
        }
    }

    fn ask_shell(&mut self, id: PaneId, shell: Shell, process: ProcessId) -> Result<(), String> {
        let mut falling = Falling::new(Some(shell), process);
        let (request, watch) = self.put_question(id, Purpose::Sleep, falling.attempt)?;
        let timer = self.state.set_alarm(Alarm::Asleep(id), PATIENCE[0]);
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return Err("it is gone".to_owned());
        };
        // A change of size wakes it like the question, and must not come in between.
        pane.tell_size_now();
        (falling.request, falling.watch) = (Some(request), Some(watch));
        falling.timer = Some(timer);
        pane.life.falls_asleep(Box::new(falling));
        // Whoever tells its line draws it anew, and is ended in the middle of that: the screen stays as the user left it.
        pane.stop_reading();
        signal_shell(shell, process.pid.cast_signed()).map_err(|error| {
            pane.life.stays_awake();
            pane.read_again();
            pane.release_input();
            format!("cannot ask: {error}")
        })?;
        steps::reached("asked");
        Ok(())
    }

    /// Puts a question where a pane's shell looks for it, and has the loop told when it has written something there.
    ///
    /// # Errors
    /// Why it cannot be asked, in a few words.
    pub(super) fn put_question(
        &mut self,
        id: PaneId,
        purpose: Purpose,
        attempt: Ticket,
    ) -> Result<(Request, Watch), String> {
        let dir = shells::shell_dir(&self.state, id);
        shells::ensure_shell_dir(&self.state, id);
        let nonce = crate::record::now() ^ (u64::from(id.0) << 48);
        let request = Request::place(&dir, nonce, purpose);
        let request = request.map_err(|error| format!("cannot ask: {error}"))?;
        let watch = self
            .hibernation
            .answers
            .watch(&dir, id, attempt, &self.events);
        let watch = watch.map_err(|error| format!("cannot wait for the answer: {error}"))?;
        Ok((request, watch))
    }

    /// A shell has written something.
    pub(super) fn shell_answered(&mut self, id: PaneId, attempt: Ticket) {
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        let Some(falling) = pane.life.falling().filter(|it| it.attempt == attempt) else {
            return self.capture_answered(id, attempt);
        };
        let Some(request) = &falling.request else {
            return;
        };
        match falling.stage {
            Stage::State => {
                let Some(state) = request.state() else {
                    return;
                };
                let has_line = request.line().is_some();
                let key = state.line_key(&pane.last_written());
                if !has_line && key != Ok(None) {
                    return self.ask_for_line(id, key);
                }
            }
            Stage::Line if request.line().is_some() => {}
            _ => return,
        }
        let Some(mut state) = request.state() else {
            return;
        };
        if let Some(settings) = pane.pty_fd().and_then(|fd| tcgetattr(fd).ok()) {
            state.set_terminal(settings);
        }
        state.set_captured(crate::record::now());
        self.write_down(id, Some(state), Seen::default());
    }

    /// Has a shell that told its state tell its half-typed line as well.
    fn ask_for_line(&mut self, id: PaneId, key: Result<Option<&[u8]>, MidKey>) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        if is_canonical(pane) || pane.calls_off_sleep() {
            // It is no longer at its prompt: the key would be seen, and read by who knows whom.
            return self.called_off(id, "it is used again");
        }
        match key {
            Ok(key) => {
                if let Some(falling) = pane.life.falling_mut() {
                    falling.stage = Stage::Line;
                }
                pane.write_past_hold(key.unwrap_or_default());
            }
            Err(reason) => self.called_off(id, &reason.to_string()),
        }
    }

    /// Writes down a pane that is about to sleep, with its shell's state or at least what could be seen of it.
    fn write_down(&mut self, id: PaneId, state: Option<State>, seen: Seen) {
        steps::reached("captured");
        let Some(keeping) = self.persistence.keeping.clone() else {
            return self.called_off(id, "nothing can be kept");
        };
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let Some(falling) = pane.life.falling_mut() else {
            return;
        };
        falling.is_answered();
        let attempt = falling.attempt;
        let dir = pane.screen.with_record(|record| record.dir().clone());
        let Some(dir) = dir else {
            return self.called_off(id, "it is not kept");
        };
        let events = self.thread_events.clone();
        let screen = pane.screen.clone();
        let captured = pane.capture.captured();
        let shell = match &state {
            Some(state) => ShellFile::Becomes(state.encode()),
            None => ShellFile::Stays,
        };
        keeping.recorder.checkpoint(screen, shell, move |result| {
            let written = result.and_then(|()| {
                captured.is_superseded();
                steps::reached("read-back");
                let cleared = match state {
                    Some(_) => Ok(()),
                    None => dir.remove_shell(),
                };
                let written = cleared.and_then(|()| write_seen(&dir, seen));
                written.map_err(|error| error.to_string())
            });
            events.send(Event::WrittenDown {
                pane: id,
                attempt,
                written,
            });
        });
    }

    /// A pane's screen and its shell's state are safe: now it can be written that it sleeps. Or they are not.
    pub(super) fn written_down(
        &mut self,
        id: PaneId,
        attempt: Ticket,
        written: Result<(), String>,
    ) {
        if !is_attempt(&self.state, id, attempt) {
            return;
        }
        if let Err(reason) = written {
            return self.called_off(id, &reason);
        }
        let now = self.state.now();
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        if pane.calls_off_sleep() {
            return self.called_off(id, "it is used again");
        }
        let Some(falling) = pane.life.falling_mut() else {
            return;
        };
        if let Some(directory) = process_info::directory_of(falling.pid()) {
            pane.facts.directory = Some(directory);
        }
        falling.stage = Stage::Noting;
        falling.note = Some(Sleep {
            since: now,
            cause: falling.cause(),
            program: falling.program.clone(),
            run: falling.run.clone(),
            is_tidied: false,
        });
        let window = pane.window;
        let Some(keeping) = &self.persistence.keeping else {
            return self.called_off(id, "nothing can be kept");
        };
        let sessions = self.state.links_of(window);
        let sessions = sessions.filter_map(|(id, _)| self.state.sessions.get(&id));
        let bodies = sessions.filter_map(|session| {
            let body = memory::session_body(session, &self.state);
            Some((session.standing.kept?, body))
        });
        let (bodies, events) = (bodies.collect(), self.thread_events.clone());
        // Should all of us die as soon as the shell has, this is all that tells of its state.
        keeping.recorder.write_sessions_now(bodies, move |noted| {
            steps::reached("noted");
            events.send(Event::NotedDown {
                pane: id,
                attempt,
                noted,
            });
        });
    }

    /// All of a pane is safe on disk, and that it sleeps, too: now its shell can be ended. Or it is not.
    pub(super) fn noted_down(&mut self, id: PaneId, attempt: Ticket, noted: Result<(), String>) {
        if !is_attempt(&self.state, id, attempt) {
            return;
        }
        if let Err(reason) = noted {
            return self.called_off(id, &reason);
        }
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        if pane.calls_off_sleep() {
            return self.called_off(id, "it is used again");
        }
        let Some(falling) = pane.life.falling() else {
            return;
        };
        let (pid, took) = (falling.pid().as_raw(), falling.began.elapsed());
        let (window, Some(sleep)) = (pane.window, falling.note.clone()) else {
            return;
        };
        // First the keeper's note: whoever takes over from a server that died behind it finds a pane that sleeps.
        self.state.window_note_due(window);
        self.write_notes();
        self.host.request(HostRequest::End { pane: id, pid });
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.falls_asleep(sleep);
            pane.screen.fall_asleep();
            pane.screen.unload_if_unused();
        }
        self.hibernation.sleeps.hibernations.record(took);
        self.state.tell(Notice::PaneHibernated(id));
        if let Some(session) = self.state.session_with(window)
            && wake::is_session_asleep(&self.state, session)
        {
            self.state.tell(Notice::SessionHibernated(session));
        }
        self.marks_changed(window);
        let ended = match resume::program_text(&self.state, id) {
            Some(program) => format!("; ended: {program}"),
            None => String::new(),
        };
        let text = format!("asleep after {} ms{ended}", took.as_millis());
        self.sleep_told(id, Ok(text));
        // What was typed meanwhile is for the shell that comes.
        if self.state.panes.get(&id).is_some_and(Pane::has_early_input) {
            self.wake(id, Waker::User);
        }
    }

    /// A shell did not answer yet: it is asked again, or it had its time.
    pub(super) fn asleep_due(&mut self, id: PaneId) {
        let pane = self.state.panes.get_mut(&id);
        let Some(falling) = pane.and_then(|pane| pane.life.falling_mut()) else {
            return;
        };
        if falling.stage == Stage::Settling {
            return self.scan_processes_for(ScanPurpose::Settled(id));
        }
        if !falling.is_asked() {
            return;
        }
        let Some(patience) = PATIENCE.get(falling.asked).copied() else {
            let key = falling.shell.and_then(Shell::line_key);
            let key = key.filter(|_| falling.stage == Stage::Line);
            if let (Some(pane), Some(key)) = (self.state.panes.get(&id), key) {
                pane.erase_key(key);
            }
            return self.called_off(id, "its shell did not answer");
        };
        falling.asked += 1;
        if let Some(shell) = falling.shell.filter(|_| falling.stage == Stage::State) {
            // If it is gone, that is noticed elsewhere.
            let _ = signal_shell(shell, falling.pid().as_raw());
        }
        let timer = self.state.set_alarm(Alarm::Asleep(id), patience);
        let pane = self.state.panes.get_mut(&id);
        if let Some(falling) = pane.and_then(|pane| pane.life.falling_mut()) {
            falling.timer = Some(timer);
        }
    }

    /// A pane does not fall asleep after all: its shell gets what was typed meanwhile.
    pub(super) fn called_off(&mut self, id: PaneId, reason: &str) {
        stop_falling(&mut self.state, id);
        tracing::info!(pane = %id, reason, "stays awake");
        // It is tried again, but not before long.
        self.sleeper_due(id);
        self.state.tell(Notice::PaneHibernateFailed {
            pane: id,
            reason: reason.to_owned(),
        });
        if let Some(session) = self.state.session_of(id) {
            self.state.tell(Notice::SessionHibernateFailed {
                session,
                reason: reason.to_owned(),
            });
        }
        self.sleep_told(id, Err(reason.to_owned()));
    }
}

/// Whether a pane could sleep, and why not.
pub(crate) fn idle_verdict(model: &Model, pane: &Pane, processes: &Processes) -> Verdict {
    let shell = pane.pid().map(u32::cast_signed);
    let session = model.session_of(pane.id);
    let options = model.session_options(session);
    let fd = pane.pty_fd();
    let foreground = match (fd.and_then(|fd| nix::unistd::tcgetpgrp(fd).ok()), shell) {
        (Some(group), Some(shell)) if group.as_raw() == shell => Foreground::Shell,
        (Some(group), _) => Foreground::Other {
            pid: group.as_raw(),
        },
        (None, _) => Foreground::Unknown,
    };
    let now = shell.and_then(|pid| process_info::command_of(Pid::from_raw(pid)));
    let replaced_by = shell.filter(|_| {
        let started = pane
            .shell_program
            .as_ref()
            .and_then(|path| path.file_name());
        let started = started.map(|name| name.to_string_lossy().into_owned());
        started.is_some() && now.is_some() && started != now
    });
    let replaced_by = replaced_by.or_else(|| shell.filter(|_| pane.runs_what_it_began_with()));
    let open = shell.map(|shell| open_files(shell, &shells::shell_dir(model, pane.id)));
    let open = open.unwrap_or_default();
    judge(&Facts {
        shell,
        replaced_by: replaced_by.map(|pid| process_info::argv_of(Pid::from_raw(pid))),
        has_integration: pane.shell_program.is_some(),
        last_mark: pane.shell_word.mark().or(Some(Mark::PromptEnds)),
        is_continuation: pane.shell_word.is_continuation(),
        foreground,
        canonical_tty: is_canonical(pane),
        other_processes: shell.map_or_else(Vec::new, |shell| processes.of_shell(shell)),
        extra_fds: open.extra,
        // One that the scan has missed has only just been started.
        is_arriving: open.has_ours || shell.is_some_and(|shell| processes.misses(shell)),
        unread_output: pane.has_unread_output(),
        spare_unread: options.flag("spare-unread"),
        unread_input: pane.has_unread_input(),
    })
}

/// Whether a pane would sleep that is awake, and what would become of it.
///
/// # Errors
/// Why it would not, in one sentence.
pub(crate) fn would_sleep(
    model: &Model,
    pane: &Pane,
    processes: &Processes,
    force: Force,
) -> Result<String, String> {
    if let Some(reason) = never_sleeps(pane) {
        return Err(reason.to_owned());
    }
    match idle_verdict(model, pane, processes) {
        Verdict::CanSleep => Ok("would sleep".to_owned()),
        Verdict::Runs { program, .. } if force == Force::On => {
            Ok(format!("would sleep, and end {program}"))
        }
        Verdict::Refused { reason } if force == Force::On && reason == Reason::NoIntegration => {
            Ok("would sleep, and end its shell".to_owned())
        }
        verdict => Err(verdict.to_string()),
    }
}

/// Waits until whatever was typed has got where it goes; what is typed from now on is held.
fn let_settle(model: &mut Model, id: PaneId, (shell, process): (Shell, ProcessId), rest: Duration) {
    let timer = model.set_alarm(Alarm::Asleep(id), rest);
    let mut falling = Falling::new(Some(shell), process);
    (falling.stage, falling.timer) = (Stage::Settling, Some(timer));
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.life.falls_asleep(Box::new(falling));
    }
}

/// Whether an answer is to the attempt to put a pane to sleep that is under way. The answer to an earlier one must not end a shell
/// of whose state it says nothing.
fn is_attempt(model: &Model, id: PaneId, attempt: Ticket) -> bool {
    let pane = model.panes.get(&id);
    let falling = pane.and_then(|pane| pane.life.falling());
    falling.is_some_and(|falling| falling.attempt == attempt)
}

/// Withdraws what was asked of a pane's shell, and gives it the input that was held.
fn stop_falling(model: &mut Model, id: PaneId) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    // A shell on its way back gets its input when its pane is noted as awake: the next server would end it, and the input with it.
    let Some(falling) = pane.life.stays_awake() else {
        return;
    };
    pane.read_again();
    pane.release_input();
    let window = pane.window;
    if falling.note.is_some() {
        // It may be written somewhere that it sleeps.
        model.window_note_due(window);
    }
}

/// Whether its terminal gathers lines by itself: no shell that waits at its prompt has it so.
fn is_canonical(pane: &Pane) -> bool {
    let settings = pane.pty_fd().and_then(|fd| tcgetattr(fd).ok());
    settings.is_none_or(|settings| settings.local_flags.contains(LocalFlags::ICANON))
}

/// Why a pane cannot sleep, whatever its shell does.
pub(super) fn never_sleeps(pane: &Pane) -> Option<&'static str> {
    if pane.is_asleep() {
        return Some("sleeps already");
    }
    if !pane.screen.is_kept() {
        return Some("is private, and nothing of it may be on disk");
    }
    pane.is_dead().then_some("its program has ended")
}

/// Has a shell look for a question.
pub(super) fn signal_shell(shell: Shell, pid: i32) -> nix::Result<()> {
    let signal = match shell.signal() {
        Wake::WindowChange => Signal::SIGWINCH,
        Wake::Urgent => Signal::SIGURG,
    };
    kill(Pid::from_raw(pid), signal)
}

/// What can be seen of a shell that tells nothing itself.
#[derive(Default)]
struct Seen {
    /// What it exports.
    environ: Option<Vec<Vec<u8>>>,
    umask: Option<u32>,
}

/// What was seen of a shell is how the one that follows it begins.
fn write_seen(dir: &PaneDir, seen: Seen) -> Result<(), StoreError> {
    if seen.environ.is_none() && seen.umask.is_none() {
        return Ok(());
    }
    let Some(start) = dir.read_start()? else {
        return Ok(());
    };
    dir.write_start(&StoredStart {
        environ: seen.environ.unwrap_or(start.environ),
        umask: seen.umask.unwrap_or(start.umask),
        ..start
    })
}

/// Whether programs that run may be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Force {
    Off,
    On,
}
