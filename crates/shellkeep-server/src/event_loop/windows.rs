//! Windows come and go, and have their places in sessions.

use shellkeep_core::{SessionId, WindowId};
use shellkeep_keeper::SpawnRequest;

use super::{Server, sessions};
use crate::memory;
use crate::notice::Notice;
use crate::state::{Model, Side, Window};

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

impl Server {
    /// Opens a window with one pane, in no session yet.
    pub(crate) fn open_window(&mut self, spawn: SpawnRequest) -> WindowId {
        let id = WindowId(self.state.next_window);
        self.state.next_window += 1;
        let (size, now) = (spawn.size, self.state.now());
        let pane = self.open_pane(id, spawn);
        self.state
            .windows
            .insert(id, Window::new(id, pane, size, now));
        self.state.window_note_due(id);
        id
    }

    /// Gives a window a place in a session: this one, or the first that is free. The number it got.
    ///
    /// # Errors
    /// When that place is taken.
    pub(crate) fn place_window(
        &mut self,
        window: WindowId,
        id: SessionId,
        at: Option<u32>,
        taken: Taken,
        show: Show,
    ) -> Result<u32, InUse> {
        let base = base_index(&self.state, id);
        let Some(session) = self.state.sessions.get_mut(&id) else {
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
            tell_unlinked(&mut self.state, id, window);
        }
        let told = Notice::WindowLinked {
            session: id,
            window,
        };
        match show {
            Show::New => select_window(&mut self.state, id, index),
            Show::Now | Show::Later => self.state.tell(told.clone()),
        }
        share_windows(&mut self.state, id);
        if let Some(displaced) = displaced
            && self.state.links_of(displaced).next().is_none()
        {
            self.drop_window(displaced);
        }
        if is_shown {
            self.state.tell(Notice::SessionWindowChanged(id));
        } else if show == Show::Now {
            select_window(&mut self.state, id, index);
        }
        if show == Show::New {
            self.state.tell(told);
        }
        sessions::session_changed(&mut self.state, id);
        Ok(index)
    }

    /// Takes a window out of a session; a window that is in none ends, and so does a session without windows.
    pub(crate) fn unlink_window(&mut self, session_id: SessionId, index: u32) {
        let Some(session) = self.state.sessions.get_mut(&session_id) else {
            return;
        };
        let before = session.current;
        let Some(window) = session.unlink(index) else {
            return;
        };
        let (is_empty, is_other) = (session.links.is_empty(), session.current != before);
        if is_other && !is_empty {
            self.state.tell(Notice::SessionWindowChanged(session_id));
        }
        tell_unlinked(&mut self.state, session_id, window);
        share_windows(&mut self.state, session_id);
        if is_empty {
            // The others of its group had nothing else either.
            for id in self.state.companions(session_id) {
                self.close_session(id);
            }
            self.close_session(session_id);
        } else {
            sessions::session_changed(&mut self.state, session_id);
        }
        if self.state.links_of(window).next().is_none() {
            self.drop_window(window);
        }
    }

    /// Ends a window wherever it is.
    pub(crate) fn close_window(&mut self, id: WindowId) {
        let links: Vec<(SessionId, u32)> = self.state.links_of(id).collect();
        for (session, index) in &links {
            self.unlink_window(*session, *index);
        }
        self.drop_window(id);
        for (session, _) in links {
            let options = self.state.session_options(Some(session));
            if options.flag("renumber-windows") {
                renumber_windows(&mut self.state, session);
            }
        }
    }

    pub(super) fn drop_window(&mut self, id: WindowId) {
        let Some(window) = self.state.windows.remove(&id) else {
            return;
        };
        for pane in window.panes() {
            // One that was moved elsewhere lives on.
            if self
                .state
                .panes
                .get(pane)
                .is_some_and(|pane| pane.window == id)
            {
                self.drop_pane(*pane, Some(&window));
            }
        }
        self.forget_note(memory::window_key(id));
    }
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
    sessions::session_changed(model, id);
    Some(index)
}

/// Numbers the windows of a session and of its group anew.
pub(crate) fn renumber_windows(model: &mut Model, id: SessionId) {
    let base = base_index(model, id);
    for id in model.companions(id).into_iter().chain([id]) {
        if let Some(session) = model.sessions.get_mut(&id) {
            session.close_gaps(base);
        }
        sessions::session_changed(model, id);
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
    links: &std::collections::BTreeMap<u32, crate::state::Link>,
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
    sessions::session_changed(model, id);
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
    sessions::session_changed(model, id);
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
