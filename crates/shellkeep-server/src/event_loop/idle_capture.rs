//! Idle capture: a shell that has been quiet at its prompt tells its state and goes on, and the state is kept. A crash or a power cut then costs
//! what ran since, not the shell.
//!
//! ```text
//! prompt after a command ─► quiet for capture-after ─► idle? ─► question and signal ─► state ─► written in the pane's `shell` file
//! ```
//!
//! It is hibernation's question, idle test and file. Nothing is held, noted or ended: a shell that lives goes by itself, and the file counts only
//! for a pane whose shell is gone. The file is replaced by one rename and says itself when the shell was asked, so it is right whenever
//! everything dies.

use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::sys::termios::{Termios, tcgetattr};
use nix::unistd::Pid;
use shellkeep_core::PaneId;
use shellkeep_keeper::steps;
use shellkeep_shell::{Purpose, Request, Shell, State};
use shellkeep_sleep::{Mark, Reason, Verdict};

use super::answers::Watch;
use super::hibernate::{never_sleeps, signal_shell};
use super::process_scan::ScanPurpose;
use super::{Server, hibernate};
use crate::alarm::{Alarm, Timer};
use crate::process_info;
use crate::processes::Processes;
use crate::record::now;
use crate::recorder::Captured;
use crate::state::{Model, Pane, PaneLife};
use crate::ticket::Ticket;

/// When a shell is asked again, and then given up. One that has only just drawn its prompt may miss the first signal.
const ANSWER_TIMEOUTS: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(2)];

/// A shell that took longer than this to answer is asked less often.
const SLOW: Duration = Duration::from_millis(100);

/// It is left alone for so many times as long as it took: captures then cost at most a fiftieth of its time.
const PAUSE_FACTOR: u32 = 50;

/// How long it takes until a shell that has a job in the background is looked at again. No prompt tells that the job has ended.
const JOB_PAUSE: Duration = Duration::from_secs(60);

/// So many shells are asked at a time: they share the CPUs with what the user does.
const MAX_ASKED: usize = 4;

/// When the next one is tried if so many are asked already, or if a prompt is only about to be shown.
const A_MOMENT: Duration = Duration::from_millis(250);

/// The copy of a shell that has answered ends within this time. Until then it would be taken for a job in the background.
const COPY_ENDS: Duration = Duration::from_millis(50);

/// What is known of a pane's captures.
#[derive(Default)]
pub(crate) struct IdleCapture {
    /// A command ran since the shell last told its state.
    is_due: bool,
    /// Runs until the pane may have been quiet for long enough, or until the shell has had its time to answer; when that is.
    timer: Option<(Timer, Instant)>,
    question: Option<Question>,
    answered: Option<Instant>,
    paused_until: Option<Instant>,
    captured: Arc<Captured>,
}

/// A shell that was asked.
struct Question {
    request: Option<Request>,
    shell: Shell,
    pid: i32,
    attempt: Ticket,
    /// As they are at the prompt: by the time of the answer a program may have changed them.
    terminal: Option<Termios>,
    began: Instant,
    /// In milliseconds since 1970.
    at: u64,
    signals: usize,
    watch: Option<Watch>,
}

/// A shell that can be asked.
struct Target {
    shell: Shell,
    pid: i32,
    /// Its `capture-after`.
    after: Duration,
}

impl Drop for Question {
    fn drop(&mut self) {
        // The watch first: the next question of this pane has the same directory.
        self.watch = None;
        if let Some(request) = self.request.take() {
            request.withdraw();
        }
    }
}

impl IdleCapture {
    /// A command runs: what the shell told before is no longer all, nor is what it is about to tell.
    pub(crate) fn command_began(&mut self) {
        self.is_due = true;
        if self.question.take().is_some() {
            // The copy of the shell that answers may live on for a moment.
            self.answered = Some(Instant::now());
        }
    }

    /// Whether a command ran since the shell last told its state.
    pub(super) fn is_due(&self) -> bool {
        self.is_due || self.captured.has_failed()
    }

    /// How long ago the shell was asked that has not answered yet.
    pub(super) fn asked_for(&self) -> Option<Duration> {
        self.question.as_ref().map(|it| it.began.elapsed())
    }

    /// Takes the question back that the shell has not answered.
    pub(super) fn withdraw(&mut self) {
        (self.question, self.timer) = (None, None);
    }

    /// Something was typed. Fish reads no key while it tells its state; the others answer from a copy.
    pub(crate) fn typed(&mut self) {
        if self
            .question
            .as_ref()
            .is_some_and(|it| it.shell == Shell::Fish)
        {
            self.question = None;
        }
    }

    /// Whether a copy of the shell may still be there that is no job of the user's.
    pub(crate) fn is_under_way(&self) -> bool {
        let is_ending = |at: Instant| at.elapsed() < COPY_ENDS;
        self.question.is_some() || self.answered.is_some_and(is_ending)
    }

    /// When the shell was asked for the state that is kept, in milliseconds since 1970.
    pub(crate) fn kept_at(&self) -> Option<u64> {
        self.captured.at()
    }

