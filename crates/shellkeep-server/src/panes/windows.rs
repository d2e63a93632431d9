//! Windows come and go, and have their places in sessions.

use shellkeep_core::{SessionId, WindowId};
use shellkeep_keeper::SpawnRequest;

use crate::model::notice::Notice;
use crate::model::{Model, Side, Window};
use crate::panes::{manage, sessions};
use crate::persistence::{keeper_notes, notes};

/// What happens to a window that is where another is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It stays, and the other is refused.
    Stays,
    /// It ends.
    Ends,
}

/// Whether a window is shown once it has its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    Now,
    /// Now, since it is new: as in tmux, others are told that it is shown and then that it is there.
    New,
    /// Only if the one whose place it took was shown.
    Later,
}

/// A place that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InUse(pub(crate) u32);

/// Gives a window a place in a session: this one, or the first that is free. The number it got.
///
/// # Errors
/// When that place is taken.
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
    // The one that was shown there makes room for another: its place is shown all the same.
    let is_shown = displaced.is_some() && session.current == index;
    if let Some(window) = displaced {
        tell_unlinked(model, id, window);
    }
    let told = Notice::WindowLinked {
        session: id,
        window,
    };
    match show {
        Show::New => select_window(model, id, index),
        Show::Now | Show::Later => model.tell(told.clone()),
    }
    share_windows(model, id);
    if let Some(displaced) = displaced
        && model.links_of(displaced).next().is_none()
    {
        drop_window(model, displaced);
    }
    if is_shown {
        model.tell(Notice::SessionWindowChanged(id));
    } else if show == Show::Now {
        select_window(model, id, index);
    }
    if show == Show::New {
        model.tell(told);
    }
    model.session_changed(id);
    Ok(index)
}

/// Takes a window out of a session; a window that is in none ends, and so does a session without windows.
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
        model.tell(Notice::SessionWindowChanged(session_id));
    }
    tell_unlinked(model, session_id, window);
    share_windows(model, session_id);
    if is_empty {
        // The others of its group had nothing else either.
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

/// Ends a window wherever it is.
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

/// Opens a window with one pane, in no session yet.
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
        // One that was moved elsewhere lives on.
        if model.panes.get(pane).is_some_and(|pane| pane.window == id) {
            manage::drop_pane(model, *pane, Some(&window));
        }
    }
    keeper_notes::forget_note(model, notes::window_key(id));
}

/// Where a session's windows begin to be counted.
pub(crate) fn base_index(model: &Model, id: SessionId) -> u32 {
    let base = model.session_options(Some(id)).number("base-index");
    u32::try_from(base).unwrap_or(0)
}

/// Makes room beside a window of a session; the number that is free then.
pub(crate) fn make_room(model: &mut Model, id: SessionId, at: u32, side: Side) -> Option<u32> {
    let index = model.sessions.get_mut(&id)?.make_room(at, side)?;
    share_windows(model, id);
    model.session_changed(id);
    Some(index)
}

/// Numbers the windows of a session and of its group anew.
pub(crate) fn renumber_windows(model: &mut Model, id: SessionId) {
    let base = base_index(model, id);
    for id in model.companions(id).into_iter().chain([id]) {
        if let Some(session) = model.sessions.get_mut(&id) {
            session.close_gaps(base);
        }
        model.session_changed(id);
    }
}

/// Sessions of one group have the same windows: what one of them has now, the others have too.
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
    // A session that showed nothing yet shows nothing else.
    let is_other = shown.is_some() && session.current_link().map(|link| link.window) != shown;
    let after: Vec<WindowId> = session.links.values().map(|link| link.window).collect();
    for window in after.iter().filter(|window| !before.contains(window)) {
        let (session, window) = (id, *window);
        model.tell(Notice::WindowLinked { session, window });
    }
    for window in before.iter().filter(|window| !after.contains(window)) {
        tell_unlinked(model, id, *window);
    }
    if is_other {
        model.tell(Notice::SessionWindowChanged(id));
    }
    model.session_changed(id);
}

fn tell_unlinked(model: &mut Model, session: SessionId, window: WindowId) {
    let name = model.session_name(session);
    model.tell(Notice::WindowUnlinked {
        session,
        name,
        window,
    });
}

/// Shows another window of a session.
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
    model.tell(Notice::SessionWindowChanged(id));
    model.session_changed(id);
}

/// Somebody looks at a window: what happened there is known, in every session that has it.
pub(crate) fn clear_alerts(model: &mut Model, window: WindowId) {
    for session in model.sessions.values_mut() {
        for link in session.links.values_mut() {
            if link.window == window {
                link.alerts = Default::default();
            }
        }
    }
}
