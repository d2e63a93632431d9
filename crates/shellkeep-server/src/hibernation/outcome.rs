//! Reports the outcome of falling asleep and waking to the commands, hooks and control clients that wait for it.

use shellkeep_core::PaneId;

use crate::action::Action;
use crate::formats;
use crate::hibernation::report::{PaneOutcome, Report};
use crate::model::Model;
use crate::model::notice::Notice;

/// A pane is asleep or awake, or failed to be.
pub(crate) fn report_outcome(model: &mut Model, id: PaneId, outcome: Result<String, String>) {
    report_revival(model, id, outcome, None);
}

/// Like [`report_outcome`], with the report of a revival.
pub(crate) fn report_revival(
    model: &mut Model,
    id: PaneId,
    outcome: Result<String, String>,
    report: Option<Report>,
) {
    let pane_outcome = pane_outcome(model, id, outcome, report);
    model.act(Action::SleepOutcome(Box::new(pane_outcome)));
}

/// Reports how a sleeping pane would wake.
pub(crate) fn report_dry_run(model: &mut Model, id: PaneId, would: String) {
    let pane_outcome = pane_outcome(model, id, Ok(would), None);
    model.act(Action::WakeDryRun(Box::new(pane_outcome)));
}

/// An outcome with the pane's present place: the pane may be gone when the commands are told.
fn pane_outcome(
    model: &Model,
    pane: PaneId,
    outcome: Result<String, String>,
    report: Option<Report>,
) -> PaneOutcome {
    PaneOutcome {
        pane,
        place: pane_place(model, pane),
        outcome,
        report,
    }
}

/// `session:window.pane`.
pub(crate) fn pane_place(model: &Model, id: PaneId) -> String {
    match model.place_of(id) {
        Some(place) => {
            let place = formats::scope(model).found(place);
            place.expand("#{session_name}:#{window_index}.#{pane_index}")
        }
        None => id.to_string(),
    }
}

/// Cancels a pane's way to sleep: its shell gets the held input.
pub(crate) fn cancel_sleep(model: &mut Model, id: PaneId, reason: &str) {
    stop_falling(model, id);
    tracing::info!(pane = %id, reason, "the pane stays awake");
    // The policy tries again later.
    model.act(Action::PaneLeftAlone(id));
    model.notify(Notice::PaneHibernateFailed {
        pane: id,
        reason: reason.to_owned(),
    });
    if let Some(session) = model.session_of(id) {
        model.notify(Notice::SessionHibernateFailed {
            session,
            reason: reason.to_owned(),
        });
    }
    report_outcome(model, id, Err(reason.to_owned()));
}

/// Withdraws the question to a pane's shell, and releases the held input to it.
pub(crate) fn stop_falling(model: &mut Model, id: PaneId) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    // A revived shell that was not awake yet gets its input when the pane is noted as awake: until then the next server
    // would end it, and the input would be lost.
    let Some(falling) = pane.life.stays_awake() else {
        return;
    };
    pane.read_again();
    pane.release_input(None);
    let window = pane.window;
    if falling.note.is_some() {
        // A note or file may say that it sleeps.
        model.window_note_due(window);
    }
}
