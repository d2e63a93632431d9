//! Sessions, windows and panes come and go.

use shellkeep_core::layout::{NoSpace, SplitOptions};
use shellkeep_core::{ClientId, PaneId, SessionId, Size, WindowId};
use shellkeep_keeper::{HostEvent, HostRequest, SpawnRequest};
use shellkeep_proto::{Leave, LeaveKind};
use shellkeep_term::Emulator;

use super::{Ending, Server};
use crate::exec;
use crate::memory;
use crate::notice::Notice;
use crate::screen::Screen;
use crate::state::{Pane, Session, Window};

impl Server {
    // ---- panes ----

    /// Opens a pane in a window that is there or about to be, and has its program started.
    fn open_pane(&mut self, window: WindowId, mut spawn: SpawnRequest) -> PaneId {
        let id = spawn.pane;
        self.state.next_pane = self.state.next_pane.max(id.0 + 1);
        let emulator = Emulator::new(spawn.size, exec::emulator_config());
        let mut pane = Pane::new(id, window, spawn.size, Screen::new(id, emulator));
        pane.start_path.clone_from(&spawn.cwd);
        pane.used = self.state.next_use();
        self.state.panes.insert(id, pane);
        spawn.pane = id;
        self.host.request(HostRequest::Spawn(spawn));
        id
    }

    pub(super) fn host_event(&mut self, event: HostEvent) {
        let Some(event) = self.popup_host_event(event) else {
            return;
        };
        match event {
            HostEvent::Held(held) => {
                let id = held.pane;
                let events = self.events.clone();
                match self.state.panes.get_mut(&id) {
                    Some(pane) => pane.start(held, events, self.courtesy.clone()),
                    // Killed before it began.
                    None => self.host.request(HostRequest::Close(id)),
                }
                self.resume_waiting(id, None);
            }
            HostEvent::SpawnFailed { pane, reason } => {
                tracing::warn!(%pane, reason, "a program could not be started");
                self.resume_waiting(pane, Some(&reason));
                self.pane_ended(pane);
            }
            HostEvent::Exited { pane, exit } => {
                tracing::debug!(%pane, ?exit, "a program has ended");
                if let Some(pane) = self.state.panes.get_mut(&pane) {
                    pane.ended(exit);
                }
            }
        }
    }

    /// A pane's program has ended and all its output was read.
    pub(super) fn pane_ended(&mut self, id: PaneId) {
        if self.popup_ended(id) {
            return;
        }
        if let Some(pane) = self.state.panes.get(&id) {
            let window = pane.window;
            self.tell(Notice::PaneExited { pane: id, window });
        }
        self.close_pane(id);
    }

    /// Ends a pane and what runs in it; with the last one its window goes.
    pub(crate) fn close_pane(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        let window_id = pane.window;
        let Some(window) = self.state.windows.get_mut(&window_id) else {
            return self.drop_pane(id);
        };
        if window.panes() == [id] || !window.layout.contains(id) {
            return self.close_window(window_id);
        }
        let was_active = window.active == id;
        window.remove(id);
        self.drop_pane(id);
        if was_active {
            self.tell(Notice::WindowPaneChanged(window_id));
        }
        self.layout_changed(window_id);
    }

    fn drop_pane(&mut self, pane: PaneId) {
        if self.state.panes.remove(&pane).is_some() {
            self.host.request(HostRequest::Close(pane));
        }
        if self.state.marked == Some(pane) {
            self.state.marked = None;
        }
    }

    /// Makes a pane the active one of its window.
    pub(crate) fn select_pane(&mut self, id: PaneId) {
        let used = self.state.next_use();
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        pane.used = used;
        let window_id = pane.window;
        let Some(window) = self.state.windows.get_mut(&window_id) else {
            return;
        };
        if window.active == id {
            return;
        }
        window.unzoom();
        window.select(id);
        self.tell(Notice::WindowPaneChanged(window_id));
        self.layout_changed(window_id);
    }

    // ---- windows ----

    /// Opens a window with one pane, in no session yet.
    pub(crate) fn open_window(&mut self, spawn: SpawnRequest) -> WindowId {
        let id = WindowId(self.state.next_window);
        self.state.next_window += 1;
        let (size, now) = (spawn.size, self.now());
        let pane = self.open_pane(id, spawn);
        self.state
            .windows
            .insert(id, Window::new(id, pane, size, now));
        self.window_note_due(id);
        id
    }

