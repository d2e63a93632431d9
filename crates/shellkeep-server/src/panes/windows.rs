//! Opening and closing windows, and their links to sessions.

use shellkeep_core::{SessionId, WindowId};
use shellkeep_keeper::SpawnRequest;

use crate::model::notice::Notice;
use crate::model::{Model, Side, Window};
use crate::panes::{manage, sessions};
use crate::persistence::{keeper_notes, notes};

/// What happens to a window that is at the index where another one is to be linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It stays, and the other is refused.
    Stays,
    /// It is unlinked.
    Ends,
}

/// When a window becomes the current one after it was linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    Now,
    /// At once, since it is new. As in tmux, the notice that it is current precedes the one that it was linked.
    New,
    /// Only if the window that it replaced was current.
    Later,
}

/// An index that is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InUse(pub(crate) u32);

/// Links a window to a session, at this index or the first free one. Returns the index.
///
/// # Errors
/// If the index is in use.
pub(crate) fn place_window(
    model: &mut Model,
    window: WindowId,
    id: SessionId,
    at: Option<u32>,
    taken: Taken,
    show: Show,
) -> Result<u32, InUse> {
    let base = base_index(model, id);
    let Some(session) = model.sessions.get_mut(&id) else {
        return Err(InUse(at.unwrap_or(base)));
    };
    let index = match at {
        Some(index) => index,
        None => session.free_index(base).ok_or(InUse(base))?,
    };
    if session.links.is_empty() {
        session.current = index;
    }
    let displaced = session.links.get(&index).map(|link| link.window);
    if displaced.is_some() && taken == Taken::Stays {
        return Err(InUse(index));
    }
    session.last.retain(|last| *last != index);
    session.link(index, window);
    // If the current window is replaced, its index stays the current one.
    let is_shown = displaced.is_some() && session.current == index;
    if let Some(window) = displaced {
        notify_unlinked(model, id, window);
    }
    let notice = Notice::WindowLinked {
        session: id,
        window,
    };
    match show {
        Show::New => select_window(model, id, index),
        Show::Now | Show::Later => model.notify(notice.clone()),
    }
    share_windows(model, id);
    if let Some(displaced) = displaced
        && model.links_of(displaced).next().is_none()
    {
        drop_window(model, displaced);
    }
    if is_shown {
        model.notify(Notice::SessionWindowChanged(id));
    } else if show == Show::Now {
        select_window(model, id, index);
    }
    if show == Show::New {
        model.notify(notice);
    }
    model.session_changed(id);
    Ok(index)
}

/// Unlinks a window from a session. A window without links is closed, and so is a session without windows.
pub(crate) fn unlink_window(model: &mut Model, session_id: SessionId, index: u32) {
    let Some(session) = model.sessions.get_mut(&session_id) else {
        return;
    };
    let before = session.current;
    let Some(window) = session.unlink(index) else {
        return;
    };
    let (is_empty, is_other) = (session.links.is_empty(), session.current != before);
    if is_other && !is_empty {
        model.notify(Notice::SessionWindowChanged(session_id));
    }
    notify_unlinked(model, session_id, window);
    share_windows(model, session_id);
    if is_empty {
        // The other sessions of its group have no window left either.
        for id in model.companions(session_id) {
            sessions::close_session(model, id);
        }
        sessions::close_session(model, session_id);
    } else {
        model.session_changed(session_id);
    }
    if model.links_of(window).next().is_none() {
        drop_window(model, window);
    }
}

/// Closes a window in all its sessions.
pub(crate) fn close_window(model: &mut Model, id: WindowId) {
    let links: Vec<(SessionId, u32)> = model.links_of(id).collect();
    for (session, index) in &links {
        unlink_window(model, *session, *index);
    }
    drop_window(model, id);
    for (session, _) in links {
        let options = model.session_options(Some(session));
        if options.flag("renumber-windows") {
            renumber_windows(model, session);
        }
    }
}