    /// The state that its shell told last, for the recorder.
    pub(super) fn captured(&self) -> Arc<Captured> {
        self.captured.clone()
    }

    /// Notes how long the shell took to answer.
    fn took(&mut self, took: Duration) {
        let is_slow = took > SLOW;
        self.paused_until = is_slow.then(|| Instant::now() + took * PAUSE_FACTOR);
    }

    fn pause_left(&self) -> Duration {
        let until = self.paused_until;
        until.map_or(Duration::ZERO, |until| {
            until.saturating_duration_since(Instant::now())
        })
    }
}

impl Server {
    /// A pane may have been quiet for long enough, or its shell had its time to answer.
    pub(super) fn capture_due(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        pane.capture.timer = None;
        if let Some(question) = &mut pane.capture.question {
            let Some(rest) = ANSWER_TIMEOUTS.get(question.signals).copied() else {
                tracing::debug!(pane = %id, "its shell did not answer");
                let took = question.began.elapsed();
                pane.capture.question = None;
                pane.capture.took(took);
                self.last_capture_settled(id, Some("it did not answer"));
                return capture_due_at_prompt(&mut self.state, id);
            };
            question.signals += 1;
            // If the shell is gone, that is noticed elsewhere.
            let _ = signal_shell(question.shell, question.pid);
            return capture_in(&mut self.state, id, rest);
        }
        if let Some(rest) = self.capture_put_off(id) {
            capture_in(&mut self.state, id, rest);
        }
    }

    /// Has the processes scanned if the time has come to ask a pane's shell. Otherwise when to look again; the next prompt does it if nothing
    /// is said.
    fn capture_put_off(&mut self, id: PaneId) -> Option<Duration> {
        match capture_target(&self.state, id) {
            Ok(_) => {
                self.scan_processes_for(ScanPurpose::Capture(id));
                None
            }
            Err(rest) => rest,
        }
    }

    /// The processes were scanned: asks a pane's shell if it is still time.
    pub(super) fn capture_scanned(&mut self, id: PaneId, processes: &Processes) {
        if let Some(rest) = self.capture_if_idle(id, processes) {
            capture_in(&mut self.state, id, rest);
        }
    }

    /// Asks a pane's shell if it is idle. Otherwise when to look again.
    fn capture_if_idle(&mut self, id: PaneId, processes: &Processes) -> Option<Duration> {
        let target = match capture_target(&self.state, id) {
            Ok(target) => target,
            Err(rest) => return rest,
        };
        let pane = self.state.panes.get(&id)?;
        match hibernate::idle_verdict(&self.state, pane, processes) {
            Verdict::CanSleep => {}
            Verdict::Refused {
                reason:
                    Reason::BackgroundJob(_)
                    | Reason::BackgroundCopy(_)
                    | Reason::StoppedJob(_)
                    | Reason::LeftBehind(_),
            } => return Some(JOB_PAUSE),
            Verdict::Refused { reason } if reason.is_passing() => {
                return Some(A_MOMENT.max(target.after));
            }
            _ => return None,
        }
        if let Err(reason) = self.ask_for_capture(id, target.shell, target.pid) {
            tracing::debug!(pane = %id, reason, "its shell cannot be asked");
        }
        None
    }

    pub(super) fn ask_for_capture(
        &mut self,
        id: PaneId,
        shell: Shell,
        pid: i32,
    ) -> Result<(), String> {
        let attempt = Ticket::new();
        let (request, watch) = self.put_question(id, Purpose::Capture, attempt)?;
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return Err("it is gone".to_owned());
        };
        // A change of size wakes a bash like the question, and must not come in between.
        pane.tell_size_now();
        pane.capture.question = Some(Question {
            request: Some(request),
            shell,
            pid,
            attempt,
            terminal: pane.pty_fd().and_then(|fd| tcgetattr(fd).ok()),
            began: Instant::now(),
            at: now(),
            signals: 1,
            watch: Some(watch),
        });
        signal_shell(shell, pid).map_err(|error| {
            pane.capture.question = None;
            error.to_string()
        })?;
        capture_in(&mut self.state, id, ANSWER_TIMEOUTS[0]);
        steps::reached("capture-asked");
        Ok(())
    }

    /// A shell that goes on has written something.
    pub(super) fn capture_answered(&mut self, id: PaneId, attempt: Ticket) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let capture = &mut pane.capture;
        let Some(question) = capture.question.as_mut().filter(|it| it.attempt == attempt) else {
            return;
        };
        let Some(mut state) = question.request.as_ref().and_then(Request::state) else {
            return;
        };
        let (took, at, pid) = (question.began.elapsed(), question.at, question.pid);
        if let Some(settings) = question.terminal.take() {
            state.set_terminal(settings);
        }
        (capture.question, capture.timer) = (None, None);
        (capture.answered, capture.is_due) = (Some(Instant::now()), false);
        capture.took(took);
        tracing::debug!(pane = %id, took = ?took, "its shell has told its state");
        state.set_captured(at);
        state.forget_line();
        steps::reached("capture-told");
        self.keep_captured(id, state, at);
        learn_directory(&mut self.state, id, pid);
        self.last_capture_answered(id);
    }

    /// Writes a state down, beside the loop.
    fn keep_captured(&self, id: PaneId, state: State, at: u64) {
        let (Some(keeping), Some(pane)) = (&self.persistence.keeping, self.state.panes.get(&id))
        else {
            return;
        };
        if let Some(home) = pane.screen.with_record(|record| record.home()) {
            let (screen, captured) = (pane.screen.clone(), pane.capture.captured());
            keeping
                .recorder
                .keep_captured(home.session, screen, captured, (state, at));
        }
    }

    /// Another program is started in a pane: what its shell was is not to come back.
    pub(super) fn forget_captured(&mut self, id: PaneId) {
        let (Some(keeping), Some(pane)) =
            (&self.persistence.keeping, self.state.panes.get_mut(&id))
        else {
            return;
        };
        pane.capture = IdleCapture::default();
        if let Some((home, dir)) = pane
            .screen
            .with_record(|record| (record.home(), record.dir().clone()))
        {
            // Before the other program can run. Behind that, what the recorder was already asked to write.
            dir.drop_shell();
            let screen = pane.screen.clone();
            keeping.recorder.run(home.session, move |_| {
                let dir = screen.with_record(|record| record.dir().clone());
                dir.map_or(Ok(()), |dir| dir.remove_shell())
            });
        }
    }
}

