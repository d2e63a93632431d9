//! Idle capture: a shell that has been quiet at its prompt reports its state and goes on, and the state is kept. After
//! a crash or a power cut, only what ran since is lost, not the shell.
//!
//! ```text
//! prompt after a command ─► quiet for capture-after ─► idle? ─► question and signal ─► state ─► written in the pane's `shell` file
//! ```
//!
//! It uses hibernation's question, idle test and file, but holds, notes and ends nothing. The file counts only for a
//! pane whose shell is gone. It is replaced by a rename and contains the time of the question, so it is consistent
//! whenever the machine dies.

use std::time::{Duration, Instant};

use nix::sys::termios::tcgetattr;
use nix::unistd::Pid;
use shellkeep_core::PaneId;
use shellkeep_hibernation::{Mark, Reason, Verdict};
use shellkeep_keeper::steps;
use shellkeep_shell::{Purpose, Request, Shell, ShellState};

use crate::action::Action;
use crate::alarm::{Alarm, Timer};
use crate::hibernation::fall_asleep::{never_sleeps, signal_shell};
use crate::hibernation::idle_verdict::idle_verdict;
use crate::hibernation::question::put_question;
use crate::hibernation::state::Hibernation;
use crate::model::ticket::Ticket;
use crate::model::{CaptureQuestion, IdleCapture, Model, Pane, PaneLife};
use crate::panes::shell_dir::shell_dir;
use crate::persistence::keeping::Keeping;
use crate::persistence::record::now;
use crate::process::process_info;
use crate::process::process_scan::ScanPurpose;
use crate::process::processes::Processes;

/// The intervals after which a shell is signalled again and then given up. A shell that has just drawn its prompt may
/// miss the first signal.
const ANSWER_TIMEOUTS: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(2)];

/// When a shell with a background job is looked at again: no prompt tells that the job has ended.
const JOB_PAUSE: Duration = Duration::from_secs(60);

/// How many shells are asked at a time: they share the CPUs with the user's programs.
const MAX_ASKED_SHELLS: usize = 4;

/// When a pane is tried again, if [`MAX_ASKED_SHELLS`] are asked already or its prompt is about to be shown.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// A shell that can be asked.
struct Target {
    shell: Shell,
    pid: i32,
    /// The pane's `capture-after`.
    after: Duration,
}

/// A pane may have been quiet for long enough, or the time for its shell's answer is over.
pub(crate) fn capture_due(model: &mut Model, hibernation: &mut Hibernation, id: PaneId) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    pane.capture.timer = None;
    if let Some(question) = &mut pane.capture.question {
        let Some(rest) = ANSWER_TIMEOUTS.get(question.signals).copied() else {
            tracing::debug!(pane = %id, "the pane's shell did not answer");
            let took = question.began.elapsed();
            pane.capture.question = None;
            pane.capture.took(took);
            let reason = "it did not answer".to_owned();
            model.act(Action::CaptureMissed(id, reason));
            return capture_due_at_prompt(model, id);
        };
        question.signals += 1;
        // If the shell is gone, its end is handled elsewhere.
        let _ = signal_shell(question.shell, question.pid);
        return capture_in(model, id, rest);
    }
    if let Some(rest) = capture_put_off(model, hibernation, id) {
        capture_in(model, id, rest);
    }
}

/// Scans the processes, if a pane's shell is due. Otherwise returns when to check again; with None the next prompt
/// will.
fn capture_put_off(model: &Model, hibernation: &mut Hibernation, id: PaneId) -> Option<Duration> {
    match capture_target(model, id) {
        Ok(_) => {
            hibernation.scan_for(ScanPurpose::Capture(id));
            None
        }
        Err(rest) => rest,
    }
}

/// The processes were scanned: asks a pane's shell, if it is still due.
pub(crate) fn capture_scanned(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    processes: &Processes,
) {
    if let Some(rest) = capture_if_idle(model, hibernation, id, processes) {
        capture_in(model, id, rest);
    }
}

/// Asks a pane's shell if it is idle. Otherwise returns when to check again.
fn capture_if_idle(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    processes: &Processes,
) -> Option<Duration> {
    let target = match capture_target(model, id) {
        Ok(target) => target,
        Err(rest) => return rest,
    };
    let pane = model.panes.get(&id)?;
    match idle_verdict(model, pane, processes) {
        Verdict::CanSleep => {}
        Verdict::Refused {
            reason:
                Reason::BackgroundJob(_)
                | Reason::BackgroundCopy(_)
                | Reason::StoppedJob(_)
                | Reason::LeftBehind(_),
        } => return Some(JOB_PAUSE),
        Verdict::Refused { reason } if reason.is_passing() => {
            return Some(RETRY_DELAY.max(target.after));
        }
        _ => return None,
    }
    if let Err(reason) = ask_for_capture(model, hibernation, id, target.shell, target.pid) {
        tracing::debug!(pane = %id, reason, "the pane's shell cannot be asked for its state");
    }
    None
}

