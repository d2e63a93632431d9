//! Falling asleep: the shell is asked for its state, screen and state are written, and only when both are safe is a
//! process ended.
//!
//! ```text
//! idle? ─► input held ─► question and signal ─► state, half-typed line ─► written and read back ─► noted ─► ended
//!              └──────────── on any failure: the question is withdrawn, the old shell gets the input ◄──┘
//! ```

use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::sys::termios::tcgetattr;
use nix::unistd::Pid;
use shellkeep_core::PaneId;
use shellkeep_hibernation::{Reason, Verdict};
use shellkeep_keeper::{HostRequest, ProcessId, steps};
use shellkeep_shell::{MidKey, Purpose, Shell, ShellState, Wake};
use shellkeep_store::schema::StoredStart;
use shellkeep_store::{PaneDir, StoreError};

use crate::action::Action;
use crate::alarm::Alarm;
use crate::event::Event;
use crate::hibernation::idle_verdict::{idle_verdict, is_canonical};
use crate::hibernation::marks::marks_changed;
use crate::hibernation::outcome::{cancel_sleep, report_outcome, stop_falling};
use crate::hibernation::question::put_question;
use crate::hibernation::refusal::{Force, Refusal};
use crate::hibernation::running::{Run, exported};
use crate::hibernation::state::Hibernation;
use crate::hibernation::waiting_panes::rejudge_falling;
use crate::hibernation::{asleep, resume};
use crate::model::notice::Notice;
use crate::model::ticket::Ticket;
use crate::model::{Falling, FallingStage, Model, Pane, RevivalStage, Reviving, Sleep, Waker};
use crate::persistence::notes;
use crate::persistence::record::ShellFile;
use crate::process::process_info;
use crate::process::process_scan::ScanPurpose;
use crate::process::processes::Processes;
use crate::records::follow;

/// How long a shell has to report its state: three seconds, with a signal at each of these intervals. A shell that was
/// just revived misses the first signal while it still reads the part of its state that its prompt did not need.
const ANSWER_TIMEOUTS: [Duration; 5] = [
    Duration::from_millis(100),
    Duration::from_millis(200),
    Duration::from_millis(400),
    Duration::from_millis(800),
    Duration::from_millis(1500),
];

/// How long a shell is left alone after input. The input may still be on its way, where no check sees it, and the
/// question would then arrive in the middle of a command.
const INPUT_SETTLE_TIME: Duration = Duration::from_millis(50);

/// Begins to put a pane to sleep.
///
/// # Errors
/// Why it cannot sleep.
pub(crate) fn fall_asleep(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    processes: &Processes,
    force: Force,
) -> Result<(), Refusal> {
    let Some(pane) = model.panes.get(&id) else {
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
        // Its old state is on disk, and would be replaced by that of a shell that has not read it.
        let reason = Reason::Arriving;
        return Err(Refusal::of(&Verdict::Refused { reason }));
    }
    let shell = pane.shell_program.as_deref().and_then(Shell::of);
    if let Some(shell) = shell.filter(|_| pane.capture.is_under_way()) {
        // The copy of the shell that answers would be taken for a background job.
        let_settle(model, id, (shell, process), INPUT_SETTLE_TIME);
        return Ok(());
    }
    let verdict = idle_verdict(model, pane, processes);
    match (&verdict, force) {
        (Verdict::CanSleep, _) => {
            let shell = shell.ok_or("its shell cannot be asked for its state")?;
            // Input that came after the scan began may have started a program that the scan has missed.
            let since = pane.last_write();
            let since = since.map(|last| processes.began().saturating_duration_since(last));
            match INPUT_SETTLE_TIME.saturating_sub(since.unwrap_or(INPUT_SETTLE_TIME)) {
                Duration::ZERO => Ok(ask_shell(model, hibernation, id, shell, process)?),
                rest => {
                    let_settle(model, id, (shell, process), rest);
                    Ok(())
                }
            }
        }
        (Verdict::Runs { pid: program, .. }, Force::On) => {
            end_program(model, hibernation, id, process, *program);
            Ok(())
        }
        (Verdict::Refused { reason }, Force::On) if *reason == Reason::NoIntegration => {
            end_shell(model, hibernation, id, process);
            Ok(())
        }
        _ => Err(Refusal::of(&verdict)),
    }
}