    /// Divides a window for one more pane.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(crate) fn split(
        &mut self,
        at: PaneId,
        options: SplitOptions,
        mut spawn: SpawnRequest,
    ) -> Result<PaneId, NoSpace> {
        let pane = self.state.panes.get(&at).ok_or(NoSpace)?;
        let window_id = pane.window;
        let window = self.state.windows.get_mut(&window_id).ok_or(NoSpace)?;
        let new = spawn.pane;
        window.unzoom();
        window.layout.split(at, new, options)?;
        if let Some(place) = window.layout.place_of(new) {
            spawn.size = Size::new(place.rows, place.cols);
        }
        self.open_pane(window_id, spawn);
        self.layout_changed(window_id);
        Ok(new)
    }

    /// Puts a window into a session.
    pub(crate) fn link_window(&mut self, session_id: SessionId, index: u32, window: WindowId) {
        let Some(session) = self.state.sessions.get_mut(&session_id) else {
            return;
        };
        session.link(index, window);
        self.tell(Notice::WindowLinked {
            session: session_id,
            window,
        });
        self.session_changed(session_id);
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
        self.tell(Notice::WindowUnlinked {
            session: session_id,
            window,
        });
        if is_other && !is_empty {
            self.tell(Notice::SessionWindowChanged(session_id));
        }
        if self.state.links_of(window).next().is_none() {
            self.drop_window(window);
        }
        if is_empty {
            self.close_session(session_id);
        } else {
            self.session_changed(session_id);
        }
    }

    /// Ends a window wherever it is.
    pub(crate) fn close_window(&mut self, id: WindowId) {
        let links: Vec<(SessionId, u32)> = self.state.links_of(id).collect();
        for (session, index) in links {
            self.unlink_window(session, index);
        }
        self.drop_window(id);
    }

    fn drop_window(&mut self, id: WindowId) {
        let Some(window) = self.state.windows.remove(&id) else {
            return;
        };
        for pane in window.panes() {
            self.drop_pane(*pane);
        }
        self.forget_note(memory::window_key(id));
    }

    /// Shows another window of a session.
    pub(crate) fn select_window(&mut self, id: SessionId, index: u32) {
        let used = self.state.next_use();
        let Some(session) = self.state.sessions.get_mut(&id) else {
            return;
        };
        if session.current == index {
            return;
        }
        session.select(index);
        if let Some(pane) = self.state.current_pane(id)
            && let Some(pane) = self.state.panes.get_mut(&pane)
        {
            pane.used = used;
        }
        self.tell(Notice::SessionWindowChanged(id));
        self.session_changed(id);
    }

    /// A window's panes have other places: they are resized, and whoever looks sees it.
    pub(crate) fn layout_changed(&mut self, id: WindowId) {
        self.fit_panes(id);
        self.tell(Notice::WindowLayoutChanged(id));
        self.window_note_due(id);
        self.redraw_window(id);
    }

    /// Gives every pane of a window the size of its place.
    pub(super) fn fit_panes(&mut self, id: WindowId) {
        let Some(window) = self.state.windows.get(&id) else {
            return;
        };
        for (pane, place) in window.shown().places() {
            if let Some(pane) = self.state.panes.get_mut(&pane) {
                pane.resize(Size::new(place.rows, place.cols));
            }
        }
    }

    // ---- sessions ----

    pub(crate) fn add_session(&mut self, session: Session) {
        tracing::info!(session = %session.id, name = session.name, "session opened");
        let id = session.id;
        self.state.sessions.insert(id, session);
        self.tell(Notice::SessionCreated(id));
        self.session_note_due(id);
        self.server_note_due();
    }

    /// A session's windows or the one it shows are others: sizes may change, and whoever looks sees it.
    pub(crate) fn session_changed(&mut self, id: SessionId) {
        self.session_note_due(id);
        self.sizes_due();
        self.redraw_session(id);
    }

    /// Ends a session, and the windows that are in no other.
    pub(crate) fn close_session(&mut self, id: SessionId) {
        let Some(session) = self.state.sessions.remove(&id) else {
            return;
        };
        tracing::info!(session = %id, name = session.name, "session closed");
        let watching: Vec<ClientId> = self.state.clients_of(id).map(|client| client.id).collect();
        for client in watching {
            self.release(
                client,
                Leave {
                    kind: LeaveKind::Exited,
                    text: "exited".to_owned(),
                },
            );
        }
        for link in session.links.values() {
            self.tell(Notice::WindowUnlinked {
                session: id,
                window: link.window,
            });
            if self.state.links_of(link.window).next().is_none() {
                self.drop_window(link.window);
            }
        }
        self.forget_note(memory::session_key(id));
        self.tell(Notice::SessionClosed {
            id,
            name: session.name,
        });
        if self.state.sessions.is_empty() && self.state.options.server().flag("exit-empty") {
            self.ending.get_or_insert(Ending::Empty);
        }
    }
}
