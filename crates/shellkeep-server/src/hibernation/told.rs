//! Reports the outcome of falling asleep and waking to the commands, hooks and control clients that wait for it.

use shellkeep_core::PaneId;

use crate::action::Action;
use crate::formats;
use crate::hibernation::report::{Report, Told};
use crate::model::Model;
use crate::model::notice::Notice;

/// A pane is asleep or awake, or failed to be.
pub(crate) fn sleep_told(model: &mut Model, id: PaneId, outcome: Result<String, String>) {
    sleep_reported(model, id, outcome, None);
}

/// Like [`sleep_told`], with the report of a revival.
pub(crate) fn sleep_reported(
    model: &mut Model,
    id: PaneId,
    outcome: Result<String, String>,
    report: Option<Report>,
) {
    let told = told(model, id, outcome, report);
    model.act(Action::SleepTold(Box::new(told)));
}

/// Reports how a sleeping pane would wake.
pub(crate) fn waking_told(model: &mut Model, id: PaneId, would: String) {
    let told = told(model, id, Ok(would), None);
    model.act(Action::WakingTold(Box::new(told)));
}

/// An outcome with the pane's present place: the pane may be gone when the commands are told.
fn told(
    model: &Model,
    pane: PaneId,
    outcome: Result<String, String>,
    report: Option<Report>,
) -> Told {
    Told {
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
pub(crate) fn called_off(model: &mut Model, id: PaneId, reason: &str) {
    stop_falling(model, id);
    tracing::info!(pane = %id, reason, "stays awake");
    // The policy tries again later.
    model.act(Action::SleeperDue(id));
    model.tell(Notice::PaneHibernateFailed {
        pane: id,
        reason: reason.to_owned(),
    });
    if let Some(session) = model.session_of(id) {
        model.tell(Notice::SessionHibernateFailed {
            session,
            reason: reason.to_owned(),
        });
    }
    sleep_told(model, id, Err(reason.to_owned()));
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
    pane.release_input();
    let window = pane.window;
    if falling.note.is_some() {
        // A note or file may say that it sleeps.
        model.window_note_due(window);
    }
}
