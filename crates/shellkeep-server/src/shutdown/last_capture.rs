//! The captures before an orderly end: idle shells report their state before they are ended, and the latest facts of
//! every pane are noted. This module decides what the end waits for, and ends nothing itself.
//!
//! ```text
//! kill-server, kill-session ─► capture what is idle, within end-budget ─► the command is run again ─► flush, end
//! SIGTERM                   ─► the same                                 ─► flush, leave
//! ```
//!
//! A shell that cannot be asked yet but may in a moment (it runs a short command, draws its prompt, or is being put to
//! sleep) is checked again until it can, within the same budget.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::time::Duration;

use shellkeep_core::PaneId;
use shellkeep_hibernation::{Reason, Verdict};
use shellkeep_keeper::steps;
use shellkeep_shell::Shell;

use crate::action::{Action, Awaited};
use crate::alarm::{Alarm, Timer};
use crate::commands::queue::Wait;
use crate::commands::reply::Reply;
use crate::hibernation::fall_asleep::never_sleeps;
use crate::hibernation::idle_verdict::idle_verdict;
use crate::hibernation::state::Hibernation;
use crate::hibernation::{idle_capture, outcome};
use crate::model::Model;
use crate::panes::shells;
use crate::persistence::stored;
use crate::process::processes::Processes;
use crate::shutdown::leaving;
use crate::shutdown::state::Shutdown;

/// How often a shell is checked that cannot be asked yet. Short, since the end of the server waits for it.
const RECHECK_INTERVAL: Duration = Duration::from_millis(20);

/// A shell that has not answered for this long, and has no copy of itself running, is asked again. Bash and zsh answer
/// from a copy, which a system shutdown ends like everything else; the shell itself ignores SIGTERM, and answers each
/// question once.
const ANSWER_LOST_AFTER: Duration = Duration::from_millis(300);

/// Ends that wait until shells have reported their state.
#[derive(Default)]
pub(crate) struct LastCaptures {
    running: Vec<LastCapture>,
    /// The captures that were missed, for the running command, which has waited.
    pub(crate) answer: Option<Vec<String>>,
    /// The captures that were missed, until the command prints them.
    missed: Vec<String>,
}

#[cfg(test)]
impl LastCaptures {
    /// Whether this end still waits for shells.
    pub(crate) fn is_running(&self, number: u64) -> bool {
        self.running.iter().any(|one| one.number == number)
    }
}

struct LastCapture {
    number: u64,
    waiting: BTreeSet<PaneId>,
    /// Sentences about shells whose last state is not on disk.
    missed: Vec<String>,
    _budget: Timer,
    /// Runs until the shells that could not be asked are checked again.
    recheck: Option<Timer>,
}

/// Asks the shells of panes that are about to be closed for their state, for the running command. `Err` is the reply
/// with which the command waits; it is then run again from its beginning. `Ok` has the captures that were missed.
pub(crate) fn capture_first(
    model: &mut Model,
    shutdown: &mut Shutdown,
    hibernation: &mut Hibernation,
    panes: &[PaneId],
) -> Result<Vec<String>, Reply> {
    if let Some(missed) = shutdown.leaving.captures.answer.take() {
        return Ok(missed);
    }
    match begin_last_capture(model, shutdown, hibernation, panes) {
        Some(number) => Err(Reply {
            wait: Some(Wait::LastCapture(number)),
            ..Reply::default()
        }),
        None => Ok(Vec::new()),
    }
}

/// Keeps the missed captures until the command prints them.
pub(crate) fn missed_at_the_end(shutdown: &mut Shutdown, missed: Vec<String>) {
    shutdown.leaving.captures.missed = missed;
}

/// The missed captures, one on each line.
pub(crate) fn take_missed(shutdown: &mut Shutdown) -> Vec<u8> {
    let missed = std::mem::take(&mut shutdown.leaving.captures.missed);
    let lines = missed.into_iter().map(|line| line + "\n");
    lines.collect::<String>().into_bytes()
}

