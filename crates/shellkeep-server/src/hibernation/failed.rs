//! Panes that could not be woken: they stay asleep, and nothing of them is lost.

use shellkeep_core::PaneId;
use shellkeep_keeper::HostRequest;

use crate::action::Action;
use crate::hibernation::outcome::report_outcome;
use crate::model::notice::Notice;
use crate::model::{Model, RevivalStage, Reviving};

/// No program could be started in a pane: it stays asleep with all that is on disk, until it is asked for again.
pub(crate) fn waking_failed(model: &mut Model, id: PaneId, reason: &str) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let reviving = pane.fails_to_wake();
    if let Some(revival) = reviving.and_then(|it| it.revival) {
        revival.clean();
    }
    pane.screen.fall_asleep();
    let window = pane.window;
    model.notify(Notice::PaneReviveFailed {
        pane: id,
        reason: reason.to_owned(),
    });
    if let Some(session) = model.session_with(window) {
        model.notify(Notice::SessionReviveFailed {
            session,
            reason: reason.to_owned(),
        });
    }
    report_outcome(model, id, Err(reason.to_owned()));
    model.redraw_window(window);
}

/// A program has ended. If that was a revived shell that never showed its prompt, its pane stays asleep; returns
/// whether that is so.
pub(crate) fn ended_while_waking(model: &mut Model, id: PaneId) -> bool {
    let pane = model.panes.get_mut(&id);
    let is_early = |it: &Reviving| it.stage == RevivalStage::Prompt;
    let Some(pane) = pane.filter(|it| it.life.reviving().is_some_and(is_early)) else {
        return false;
    };
    let window = pane.window;
    model.act(Action::AskKeeper(HostRequest::Close(id)));
    model.window_note_due(window);
    waking_failed(model, id, "its shell ended before it showed a prompt");
    true
}
