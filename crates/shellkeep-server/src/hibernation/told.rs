//! What becomes of panes on their way to sleep and back is told to the commands that wait for it.

use shellkeep_core::PaneId;

use crate::action::Action;
use crate::formats;
use crate::hibernation::report::{Report, Told};
use crate::model::Model;
use crate::model::notice::Notice;

/// A pane sleeps, is awake, or could not.
pub(crate) fn sleep_told(model: &mut Model, id: PaneId, outcome: Result<String, String>) {
    sleep_reported(model, id, outcome, None);
}

/// The same, with all that came back.
pub(crate) fn sleep_reported(
    model: &mut Model,
    id: PaneId,
    outcome: Result<String, String>,
    report: Option<Report>,
) {
    let told = told(model, id, outcome, report);
    model.act(Action::SleepTold(Box::new(told)));
}

/// It is known how a sleeping pane would wake.
pub(crate) fn waking_told(model: &mut Model, id: PaneId, would: String) {
    let told = told(model, id, Ok(would), None);
    model.act(Action::WakingTold(Box::new(told)));
}

/// The place is that of now: the pane may be gone when the commands hear of it.
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

/// A pane does not fall asleep after all: its shell gets what was typed meanwhile.
pub(crate) fn called_off(model: &mut Model, id: PaneId, reason: &str) {
    stop_falling(model, id);
    tracing::info!(pane = %id, reason, "stays awake");
    // It is tried again, but not before long.
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

/// Withdraws what was asked of a pane's shell, and gives it the input that was held.
pub(crate) fn stop_falling(model: &mut Model, id: PaneId) {
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