/// Puts a pane to sleep together with its foreground program. A shell that runs a command does not answer: only its
/// directory, its exported variables and the program's command line can be had.
fn end_program(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    process: ProcessId,
    pid: i32,
) {
    let shell = process.pid.cast_signed();
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let mut run = Run::of(Pid::from_raw(pid));
    run.typed = pane.shell_report.line(run.started);
    run.last_output = pane.last_output();
    let mut program = process_info::argv_of(Pid::from_raw(pid));
    if program.is_empty() || pid == shell && pane.runs_what_it_began_with() {
        program.clone_from(&pane.argv);
        if let [line] = &pane.argv[..] {
            run.typed = Some(line.clone());
        }
    }
    run.rivals = Some(resume::rivals_of(model, id, &program, &run));
    let seen = Seen {
        environ: exported(shell, pid, run.typed.as_deref()),
        umask: process_info::umask_of(Pid::from_raw(shell)),
    };
    let mut falling = Falling::new(None, process);
    (falling.program, falling.run) = (program, run);
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.life.falls_asleep(Box::new(falling));
    }
    write_down(model, hibernation, id, None, seen);
}

/// Puts a pane to sleep whose shell cannot be asked. Its directory and umask are read from the kernel; its variables
/// are those it was started with.
fn end_shell(model: &mut Model, hibernation: &mut Hibernation, id: PaneId, process: ProcessId) {
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.life
            .falls_asleep(Box::new(Falling::new(None, process)));
    }
    let seen = Seen {
        environ: None,
        umask: process_info::umask_of(Pid::from_raw(process.pid.cast_signed())),
    };
    write_down(model, hibernation, id, None, seen);
}

/// The wait after input is over and the processes were scanned: asks the shell if it is still idle.
pub(crate) fn settled(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    processes: &Processes,
) {
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let falling = pane.life.falling();
    // The attempt may have been cancelled meanwhile.
    let Some(falling) = falling.filter(|falling| falling.stage == FallingStage::Settling) else {
        return;
    };
    let (shell, process) = (falling.shell, falling.process);
    if let Some(shell) = shell.filter(|_| pane.capture.is_under_way()) {
        return let_settle(model, id, (shell, process), INPUT_SETTLE_TIME);
    }
    let asked = match (idle_verdict(model, pane, processes), shell) {
        (Verdict::CanSleep, Some(shell)) => {
            ask_shell(model, hibernation, id, shell, process).map_err(Refusal::from)
        }
        (verdict, _) => Err(Refusal::of(&verdict)),
    };
    match asked {
        Ok(()) => {}
        Err(refusal) if refusal.is_passing && rejudge_falling(model, hibernation, id) => {
            stop_falling(model, id)
        }
        Err(refusal) => cancel_sleep(model, id, &refusal.text),
    }
}

fn ask_shell(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    shell: Shell,
    process: ProcessId,
) -> Result<(), String> {
    let mut falling = Falling::new(Some(shell), process);
    let (request, watch) = put_question(model, hibernation, id, Purpose::Sleep, falling.attempt)?;
    let timer = model.set_alarm(Alarm::Asleep(id), ANSWER_TIMEOUTS[0]);
    let Some(pane) = model.panes.get_mut(&id) else {
        return Err("it is gone".to_owned());
    };
    // A resize wakes the shell like the question does, and must not arrive in between.
    pane.send_size_now();
    (falling.request, falling.watch) = (Some(request), Some(watch));
    falling.timer = Some(timer);
    pane.life.falls_asleep(Box::new(falling));
    // A shell redraws its line to report it, and is ended in the middle of that. Stop reading, so that the screen stays
    // as the user left it.
    pane.stop_reading();
    signal_shell(shell, process.pid.cast_signed()).map_err(|error| {
        pane.life.stays_awake();
        pane.read_again();
        pane.release_input(None);
        format!("cannot ask: {error}")
    })?;
    steps::reached("asked");
    Ok(())
}

/// A shell has written an answer. Returns whether it was to the attempt to put its pane to sleep.
pub(crate) fn shell_answered(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    attempt: Ticket,
) -> bool {
    let Some(pane) = model.panes.get(&id) else {
        return false;
    };
    let Some(falling) = pane.life.falling().filter(|it| it.attempt == attempt) else {
        return false;
    };
    let Some(request) = &falling.request else {
        return true;
    };
    match falling.stage {
        FallingStage::State => {
            let Some(state) = request.state() else {
                return true;
            };
            let has_line = request.line().is_some();
            let key = state.line_key(&pane.last_written());
            if !has_line && key != Ok(None) {
                ask_for_line(model, id, key);
                return true;
            }
        }
        FallingStage::Line if request.line().is_some() => {}
        _ => return true,
    }
    let Some(mut state) = request.state() else {
        return true;
    };
    if let Some(settings) = pane.pty_fd().and_then(|fd| tcgetattr(fd).ok()) {
        state.set_terminal(settings);
    }
    state.set_captured(crate::persistence::record::now());
    write_down(model, hibernation, id, Some(state), Seen::default());
    true
}