/// Asks all shells at once whose latest state is not on disk. Returns the number to wait for, if there is something to
/// wait for.
pub(crate) fn begin_last_capture(
    model: &mut Model,
    shutdown: &mut Shutdown,
    hibernation: &mut Hibernation,
    panes: &[PaneId],
) -> Option<u64> {
    for id in panes {
        learn_newest(model, *id);
    }
    let budget = model.options.server().duration("end-budget")?;
    let processes = OnceCell::new();
    let (mut waiting, mut missed) = (BTreeSet::new(), Vec::new());
    for id in panes {
        match capture_before_end(model, hibernation, *id, &processes) {
            Ok(true) => drop(waiting.insert(*id)),
            Ok(false) => {}
            Err(reason) => missed.push(missed_text(model, *id, &reason)),
        }
    }
    if waiting.is_empty() && missed.is_empty() {
        return None;
    }
    let number = model.next_wait();
    let is_over = waiting.is_empty();
    let budget = if is_over { Duration::ZERO } else { budget };
    shutdown.leaving.captures.running.push(LastCapture {
        number,
        waiting,
        missed,
        _budget: model.set_alarm(Alarm::LastCapture(number), budget),
        recheck: (!is_over)
            .then(|| model.set_alarm(Alarm::RecheckLastCapture(number), RECHECK_INTERVAL)),
    });
    Some(number)
}

/// Asks a shell that has run something since it last reported its state. Returns whether to wait for it.
///
/// # Errors
/// Why it cannot be asked, in one sentence.
fn capture_before_end(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    processes: &OnceCell<Processes>,
) -> Result<bool, String> {
    // The shell's report file is newer than the output that was read from its terminal; a command that has run must not
    // be missed.
    shells::read_shell_report(model, id);
    let Some(pane) = model.panes.get(&id) else {
        return Ok(false);
    };
    let shell = pane.shell_program.as_deref().and_then(Shell::of);
    let process = pane.process();
    let (Some(shell), Some(process)) = (shell, process) else {
        return Ok(false);
    };
    // The shell has ended and reports nothing more.
    if pane.life.has_ended() {
        return Ok(false);
    }
    let pid = process.pid.cast_signed();
    let others = || processes.get_or_init(Processes::scan).of_shell(pid);
    let is_lost = |asked: Option<Duration>| {
        let is_late = asked.is_some_and(|asked| asked >= ANSWER_LOST_AFTER);
        shell != Shell::Fish && is_late && others().is_empty()
    };
    if let Some(falling) = pane.life.falling() {
        // Its state is being written, or the pane stays awake and is asked then.
        if falling.is_forced() || !is_lost(falling.asked_for()) {
            return Ok(!falling.is_forced());
        }
        outcome::cancel_sleep(model, id, "its shell did not answer");
    }
    let Some(pane) = model.panes.get_mut(&id) else {
        return Ok(false);
    };
    // Everything a waking pane has is on disk.
    if pane.life.waking().is_some() || never_sleeps(pane).is_some() {
        return Ok(false);
    }
    if let Some(asked) = pane.capture.asked_for() {
        if !is_lost(Some(asked)) {
            return Ok(true);
        }
        pane.capture.withdraw();
    }
    if !pane.capture.is_due() && !pane.is_used_again() {
        return Ok(false);
    }
    let Some(pane) = model.panes.get(&id) else {
        return Ok(false);
    };
    match idle_verdict(model, pane, processes.get_or_init(Processes::scan)) {
        // When a signal has ended the copy of bash that was to answer, bash leaves its terminal in canonical mode.
        Verdict::CanSleep
        | Verdict::Refused {
            reason: Reason::ReadsLines,
        } => {
            idle_capture::ask_for_capture(model, hibernation, id, shell, pid)?;
            Ok(true)
        }
        Verdict::Refused { reason } if reason.is_passing() => Ok(true),
        verdict => Err(verdict.to_string()),
    }
}

