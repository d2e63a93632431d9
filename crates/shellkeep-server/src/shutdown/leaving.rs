//! The server's end. It ends only when everything is written: what is not is in its memory alone. The loop does not wait for that;
//! the recorder says `Event::Flushed`, and events are handled meanwhile.
//!
//! ```text
//! kill-server, restart-server ─► flush ─► the command is run again ─► leave: screens, flush, farewell
//! SIGTERM, last session ends  ─► flush ─► all written? ── yes ──────► leave
//!                                  └───── no: put off, again in two seconds ◄──┘
//! ```
//!
//! A system that goes down does not wait for ever, and kills the server anyway.

use std::time::Duration;

use shellkeep_core::PaneId;
use shellkeep_keeper::steps;

use crate::action::{Action, Awaited};
use crate::alarm::{Alarm, Timer};
use crate::clients::intake::Intake;
use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::Reply;
use crate::hibernation::state::Hibernation;
use crate::model::{Model, Pane};
use crate::panes::dead;
use crate::persistence::keeper_notes;
use crate::persistence::state::Persistence;
use crate::process::call;
use crate::shutdown::ending::{Ending, Idle};
use crate::shutdown::last_capture;
use crate::shutdown::last_capture::LastCaptures;
use crate::shutdown::state::Shutdown;

/// How often it is tried again to write what could not be written.
const SAVE_RETRY: Duration = Duration::from_secs(2);

/// An end that waits until everything is written, and commands that do.
#[derive(Default)]
pub(crate) struct Leaving {
    /// Whether input of clients is read.
    pub(crate) intake: Intake,
    pending: Option<PendingEnd>,
    pub(crate) captures: LastCaptures,
    /// SIGTERM has come.
    is_terminated: bool,
    /// What the recorder has answered, while the command runs that has waited for it: why something is not written.
    pub(crate) answer: Option<Option<String>>,
}

/// An end that cannot be yet.
struct PendingEnd {
    ending: Ending,
    stage: Stage,
    /// What would be lost, and why, if it was tried before.
    trouble: Option<String>,
    /// A second SIGTERM has come since: the server ends whatever is lost.
    is_urged: bool,
}

enum Stage {
    /// The server waits, by this number, for shells to tell their state: SIGTERM may have been sent to the shells as well.
    Capturing(u64),
    /// They have told it, or had their time.
    Captured,
    /// The recorder writes everything, and answers with this number.
    Saving(u64),
    /// Something could not be written. It is tried again when the timer rings.
    PutOff { _retry: Timer },
    /// Everything is written.
    Saved,
}

impl Leaving {
    /// Whether the server was told to end in order, and everything else with it, maybe.
    pub(crate) fn is_terminated(&self) -> bool {
        self.is_terminated
    }

    /// Why the server does not end although it should.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.pending.as_ref()?.trouble.as_deref()
    }
}

/// SIGTERM. The second one, while the end is put off, ends the server at once.
pub(crate) fn terminated(model: &mut Model, shutdown: &mut Shutdown) {
    let pending = shutdown.leaving.pending.as_mut();
    let pending = pending.filter(|pending| pending.trouble.is_some());
    if let Some(pending) = pending.filter(|pending| pending.ending == Ending::Terminated) {
        pending.is_urged = true;
    }
    shutdown.ending = Some(Ending::Terminated);
    shutdown.leaving.is_terminated = true;
    dead::leave_ended_panes(model);
}

/// The end that is due, unless it has to wait. Commands that end the server have waited before.
pub(crate) fn take_ending(
    model: &mut Model,
    shutdown: &mut Shutdown,
    persistence: &mut Persistence,
    hibernation: &mut Hibernation,
) -> Option<Ending> {
    let ending = shutdown.ending.take()?;
    if !matches!(ending, Ending::Empty | Ending::Terminated) {
        return Some(ending);
    }
    let pending = shutdown.leaving.pending.take();
    let pending = pending.filter(|pending| pending.ending == ending);
    let stage = pending.as_ref().map(|pending| &pending.stage);
    let is_urged = pending.as_ref().is_some_and(|pending| pending.is_urged);
    let stage = match stage {
        Some(Stage::Saved) => return Some(ending),
        _ if is_urged => return Some(ending),
        Some(Stage::Saving(number)) => Stage::Saving(*number),
        Some(Stage::Capturing(number)) => Stage::Capturing(*number),
        None if ending == Ending::Terminated => {
            let panes: Vec<PaneId> = model.panes.keys().copied().collect();
            match last_capture::begin_last_capture(model, shutdown, hibernation, &panes) {
                Some(number) => Stage::Capturing(number),
                None => match flush_noted(model, persistence) {
                    Some(number) => Stage::Saving(number),
                    None => return Some(ending),
                },
            }
        }
        Some(Stage::PutOff { .. } | Stage::Captured) | None => {
            match flush_noted(model, persistence) {
                Some(number) => Stage::Saving(number),
                None => return Some(ending),
            }
        }
    };
    shutdown.leaving.pending = Some(PendingEnd {
        ending,
        stage,
        trouble: pending.and_then(|pending| pending.trouble),
        is_urged: false,
    });
    None
}