/// Opens a window with one pane, linked to no session yet.
pub(crate) fn open_window(model: &mut Model, spawn: SpawnRequest) -> WindowId {
    let id = WindowId(model.next.window);
    model.next.window += 1;
    let (size, now) = (spawn.size, model.now());
    let pane = manage::open_pane(model, id, spawn);
    model.windows.insert(id, Window::new(id, pane, size, now));
    model.window_note_due(id);
    id
}

pub(crate) fn drop_window(model: &mut Model, id: WindowId) {
    let Some(window) = model.windows.remove(&id) else {
        return;
    };
    for pane in window.panes() {
        // A pane that was moved to another window lives on.
        if model.panes.get(pane).is_some_and(|pane| pane.window == id) {
            manage::drop_pane(model, *pane, Some(&window));
        }
    }
    keeper_notes::forget_note(model, notes::window_key(id));
}

pub(crate) fn base_index(model: &Model, id: SessionId) -> u32 {
    let base = model.session_options(Some(id)).number("base-index");
    u32::try_from(base).unwrap_or(0)
}

/// Frees an index before or after a window of a session. Returns it.
pub(crate) fn make_room(model: &mut Model, id: SessionId, at: u32, side: Side) -> Option<u32> {
    let index = model.sessions.get_mut(&id)?.make_room(at, side)?;
    share_windows(model, id);
    model.session_changed(id);
    Some(index)
}

/// Renumbers the windows of a session and of its group.
pub(crate) fn renumber_windows(model: &mut Model, id: SessionId) {
    let base = base_index(model, id);
    for id in model.companions(id).into_iter().chain([id]) {
        if let Some(session) = model.sessions.get_mut(&id) {
            session.close_gaps(base);
        }
        model.session_changed(id);
    }
}

/// Gives the other sessions of a group the windows that one of them has now.
pub(crate) fn share_windows(model: &mut Model, id: SessionId) {
    let Some(session) = model.sessions.get(&id) else {
        return;
    };
    if session.links.is_empty() {
        return;
    }
    let links = session.links.clone();
    for other in model.companions(id) {
        take_links(model, other, &links);
    }
}

/// Gives a session the windows of its group.
pub(crate) fn take_links(
    model: &mut Model,
    id: SessionId,
    links: &std::collections::BTreeMap<u32, crate::model::Link>,
) {
    let Some(session) = model.sessions.get_mut(&id) else {
        return;
    };
    let before: Vec<WindowId> = session.links.values().map(|link| link.window).collect();
    let shown = session.current_link().map(|link| link.window);
    session.take_links(links);
    // A session that had no current window has not switched.
    let is_other = shown.is_some() && session.current_link().map(|link| link.window) != shown;
    let after: Vec<WindowId> = session.links.values().map(|link| link.window).collect();
    for window in after.iter().filter(|window| !before.contains(window)) {
        let (session, window) = (id, *window);
        model.notify(Notice::WindowLinked { session, window });
    }
    for window in before.iter().filter(|window| !after.contains(window)) {
        notify_unlinked(model, id, *window);
    }
    if is_other {
        model.notify(Notice::SessionWindowChanged(id));
    }
    model.session_changed(id);
}

fn notify_unlinked(model: &mut Model, session: SessionId, window: WindowId) {
    let name = model.session_name(session);
    model.notify(Notice::WindowUnlinked {
        session,
        name,
        window,
    });
}

/// Makes another window of a session the current one.
pub(crate) fn select_window(model: &mut Model, id: SessionId, index: u32) {
    let Some(session) = model.sessions.get_mut(&id) else {
        return;
    };
    if session.current == index || !session.links.contains_key(&index) {
        return;
    }
    session.select(index);
    let window = session.current_link().map(|link| link.window);
    if let Some(window) = window {
        clear_alerts(model, window);
    }
    model.notify(Notice::SessionWindowChanged(id));
    model.session_changed(id);
}

/// A client shows a window: clears its alerts in every session that it is linked to.
pub(crate) fn clear_alerts(model: &mut Model, window: WindowId) {
    for session in model.sessions.values_mut() {
        for link in session.links.values_mut() {
            if link.window == window {
                link.alerts = Default::default();
            }
        }
    }
}
