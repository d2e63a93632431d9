//! What an orderly end keeps of shells: those that are idle tell their state before they are ended, and the newest facts of every pane are noted. It
//! owns which panes an end waits for, and never ends anything itself.
//!
//! ```text
//! kill-server, kill-session ─► capture what is idle, within end-budget ─► the command is run again ─► flush, end
//! SIGTERM                   ─► the same                                 ─► flush, leave
//! ```
//!
//! A shell that cannot be asked yet but will be in a moment (it runs a short command, draws its prompt, or is being put to sleep) is looked
//! at again until it can, within the same budget.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::time::Duration;

use shellkeep_core::PaneId;
use shellkeep_keeper::steps;
use shellkeep_shell::Shell;
use shellkeep_sleep::{Reason, Verdict};

use super::hibernate::never_sleeps;
use super::{Server, hibernate, stored};
use crate::alarm::{Alarm, Timer};
use crate::exec::Reply;
use crate::processes::Processes;
use crate::queue::{QueueId, Wait};
use crate::state::Model;

/// How often a shell is looked at that cannot be asked yet. Short, since the end of the server waits for it.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A shell that has not answered for so long, and has no copy of itself at work, is asked anew. Bash and zsh answer from a copy, which a system that
/// goes down ends with everything else; the shell itself ignores SIGTERM, and answers a question once.
const ANSWER_LOST: Duration = Duration::from_millis(300);

/// Ends that wait until shells have told their state.
#[derive(Default)]
pub(super) struct LastCaptures {
    running: Vec<LastCapture>,
    /// What did not make it, while the command runs that has waited for it.
    answer: Option<Vec<String>>,
    /// The same until the command says it in the end.
    missed: Vec<String>,
}

#[cfg(test)]
impl LastCaptures {
    /// Whether an end still waits for shells.
    pub(super) fn is_running(&self, number: u64) -> bool {
        self.running.iter().any(|one| one.number == number)
    }
}

struct LastCapture {
    number: u64,
    waiting: BTreeSet<PaneId>,
    /// Sentences about those whose state is older than what ran last.
    missed: Vec<String>,
    _budget: Timer,
    /// Rings when the shells that could not be asked are looked at again.
    look_again: Option<Timer>,
}

impl Server {
    /// Has the shells of panes that are about to end tell their state, for the command that runs. If they have not yet, what to answer: the
    /// command is run again from its beginning when they have. Then, what did not make it.
    pub(crate) fn capture_first(&mut self, panes: &[PaneId]) -> Result<Vec<String>, Reply> {
        if let Some(missed) = self.shutdown.leaving.captures.answer.take() {
            return Ok(missed);
        }
        match self.begin_last_capture(panes) {
            Some(number) => Err(Reply {
                wait: Some(Wait::LastCapture(number)),
                ..Reply::default()
            }),
            None => Ok(Vec::new()),
        }
    }

    /// Keeps what did not make it until the command says it.
    pub(crate) fn missed_at_the_end(&mut self, missed: Vec<String>) {
        self.shutdown.leaving.captures.missed = missed;
    }

    /// What did not make it, a line each.
    pub(crate) fn take_missed(&mut self) -> Vec<u8> {
        let missed = std::mem::take(&mut self.shutdown.leaving.captures.missed);
        let lines = missed.into_iter().map(|line| line + "\n");
        lines.collect::<String>().into_bytes()
    }

    /// Asks all shells at once whose state is not kept as it is; the number of what is to be waited for, if anything is.
    pub(super) fn begin_last_capture(&mut self, panes: &[PaneId]) -> Option<u64> {
        for id in panes {
            learn_newest(&mut self.state, *id);
        }
        let budget = self.state.options.server().duration("end-budget")?;
        let processes = OnceCell::new();
        let (mut waiting, mut missed) = (BTreeSet::new(), Vec::new());
        for id in panes {
            match self.capture_at_last(*id, &processes) {
                Ok(true) => drop(waiting.insert(*id)),
                Ok(false) => {}
                Err(reason) => missed.push(self.missed_text(*id, &reason)),
            }
        }
        if waiting.is_empty() && missed.is_empty() {
            return None;
        }
        let number = self.number_to_wait_for();
        let is_over = waiting.is_empty();
        let budget = if is_over { Duration::ZERO } else { budget };
        self.shutdown.leaving.captures.running.push(LastCapture {
            number,
            waiting,
            missed,
            _budget: self.state.set_alarm(Alarm::LastCapture(number), budget),
            look_again: (!is_over).then(|| {
                self.state
                    .set_alarm(Alarm::LookAtLastCapture(number), LOOK_AGAIN)
            }),
        });
        Some(number)
    }

