//! The marks of sleeping and revived windows in the status line, and putting panes to sleep from a tree.

use shellkeep_core::{PaneId, WindowId};

use crate::commands::answer;
use crate::commands::queue::Caller;
use crate::hibernation::admission::put_to_sleep;
use crate::hibernation::outcome;
use crate::hibernation::refusal::Force;
use crate::hibernation::state::Hibernation;
use crate::model::{Model, Pane};
use crate::modes::trees;
use crate::process::processes::Processes;

/// Marks a pane as revived, until its next command.
pub(crate) fn mark_revived(model: &mut Model, id: PaneId) {
    set_revived(model, id, true);
}

/// A command runs in a pane: it no longer counts as revived.
pub(crate) fn fade_revived(model: &mut Model, id: PaneId) {
    if model.panes.get(&id).is_some_and(Pane::is_revived) {
        set_revived(model, id, false);
    }
}

fn set_revived(model: &mut Model, id: PaneId, is_revived: bool) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let window = pane.window;
    if let Some(running) = pane.life.running_mut() {
        running.is_revived = is_revived;
        marks_changed(model, window);
    }
}

/// The marks of a window have changed: redraws the clients that have it in their status line.
pub(crate) fn marks_changed(model: &mut Model, window: WindowId) {
    let sessions = model.links_of(window).map(|(session, _)| session);
    for session in sessions.collect::<Vec<_>>() {
        model.redraw_session(session);
    }
    model.redraw_window(window);
    trees::trees_due(model);
}

/// Puts the panes to sleep that a user has chosen in a tree. Returns why those stay awake that do.
pub(crate) fn sleep_chosen(
    model: &mut Model,
    hibernation: &mut Hibernation,
    caller: &Caller,
    panes: &[PaneId],
) {
    let processes = Processes::scan();
    let mut reasons = Vec::new();
    for id in panes {
        let id = *id;
        if let Err(reason) = sleep_unless_shown(model, hibernation, id, &processes) {
            reasons.push(format!("{}: {reason}", outcome::pane_place(model, id)));
        }
    }
    if !reasons.is_empty() {
        answer::complain(
            model,
            caller,
            format!("stays awake: {}", reasons.join("; ")),
        );
    }
}

/// Puts a pane to sleep, unless a client would wake it at once.
fn sleep_unless_shown(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    processes: &Processes,
) -> Result<(), String> {
    let pane = model.panes.get(&id);
    if pane.is_some_and(Pane::is_asleep) {
        return Ok(());
    }
    let window = pane.map(|pane| pane.window);
    if window.is_some_and(|window| model.viewers_of(window).next().is_some()) {
        return Err("somebody looks at it".to_owned());
    }
    put_to_sleep(model, hibernation, id, processes, Force::Off).map_err(|refusal| refusal.text)
}
