//! Panes that cannot wake sleep on.

use shellkeep_core::PaneId;
use shellkeep_keeper::HostRequest;

use crate::action::Action;
use crate::hibernation::told::sleep_told;
use crate::model::notice::Notice;
use crate::model::{Model, RevivalStage, Reviving};

/// Nothing could be started in a pane: it sleeps on, with all that was kept of it, until somebody asks for it again.
pub(crate) fn waking_failed(model: &mut Model, id: PaneId, reason: &str) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let reviving = pane.wakes_in_vain();
    if let Some(revival) = reviving.and_then(|it| it.revival) {
        revival.clean();
    }
    pane.screen.fall_asleep();
    let window = pane.window;
    model.tell(Notice::PaneReviveFailed {
        pane: id,
        reason: reason.to_owned(),
    });
    if let Some(session) = model.session_with(window) {
        model.tell(Notice::SessionReviveFailed {
            session,
            reason: reason.to_owned(),
        });
    }
    sleep_told(model, id, Err(reason.to_owned()));
    model.redraw_window(window);
}

/// A program has ended; whether that was a shell that never came to its prompt, so that its pane sleeps on.
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