    /// Asks a shell that something ran in since it last told its state; whether it is waited for.
    ///
    /// # Errors
    /// Why it cannot be asked, in one sentence.
    fn capture_at_last(
        &mut self,
        id: PaneId,
        processes: &OnceCell<Processes>,
    ) -> Result<bool, String> {
        // The shell's own word is ahead of what was read of its terminal: a command that has run is not to be missed.
        self.look_at_shell(id);
        let Some(pane) = self.state.panes.get(&id) else {
            return Ok(false);
        };
        let shell = pane.shell_program.as_deref().and_then(Shell::of);
        let process = pane.process();
        let (Some(shell), Some(process)) = (shell, process) else {
            return Ok(false);
        };
        let pid = process.pid.cast_signed();
        let others = || processes.get_or_init(Processes::look).of_shell(pid);
        let is_lost = |asked: Option<Duration>| {
            let is_late = asked.is_some_and(|asked| asked >= ANSWER_LOST);
            shell != Shell::Fish && is_late && others().is_empty()
        };
        if let Some(falling) = pane.life.falling() {
            // Its state is on its way to the disk, or the pane stays awake and is asked then.
            if falling.is_forced() || !is_lost(falling.asked_for()) {
                return Ok(!falling.is_forced());
            }
            self.called_off(id, "its shell did not answer");
        }
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return Ok(false);
        };
        // All that a shell on its way back has is on disk.
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
        let Some(pane) = self.state.panes.get(&id) else {
            return Ok(false);
        };
        match hibernate::idle_verdict(&self.state, pane, processes.get_or_init(Processes::look)) {
            // Bash takes its terminal out of the mode in which a line is edited when a signal has ended the copy that was to answer.
            Verdict::CanSleep
            | Verdict::Refused {
                reason: Reason::ReadsLines,
            } => {
                self.ask_for_capture(id, shell, pid)?;
                Ok(true)
            }
            Verdict::Refused { reason } if reason.is_passing() => Ok(true),
            verdict => Err(verdict.to_string()),
        }
    }

    /// Looks again at the shells that an end waits for and that could not be asked.
    pub(super) fn look_at_last_capture(&mut self, number: u64) {
        let again = self
            .state
            .set_alarm(Alarm::LookAtLastCapture(number), LOOK_AGAIN);
        let mut running = self.shutdown.leaving.captures.running.iter_mut();
        let Some(one) = running.find(|one| one.number == number) else {
            return;
        };
        one.look_again.replace(again);
        let waiting: Vec<PaneId> = one.waiting.iter().copied().collect();
        let processes = OnceCell::new();
        for id in waiting {
            self.last_capture_goes_on(id, &processes);
        }
    }

    /// A shell has told its state: ends that wait for it go on, unless something has run in it since it was asked.
    pub(super) fn last_capture_answered(&mut self, id: PaneId) {
        let mut running = self.shutdown.leaving.captures.running.iter();
        if running.any(|one| one.waiting.contains(&id)) {
            self.last_capture_goes_on(id, &OnceCell::new());
        }
    }

    fn last_capture_goes_on(&mut self, id: PaneId, processes: &OnceCell<Processes>) {
        match self.capture_at_last(id, processes) {
            Ok(true) => {}
            Ok(false) => self.last_capture_settled(id, None),
            Err(reason) => self.last_capture_settled(id, Some(&reason)),
        }
    }

    fn missed_text(&self, id: PaneId, reason: &str) -> String {
        let pane = self.state.panes.get(&id);
        let kept = pane.and_then(|pane| pane.capture.kept_at());
        let place = self.pane_place(id);
        let text = match kept {
            Some(at) => {
                let at = super::report::moment(at);
                format!("{place}: its shell is kept as it was at {at}: {reason}")
            }
            None => format!("{place}: the state of its shell is not kept: {reason}"),
        };
        tracing::warn!(text, "not captured at the end");
        text
    }

    /// A shell has told its state, or will not: ends that wait for it may go on.
    pub(super) fn last_capture_settled(&mut self, id: PaneId, missed: Option<&str>) {
        let mut running = self.shutdown.leaving.captures.running.iter();
        if !running.any(|it| it.waiting.contains(&id)) {
            return;
        }
        let text = missed.map(|reason| self.missed_text(id, reason));
        let mut done = Vec::new();
        for one in &mut self.shutdown.leaving.captures.running {
            if one.waiting.remove(&id) {
                one.missed.extend(text.clone());
                if one.waiting.is_empty() {
                    done.push(one.number);
                }
            }
        }
        for number in done {
            self.last_capture_over(number);
        }
    }

    /// All have told, or the time is over: the end goes on.
    pub(super) fn last_capture_over(&mut self, number: u64) {
        let running = &mut self.shutdown.leaving.captures.running;
        let Some(at) = running.iter().position(|it| it.number == number) else {
            return;
        };
        let one = running.swap_remove(at);
        steps::reached("end-captured");
        let mut missed = one.missed;
        for id in one.waiting {
            missed.push(self.missed_text(id, "it did not answer in time"));
        }
        if self.captured_before_leaving(number) {
            return;
        }
        let wait = Some(Wait::LastCapture(number));
        let waiting = self
            .commands
            .queues
            .iter()
            .filter(|(_, queue)| queue.wait == wait);
        let waiting: Vec<QueueId> = waiting.map(|(id, _)| *id).collect();
        for id in waiting {
            self.shutdown.leaving.captures.answer = Some(missed.clone());
            let outcome = self.run_again(id);
            self.shutdown.leaving.captures.answer = None;
            self.resume(id, outcome);
        }
    }
}

/// Notes where a pane's shell and its program are now: the recorder looks once a second only.
fn learn_newest(model: &mut Model, id: PaneId) {
    let pane = model.panes.get(&id);
    let program = pane.and_then(|pane| pane.screen.with_record(|record| record.program()));
    if let Some(program) = program.flatten() {
        stored::learn(model, id, program.facts());
    }
}