/// Asks a shell that has reported its state for its half-typed line.
fn ask_for_line(model: &mut Model, id: PaneId, key: Result<Option<&[u8]>, MidKey>) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    if is_canonical(pane) || pane.calls_off_sleep() {
        // The shell is no longer at its prompt: the key would be visible, and another program would read it.
        return cancel_sleep(model, id, "it is used again");
    }
    match key {
        Ok(key) => {
            if let Some(falling) = pane.life.falling_mut() {
                falling.stage = FallingStage::Line;
            }
            if let Some(task) = pane.task() {
                task.write(key.unwrap_or_default());
            }
        }
        Err(reason) => cancel_sleep(model, id, &reason.to_string()),
    }
}

/// Has the recorder write a pane that is falling asleep, with its shell's state or with what could be read of it from
/// outside.
fn write_down(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    state: Option<ShellState>,
    seen: Seen,
) {
    steps::reached("captured");
    let Some(keeping) = hibernation.keeping.clone() else {
        return cancel_sleep(model, id, "nothing can be kept");
    };
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let Some(falling) = pane.life.falling_mut() else {
        return;
    };
    falling.is_answered();
    let attempt = falling.attempt;
    let dir = pane.screen.with_record(|record| record.dir().clone());
    let Some(dir) = dir else {
        return cancel_sleep(model, id, "it is not kept");
    };
    let events = hibernation.thread_events.clone();
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

/// The recorder has written a pane's screen and shell state, or has failed. If both are safe, the session file is
/// written, in which the pane is asleep.
pub(crate) fn written_down(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    attempt: Ticket,
    written: Result<(), String>,
) {
    if !is_attempt(model, id, attempt) {
        return;
    }
    if let Err(reason) = written {
        return cancel_sleep(model, id, &reason);
    }
    let now = model.now();
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    if pane.calls_off_sleep() {
        return cancel_sleep(model, id, "it is used again");
    }
    let Some(falling) = pane.life.falling_mut() else {
        return;
    };
    if let Some(directory) = process_info::directory_of(falling.pid()) {
        pane.facts.directory = Some(directory);
    }
    falling.stage = FallingStage::Noting;
    falling.note = Some(Sleep {
        since: now,
        cause: falling.cause(),
        program: falling.program.clone(),
        run: falling.run.clone(),
        is_tidied: false,
    });
    let window = pane.window;
    let Some(keeping) = &hibernation.keeping else {
        return cancel_sleep(model, id, "nothing can be kept");
    };
    let sessions = model.links_of(window);
    let sessions = sessions.filter_map(|(id, _)| model.sessions.get(&id));
    let bodies = sessions.filter_map(|session| {
        let body = notes::session_body(session, model);
        Some((session.standing.kept?, body))
    });
    let (bodies, events) = (bodies.collect(), hibernation.thread_events.clone());
    // If machine, server and keeper die right after the shell has ended, this file alone says that the pane sleeps.
    keeping.recorder.write_sessions_now(bodies, move |noted| {
        steps::reached("noted");
        events.send(Event::NotedDown {
            pane: id,
            attempt,
            noted,
        });
    });
}

/// The recorder has written that a pane sleeps, or has failed. If everything is on disk, its shell can be ended.
pub(crate) fn noted_down(
    model: &mut Model,
    id: PaneId,
    attempt: Ticket,
    noted: Result<(), String>,
) {
    if !is_attempt(model, id, attempt) {
        return;
    }
    if let Err(reason) = noted {
        return cancel_sleep(model, id, &reason);
    }
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    if pane.calls_off_sleep() {
        return cancel_sleep(model, id, "it is used again");
    }
    let window = pane.window;
    // The keeper's note goes first: if the server dies after it, the next one finds a pane that is asleep.
    model.window_note_due(window);
    model.act(Action::WriteNotes);
    model.act(Action::EndShell(id, attempt));
}

/// The keeper has the note that a pane sleeps: its shell is ended.
pub(crate) fn end_noted(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    attempt: Ticket,
) {
    if !is_attempt(model, id, attempt) {
        return;
    }
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let Some(falling) = pane.life.falling() else {
        return;
    };
    let (pid, took) = (falling.pid().as_raw(), falling.began.elapsed());
    let (window, Some(sleep)) = (pane.window, falling.note.clone()) else {
        return;
    };
    follow::shell_ended(model, id);
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    pane.falls_asleep(sleep);
    pane.screen.fall_asleep();
    pane.screen.unload_if_unused();
    model.act(Action::AskKeeper(HostRequest::End { pane: id, pid }));
    hibernation.sleeps.hibernations.record(took);
    model.notify(Notice::PaneHibernated(id));
    if let Some(session) = model.session_with(window)
        && asleep::is_session_asleep(model, session)
    {
        model.notify(Notice::SessionHibernated(session));
    }
    marks_changed(model, window);
    let ended = match resume::program_text(model, id) {
        Some(program) => format!("; ended: {program}"),
        None => String::new(),
    };
    let text = format!("asleep after {} ms{ended}", took.as_millis());
    report_outcome(model, id, Ok(text));
    // Input that came meanwhile is for the next shell.
    if model.panes.get(&id).is_some_and(Pane::has_early_input) {
        model.act(Action::Wake(id, Waker::User));
    }
}

/// A shell has not answered yet: it is signalled again, or given up.
pub(crate) fn asleep_due(model: &mut Model, hibernation: &mut Hibernation, id: PaneId) {
    let pane = model.panes.get_mut(&id);
    let Some(falling) = pane.and_then(|pane| pane.life.falling_mut()) else {
        return;
    };
    if falling.stage == FallingStage::Settling {
        return hibernation.scan_for(ScanPurpose::Settled(id));
    }
    if !falling.is_asked() {
        return;
    }
    let Some(timeout) = ANSWER_TIMEOUTS.get(falling.asked).copied() else {
        let key = falling.shell.and_then(Shell::line_key);
        let key = key.filter(|_| falling.stage == FallingStage::Line);
        if let (Some(pane), Some(key)) = (model.panes.get(&id), key) {
            pane.erase_key(key);
        }
        return cancel_sleep(model, id, "its shell did not answer");
    };
    falling.asked += 1;
    if let Some(shell) = falling
        .shell
        .filter(|_| falling.stage == FallingStage::State)
    {
        // If the shell is gone, its end is handled elsewhere.
        let _ = signal_shell(shell, falling.pid().as_raw());
    }
    let timer = model.set_alarm(Alarm::Asleep(id), timeout);
    let pane = model.panes.get_mut(&id);
    if let Some(falling) = pane.and_then(|pane| pane.life.falling_mut()) {
        falling.timer = Some(timer);
    }
}

/// What would become of a pane that is awake, if it was put to sleep.
///
/// # Errors
/// Why it would not sleep, in one sentence.
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

/// Waits until earlier input has arrived. Input that comes from now on is held.
fn let_settle(model: &mut Model, id: PaneId, (shell, process): (Shell, ProcessId), rest: Duration) {
    let timer = model.set_alarm(Alarm::Asleep(id), rest);
    let mut falling = Falling::new(Some(shell), process);
    (falling.stage, falling.timer) = (FallingStage::Settling, Some(timer));
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.life.falls_asleep(Box::new(falling));
    }
}