/// Checks the shells again that an end waits for and that could not be asked.
pub(crate) fn recheck_last_capture(
    model: &mut Model,
    shutdown: &mut Shutdown,
    hibernation: &mut Hibernation,
    number: u64,
) {
    let again = model.set_alarm(Alarm::RecheckLastCapture(number), RECHECK_INTERVAL);
    let mut running = shutdown.leaving.captures.running.iter_mut();
    let Some(one) = running.find(|one| one.number == number) else {
        return;
    };
    one.recheck.replace(again);
    let waiting: Vec<PaneId> = one.waiting.iter().copied().collect();
    let processes = OnceCell::new();
    for id in waiting {
        continue_last_capture(model, shutdown, hibernation, id, &processes);
    }
}

/// A shell has reported its state: an end that waits for it continues, unless something has run in the shell since it
/// was asked.
pub(crate) fn last_capture_answered(
    model: &mut Model,
    shutdown: &mut Shutdown,
    hibernation: &mut Hibernation,
    id: PaneId,
) {
    let mut running = shutdown.leaving.captures.running.iter();
    if running.any(|one| one.waiting.contains(&id)) {
        continue_last_capture(model, shutdown, hibernation, id, &OnceCell::new());
    }
}

fn continue_last_capture(
    model: &mut Model,
    shutdown: &mut Shutdown,
    hibernation: &mut Hibernation,
    id: PaneId,
    processes: &OnceCell<Processes>,
) {
    match capture_before_end(model, hibernation, id, processes) {
        Ok(true) => {}
        Ok(false) => last_capture_settled(model, shutdown, id, None),
        Err(reason) => last_capture_settled(model, shutdown, id, Some(&reason)),
    }
}

fn missed_text(model: &Model, id: PaneId, reason: &str) -> String {
    let pane = model.panes.get(&id);
    let kept = pane.and_then(|pane| pane.capture.kept_at());
    let place = outcome::pane_place(model, id);
    let text = match kept {
        Some(at) => {
            let at = crate::hibernation::report::moment(at);
            format!("{place}: its shell is kept as it was at {at}: {reason}")
        }
        None => format!("{place}: the state of its shell is not kept: {reason}"),
    };
    tracing::warn!(text, "a shell was not captured at the end");
    text
}

/// A shell has reported its state, or will not: ends that wait for it may continue.
pub(crate) fn last_capture_settled(
    model: &mut Model,
    shutdown: &mut Shutdown,
    id: PaneId,
    missed: Option<&str>,
) {
    let mut running = shutdown.leaving.captures.running.iter();
    if !running.any(|it| it.waiting.contains(&id)) {
        return;
    }
    let text = missed.map(|reason| missed_text(model, id, reason));
    let mut done = Vec::new();
    for one in &mut shutdown.leaving.captures.running {
        if one.waiting.remove(&id) {
            one.missed.extend(text.clone());
            if one.waiting.is_empty() {
                done.push(one.number);
            }
        }
    }
    for number in done {
        last_capture_over(model, shutdown, number);
    }
}

/// All shells have reported, or the time is over: the end continues.
pub(crate) fn last_capture_over(model: &mut Model, shutdown: &mut Shutdown, number: u64) {
    let running = &mut shutdown.leaving.captures.running;
    let Some(at) = running.iter().position(|it| it.number == number) else {
        return;
    };
    let one = running.swap_remove(at);
    steps::reached("end-captured");
    let mut missed = one.missed;
    for id in one.waiting {
        missed.push(missed_text(model, id, "it did not answer in time"));
    }
    if leaving::captured_before_leaving(shutdown, number) {
        return;
    }
    let awaited = Awaited::LastCaptures(missed);
    model.act(Action::RunAgain(Wait::LastCapture(number), awaited));
}

/// Reads the directory of a pane's shell and program now, because the recorder reads them only once a second.
fn learn_newest(model: &mut Model, id: PaneId) {
    let pane = model.panes.get(&id);
    let program = pane.and_then(|pane| pane.screen.with_record(|record| record.program()));
    if let Some(program) = program.flatten() {
        stored::set_facts(model, id, program.facts());
    }
}
