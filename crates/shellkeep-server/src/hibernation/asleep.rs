//! Whether sessions and windows are asleep or revived. Reads the model and changes nothing.

use shellkeep_core::{SessionId, WindowId};

use crate::model::{Cause, Model, Pane};

pub(crate) fn panes_in(model: &Model, id: SessionId) -> impl Iterator<Item = &Pane> {
    let links = model.sessions.get(&id).map(|session| &session.links);
    let windows = links.into_iter().flat_map(|links| links.values());
    windows.flat_map(|link| model.panes_of(link.window))
}

/// Whether all panes of a session are asleep.
pub(crate) fn is_session_asleep(model: &Model, id: SessionId) -> bool {
    let mut panes = panes_in(model, id).peekable();
    panes.peek().is_some() && panes.all(Pane::is_asleep)
}

/// The programs that ran in a session's panes when machine or keeper ended.
pub(crate) fn lost_programs(model: &Model, id: SessionId) -> Vec<String> {
    let sleeps = panes_in(model, id).filter_map(Pane::sleep);
    let lost = sleeps.filter(|sleep| sleep.cause == Cause::Lost && !sleep.program.is_empty());
    lost.map(|sleep| sleep.program.join(" ")).collect()
}

/// Whether all panes of a window are asleep.
pub(crate) fn is_window_asleep(model: &Model, id: WindowId) -> bool {
    let mut panes = model.panes_of(id).peekable();
    panes.peek().is_some() && panes.all(Pane::is_asleep)
}

/// Whether a pane of a window was revived and no command has run in it since.
pub(crate) fn is_window_revived(model: &Model, id: WindowId) -> bool {
    model.panes_of(id).any(Pane::is_revived)
}