/// A shell shows its prompt: its state is taken when the pane has been quiet for long enough, if a command ran.
pub(super) fn capture_due_at_prompt(model: &mut Model, id: PaneId) {
    let options = model.session_options(model.session_of(id));
    let Some(after) = options.duration("capture-after") else {
        return;
    };
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let capture = &mut pane.capture;
    capture.is_due |= capture.captured.take_failure();
    let rest = capture.pause_left().max(after);
    // A timer that runs already looks by itself whether the pane is quiet; one that waits for a job to end is too late.
    let is_soon = |timer: &(Timer, Instant)| timer.1 <= Instant::now() + rest;
    let is_set = capture.question.is_some() || capture.timer.as_ref().is_some_and(is_soon);
    if capture.is_due && !is_set && pane.shell_program.is_some() {
        capture_in(model, id, rest);
    }
}

/// A pane is taken over from an earlier server, which may have died before it captured what ran.
pub(super) fn capture_taken_over(model: &mut Model, id: PaneId) {
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.capture.command_began();
    }
    capture_due_at_prompt(model, id);
}

fn capture_in(model: &mut Model, id: PaneId, rest: Duration) {
    let timer = model.set_alarm(Alarm::Capture(id), rest);
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.capture.timer = Some((timer, Instant::now() + rest));
    }
}

/// The shell of a pane that can be asked by all that is known without its processes. Otherwise when to look again.
fn capture_target(model: &Model, id: PaneId) -> Result<Target, Option<Duration>> {
    let options = model.session_options(model.session_of(id));
    let after = options.duration("capture-after").ok_or(None)?;
    let pane = model.panes.get(&id).ok_or(None)?;
    let is_at_prompt = matches!(pane.shell_word.mark(), None | Some(Mark::PromptEnds));
    let is_settled = matches!(pane.life, PaneLife::Running(_));
    let is_asked = pane.capture.question.is_some();
    let shell = pane.shell_program.as_deref().and_then(Shell::of);
    let shell = shell.ok_or(None)?;
    let pid = pane.process().ok_or(None)?.pid.cast_signed();
    let can_be_asked = is_at_prompt && is_settled && !is_asked && never_sleeps(pane).is_none();
    if !pane.capture.is_due || !can_be_asked {
        return Err(None);
    }
    let printed = pane.screen.with_record(|record| record.last_entry());
    let last = printed.flatten().max(pane.last_write());
    let rest = after.saturating_sub(last.map_or(after, |last| last.elapsed()));
    if !rest.is_zero() {
        return Err(Some(rest));
    }
    let asked = model.panes.values();
    let asked = asked.filter(|pane| pane.capture.question.is_some());
    if asked.count() >= MAX_ASKED {
        return Err(Some(A_MOMENT));
    }
    Ok(Target { shell, pid, after })
}

/// Notes the directory of a pane's shell: it cannot be read from `/proc` once the shell is gone.
pub(super) fn learn_directory(model: &mut Model, id: PaneId, pid: i32) {
    let directory = process_info::directory_of(Pid::from_raw(pid));
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    if directory.is_some() && pane.facts.directory != directory {
        pane.facts.directory = directory;
        let window = pane.window;
        model.window_note_due(window);
    }
}

/// Whether a state of the pane's shell is on disk. It counts only if the shell is gone.
pub(super) fn is_captured(pane: &Pane) -> bool {
    let dir = pane.screen.with_record(|record| record.dir().clone());
    pane.shell_program.is_some() && dir.is_some_and(|dir| dir.shell_stamp().is_some())
}