pub(crate) fn ask_for_capture(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    shell: Shell,
    pid: i32,
) -> Result<(), String> {
    let attempt = Ticket::new();
    let (request, watch) = put_question(model, hibernation, id, Purpose::Capture, attempt)?;
    let Some(pane) = model.panes.get_mut(&id) else {
        return Err("it is gone".to_owned());
    };
    // A resize wakes bash like the question does, and must not arrive in between.
    pane.send_size_now();
    pane.capture.question = Some(CaptureQuestion {
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
    capture_in(model, id, ANSWER_TIMEOUTS[0]);
    steps::reached("capture-asked");
    Ok(())
}

/// A running shell has written an answer.
pub(crate) fn capture_answered(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    attempt: Ticket,
) {
    let Some(pane) = model.panes.get_mut(&id) else {
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
    tracing::debug!(pane = %id, took = ?took, "the pane's shell has reported its state");
    state.set_captured(at);
    state.forget_line();
    steps::reached("capture-told");
    keep_captured(model, hibernation, id, state, at);
    learn_directory(model, id, pid);
    model.act(Action::CaptureDone(id));
}

/// A pane's program has ended: keeps the state that the shell reported at its end, if it did. Returns whether this is
/// the first report of this end.
pub(crate) fn keep_exit_state(model: &mut Model, hibernation: &Hibernation, id: PaneId) -> bool {
    let dir = shell_dir(model, id);
    let Some(pane) = model.panes.get_mut(&id) else {
        return false;
    };
    let process = pane.process();
    // A shell that has not read its state yet has none to report; what is on disk is all there is of it.
    let is_over = process.is_none() || pane.capture.ended == process;
    if is_over || pane.life.waking().is_some() {
        return false;
    }
    pane.capture.withdraw();
    pane.capture.ended = process;
    let is_kept = pane.screen.is_kept() && pane.shell_program.is_some();
    let process = process.filter(|_| is_kept);
    let reported = process.and_then(|process| ShellState::told_at_exit(&dir, process.pid));
    if let Some(mut state) = reported {
        tracing::debug!(pane = %id, "the pane's shell has reported its state at its end");
        if let Some(settings) = pane.pty_fd().and_then(|fd| tcgetattr(fd).ok()) {
            state.set_terminal(settings);
        }
        let at = now();
        state.set_captured(at);
        pane.capture.is_due = false;
        let directory = state.directory().to_string_lossy().into_owned();
        pane.facts.directory = Some(directory);
        let window = pane.window;
        model.window_note_due(window);
        keep_captured(model, hibernation, id, state, at);
    }
    true
}

/// Writes a state on the recorder's thread.
fn keep_captured(model: &Model, hibernation: &Hibernation, id: PaneId, state: ShellState, at: u64) {
    let (Some(keeping), Some(pane)) = (&hibernation.keeping, model.panes.get(&id)) else {
        return;
    };
    if let Some(home) = pane.screen.with_record(|record| record.home()) {
        let (screen, captured) = (pane.screen.clone(), pane.capture.captured());
        keeping
            .recorder
            .keep_captured(home.session, screen, captured, (state, at));
    }
}

/// Removes a pane's captured state: another program is started in it, and its old shell must not come back.
pub(crate) fn forget_captured(model: &mut Model, keeping: Option<&Keeping>, id: PaneId) {
    let (Some(keeping), Some(pane)) = (keeping, model.panes.get_mut(&id)) else {
        return;
    };
    pane.capture = IdleCapture::default();
    if let Some((home, dir)) = pane
        .screen
        .with_record(|record| (record.home(), record.dir().clone()))
    {
        // Before the other program can run. The recorder then removes what it had been asked to write before.
        dir.drop_shell();
        let screen = pane.screen.clone();
        keeping.recorder.run(home.session, move |_| {
            let dir = screen.with_record(|record| record.dir().clone());
            dir.map_or(Ok(()), |dir| dir.remove_shell())
        });
    }
}

/// A shell shows its prompt: captures it when the pane has been quiet for long enough, if a command ran.
pub(crate) fn capture_due_at_prompt(model: &mut Model, id: PaneId) {
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
    // A running timer checks by itself whether the pane is quiet; only one that waits for a job to end fires too late.
    let is_soon = |timer: &(Timer, Instant)| timer.1 <= Instant::now() + rest;
    let is_set = capture.question.is_some() || capture.timer.as_ref().is_some_and(is_soon);
    if capture.is_due && !is_set && pane.shell_program.is_some() {
        capture_in(model, id, rest);
    }
}

/// A pane was taken over from an earlier server, which may have died before it captured the last command.
pub(crate) fn capture_taken_over(model: &mut Model, id: PaneId) {
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

/// A pane's shell, if it can be asked as far as is known without its processes. Otherwise when to check again.
fn capture_target(model: &Model, id: PaneId) -> Result<Target, Option<Duration>> {
    let options = model.session_options(model.session_of(id));
    let after = options.duration("capture-after").ok_or(None)?;
    let pane = model.panes.get(&id).ok_or(None)?;
    let is_at_prompt = matches!(pane.shell_report.mark(), None | Some(Mark::PromptEnds));
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
    if asked.count() >= MAX_ASKED_SHELLS {
        return Err(Some(RETRY_DELAY));
    }
    Ok(Target { shell, pid, after })
}

/// Notes the directory of a pane's shell, which cannot be read from `/proc` once the shell is gone.
pub(crate) fn learn_directory(model: &mut Model, id: PaneId, pid: i32) {
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
pub(crate) fn is_captured(pane: &Pane) -> bool {
    let dir = pane.screen.with_record(|record| record.dir().clone());
    pane.shell_program.is_some() && dir.is_some_and(|dir| dir.shell_stamp().is_some())
}