/// The same with what was noted since the last event.
fn flush_noted(model: &mut Model, persistence: &mut Persistence) -> Option<u64> {
    keeper_notes::write_notes(model, persistence);
    flush(model, persistence)
}

/// Shells that an end waits for have told their state: it goes on. Whether there was one.
pub(crate) fn captured_before_leaving(shutdown: &mut Shutdown, number: u64) -> bool {
    let pending = shutdown.leaving.pending.as_mut();
    let is_its = |it: &&mut PendingEnd| matches!(it.stage, Stage::Capturing(it) if it == number);
    let Some(pending) = pending.filter(is_its) else {
        return false;
    };
    pending.stage = Stage::Captured;
    shutdown.ending.get_or_insert(pending.ending.clone());
    true
}

/// Has the recorder write everything; the number that it answers with. Nothing if nothing is kept.
pub(crate) fn flush(model: &mut Model, persistence: &Persistence) -> Option<u64> {
    let recorder = persistence.keeping.as_ref()?.recorder.clone();
    let number = model.next_wait();
    recorder.flush(number);
    Some(number)
}

/// Whether the command that runs has waited for a flush, and so for all that comes before one.
pub(crate) fn has_flushed(shutdown: &Shutdown) -> bool {
    shutdown.leaving.answer.is_some()
}

/// Whether an orderly end would leave everything behind, for the command that runs. If that is not known yet, what to answer: the
/// command is run again from its beginning when it is, and must have done nothing before.
///
/// # Errors
/// Why something that was shown would be lost.
pub(crate) fn check_saved(
    model: &mut Model,
    shutdown: &mut Shutdown,
    persistence: &mut Persistence,
    caller: &Caller,
) -> Result<Option<Reply>, String> {
    let Some(left) = shutdown.leaving.answer.take() else {
        let wait = flush_noted(model, persistence).map(Wait::Flush);
        return Ok(wait.map(|wait| Reply {
            wait: Some(wait),
            ..Reply::default()
        }));
    };
    match unsaved(model, left) {
        Some(why) => Err(format!(
            "what was printed cannot be saved: {why} ({} doctor says what to do)",
            call::call_for(model, caller)
        )),
        None => Ok(None),
    }
}

/// The recorder has written all that it can: the end that waits for it is due or put off, the commands that do are run again.
pub(crate) fn flushed(
    model: &mut Model,
    shutdown: &mut Shutdown,
    is_unused: bool,
    number: u64,
    left: Option<String>,
) {
    steps::reached("end-saved");
    let pending = shutdown.leaving.pending.as_ref();
    if pending.is_some_and(|it| matches!(it.stage, Stage::Saving(it) if it == number)) {
        return end_or_put_off(model, shutdown, is_unused, left);
    }
    model.act(Action::RunAgain(
        Wait::Flush(number),
        Awaited::Flushed(left),
    ));
}

fn end_or_put_off(
    model: &mut Model,
    shutdown: &mut Shutdown,
    is_unused: bool,
    left: Option<String>,
) {
    if is_end_unwanted(model, shutdown, is_unused) {
        return shutdown.leaving.pending = None;
    }
    let why = unsaved(model, left);
    let retry = why
        .is_some()
        .then(|| model.set_alarm(Alarm::Leave, SAVE_RETRY));
    let Some(pending) = &mut shutdown.leaving.pending else {
        return;
    };
    let Some(retry) = retry else {
        pending.stage = Stage::Saved;
        shutdown.ending.get_or_insert(pending.ending.clone());
        return;
    };
    if pending.trouble.is_none() {
        tracing::error!(ending = ?pending.ending, why, "cannot end yet");
    }
    pending.trouble = why;
    pending.stage = Stage::PutOff { _retry: retry };
    model.redraw_all();
}

/// Whether the server was to end for want of sessions or of use, and has them again. A client that came meanwhile is answered:
/// when it goes, the end is due again.
fn is_end_unwanted(model: &Model, shutdown: &Shutdown, is_unused: bool) -> bool {
    let pending = shutdown.leaving.pending.as_ref();
    let is_empty = pending.is_some_and(|pending| pending.ending == Ending::Empty);
    let is_used_again = shutdown.idle == Idle::Ends && !is_unused;
    is_empty && (!model.sessions.is_empty() || is_used_again)
}

/// Tries again to end, if that is still wanted.
pub(crate) fn leave_again(model: &mut Model, shutdown: &mut Shutdown, is_unused: bool) {
    if is_end_unwanted(model, shutdown, is_unused) {
        shutdown.leaving.pending = None;
    }
    if let Some(pending) = &shutdown.leaving.pending {
        shutdown.ending.get_or_insert(pending.ending.clone());
    }
}

/// Why something that was shown is not on disk, behind a flush that has left this.
fn unsaved(model: &Model, left: Option<String>) -> Option<String> {
    let trouble = |pane: &Pane| {
        let lag = pane.screen.with_record(|record| {
            let trouble = record.lag().1.map(str::to_owned);
            trouble.filter(|_| !record.is_written())
        });
        lag.flatten()
    };
    model.panes.values().find_map(trouble).or(left)
}

#[cfg(test)]
mod tests;