/// Whether an answer belongs to the current attempt. An answer to an earlier one must not end a shell whose present
/// state is not written.
fn is_attempt(model: &Model, id: PaneId, attempt: Ticket) -> bool {
    let pane = model.panes.get(&id);
    let falling = pane.and_then(|pane| pane.life.falling());
    falling.is_some_and(|falling| falling.attempt == attempt)
}

/// Why a pane cannot sleep, whatever its shell does.
pub(crate) fn never_sleeps(pane: &Pane) -> Option<&'static str> {
    if pane.is_asleep() {
        return Some("sleeps already");
    }
    if !pane.screen.is_kept() {
        return Some("is private, and nothing of it may be on disk");
    }
    pane.is_dead().then_some("its program has ended")
}

/// Signals a shell to read a question.
pub(crate) fn signal_shell(shell: Shell, pid: i32) -> nix::Result<()> {
    let signal = match shell.signal() {
        Wake::WindowChange => Signal::SIGWINCH,
        Wake::Urgent => Signal::SIGURG,
    };
    kill(Pid::from_raw(pid), signal)
}

/// What can be read from outside about a shell that reports nothing itself.
#[derive(Default)]
struct Seen {
    /// Its exported variables.
    environ: Option<Vec<Vec<u8>>>,
    umask: Option<u32>,
}

/// Writes what was read from outside into the pane's start record: the next shell begins with it.
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
