//! The orderly end of the server. It ends only when everything is written; until then some output may be in its memory
//! alone. The loop does not wait: the recorder sends `Event::Flushed`, and other events are handled meanwhile.
//!
//! ```text
//! kill-server, restart-server ─► flush ─► the command is run again ─► leave: screens, flush, farewell
//! SIGTERM, last session ends  ─► flush ─► all written? ── yes ──────► leave
//!                                  └───── no: put off, again in two seconds ◄──┘
//! ```
//!
//! A system that shuts down does not wait forever, and kills the server eventually.

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

/// How often a failed write is retried.
const SAVE_RETRY: Duration = Duration::from_secs(2);

/// An end that waits until everything is written, and commands that do.
#[derive(Default)]
pub(crate) struct Leaving {
    /// Whether input of clients is read.
    pub(crate) intake: Intake,
    pending: Option<PendingEnd>,
    pub(crate) captures: LastCaptures,
    /// SIGTERM was received.
    is_terminated: bool,
    /// The recorder's result for the running command, which has waited for it: why something is not written.
    pub(crate) answer: Option<Option<String>>,
}

/// An end that has to wait.
struct PendingEnd {
    ending: Ending,
    stage: Stage,
    /// What would be lost and why, after a failed try.
    trouble: Option<String>,
    /// A second SIGTERM was received: the server ends whatever is lost.
    is_urged: bool,
}

enum Stage {
    /// The server waits for shells to report their state, by this number. They may have got SIGTERM, too.
    Capturing(u64),
    /// They have reported it, or their time is over.
    Captured,
    /// The recorder writes everything, and reports with this number.
    Saving(u64),
    /// Something could not be written. It is retried when the timer fires.
    PutOff { _retry: Timer },
    /// Everything is written.
    Saved,
}

impl Leaving {
    /// Whether SIGTERM was received. Then the whole system may be shutting down.
    pub(crate) fn is_terminated(&self) -> bool {
        self.is_terminated
    }

    /// Why the server cannot end although it should.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.pending.as_ref()?.trouble.as_deref()
    }
}

/// SIGTERM was received. The second one ends the server at once if its end is put off.
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

/// The end that is due, unless it has to wait. Commands that end the server have waited already.
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

/// Flushes, after the notes that are due.
fn flush_noted(model: &mut Model, persistence: &mut Persistence) -> Option<u64> {
    keeper_notes::write_notes(model, persistence);
    flush(model, persistence)
}

/// The shells that an end waits for have reported: the end continues. Returns whether there was such an end.
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

/// Has the recorder write everything. Returns the number it reports with. None without a recorder.
pub(crate) fn flush(model: &mut Model, persistence: &Persistence) -> Option<u64> {
    let recorder = persistence.keeping.as_ref()?.recorder.clone();
    let number = model.next_wait();
    recorder.flush(number);
    Some(number)
}

/// Whether the running command has waited for a flush, and so for everything before it.
pub(crate) fn has_flushed(shutdown: &Shutdown) -> bool {
    shutdown.leaving.answer.is_some()
}

/// Checks for the running command whether an orderly end would lose nothing. If that is not known yet, returns the
/// reply with which the command waits; it is then run again from its beginning, so it must not have changed anything.
///
/// # Errors
/// Why output would be lost.
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

/// The recorder has written what it could: the end that waits for it is due or put off, and waiting commands are run
/// again.
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
        tracing::error!(ending = ?pending.ending, why, "the server cannot end yet");
    }
    pending.trouble = why;
    pending.stage = Stage::PutOff { _retry: retry };
    model.redraw_all();
}

/// Whether the server was to end because it had no sessions or was not used, and that has changed. When the new client
/// is gone, the end is due again.
fn is_end_unwanted(model: &Model, shutdown: &Shutdown, is_unused: bool) -> bool {
    let pending = shutdown.leaving.pending.as_ref();
    let is_empty = pending.is_some_and(|pending| pending.ending == Ending::Empty);
    let is_used_again = shutdown.idle == Idle::Ends && !is_unused;
    is_empty && (!model.sessions.is_empty() || is_used_again)
}

/// Tries again to end, unless that is not wanted any more.
pub(crate) fn leave_again(model: &mut Model, shutdown: &mut Shutdown, is_unused: bool) {
    if is_end_unwanted(model, shutdown, is_unused) {
        shutdown.leaving.pending = None;
    }
    if let Some(pending) = &shutdown.leaving.pending {
        shutdown.ending.get_or_insert(pending.ending.clone());
    }
}

/// Why output is not on disk after a flush that reported this.
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
