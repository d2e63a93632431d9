//! The model as targets are looked up in it.

use std::cmp::Reverse;

use shellkeep_command::target::{ClientSpot, Current, Found, Link, PaneBox, World};
use shellkeep_core::{PaneId, SessionId, Size, WindowId};

use crate::queue::Caller;
use crate::state::Model;

impl World for Model {
    fn sessions(&self) -> Vec<SessionId> {
        let mut sessions: Vec<_> = self.sessions.values().collect();
        sessions.sort_by_key(|session| Reverse(session.recency()));
        sessions.into_iter().map(|session| session.id).collect()
    }

    fn session_name(&self, session: SessionId) -> Option<String> {
        Some(self.sessions.get(&session)?.name.clone())
    }

    fn links(&self, session: SessionId) -> Vec<Link> {
        let links = self
            .sessions
            .get(&session)
            .map(|session| session.links.iter());
        let links = links.into_iter().flatten().map(|(index, link)| Link {
            index: *index,
            window: link.window,
        });
        links.collect()
    }

    fn current_index(&self, session: SessionId) -> Option<u32> {
        Some(self.sessions.get(&session)?.current)
    }

    fn last_index(&self, session: SessionId) -> Option<u32> {
        self.sessions.get(&session)?.last.first().copied()
    }

    fn window_name(&self, window: WindowId) -> Option<String> {
        Some(self.windows.get(&window)?.name.clone())
    }

    fn window_size(&self, window: WindowId) -> Size {
        let window = self.windows.get(&window);
        window.map_or_else(Size::default, crate::state::Window::size)
    }

    fn panes(&self, id: WindowId) -> Vec<PaneBox> {
        let Some(window) = self.windows.get(&id) else {
            return Vec::new();
        };
        let base = self.window_options(id).number("pane-base-index");
        let base = u32::try_from(base).unwrap_or(0);
        let panes = (base..).zip(window.panes()).filter_map(|(index, pane)| {
            // Where it would be if none were zoomed: a hidden pane is beside its neighbours all the same.
            let place = window.layout.place_of(*pane)?;
            Some(PaneBox {
                pane: *pane,
                index,
                top: place.row,
                left: place.col,
                size: Size::new(place.rows, place.cols),
                used: self.panes.get(pane).map_or(0, |pane| pane.used),
            })
        });
        panes.collect()
    }

    fn active_pane(&self, window: WindowId) -> Option<PaneId> {
        Some(self.windows.get(&window)?.active)
    }

    fn zoomed(&self, window: WindowId) -> Option<PaneId> {
        let window = self.windows.get(&window)?;
        window.is_zoomed().then_some(window.active)
    }

    fn last_pane(&self, window: WindowId) -> Option<PaneId> {
        self.windows.get(&window)?.last_panes.first().copied()
    }

    fn window_of(&self, pane: PaneId) -> Option<WindowId> {
        Some(self.panes.get(&pane)?.window)
    }

    fn marked(&self) -> Option<Found> {
        self.place_of(self.marked?)
    }

    fn clients(&self) -> Vec<ClientSpot> {
        let clients = self.clients.values();
        let mut clients: Vec<_> = clients.filter(|client| client.session.is_some()).collect();
        clients.sort_by_key(|client| Reverse(client.used));
        let spots = clients.into_iter().map(|client| ClientSpot {
            client: client.id,
            name: client.name(),
            tty: client.tty().unwrap_or_default().to_owned(),
            session: client.session,
        });
        spots.collect()
    }
}

impl Model {
    /// A pane with all it is in; the session used last if its window is in several.
    pub(crate) fn place_of(&self, pane: PaneId) -> Option<Found> {
        let window = self.panes.get(&pane)?.window;
        let session = self.session_with(window)?;
        let index = self.sessions.get(&session)?.index_of(window)?;
        Some(Found {
            session,
            index,
            window,
            pane,
        })
    }

    /// What a session shows.
    pub(crate) fn place_in(&self, session: SessionId) -> Option<Found> {
        let link = self.sessions.get(&session)?;
        let (index, window) = (link.current, link.current_link()?.window);
        let pane = self.windows.get(&window)?.active;
        Some(Found {
            session,
            index,
            window,
            pane,
        })
    }
}

/// What is current for a caller: what its binding or hook is about, what it shows, or where it was typed.
pub(crate) fn current(model: &Model, caller: &Caller) -> Current {
    let client = caller.client.and_then(|id| model.clients.get(&id));
    let shown = client.and_then(|client| {
        let place = model.place_in(client.session?)?;
        let pane = model.pane_of(client)?;
        Some(Found { pane, ..place })
    });
    // As in tmux it is not the pane itself, which `-t "$SHELLKEEP_PANE"` names, but what its session shows.
    let typed_in = || {
        let window = model.panes.get(&caller_pane(model, caller)?)?.window;
        model.place_in(model.session_with(window)?)
    };
    Current {
        place: caller.current.or(shown).or_else(typed_in),
        client: caller.client,
        mouse: caller.mouse,
    }
}

/// The pane a command was typed in: `$SHELLKEEP_PANE`, or `$TMUX_PANE`, if it was one of this server's.
pub(crate) fn caller_pane(model: &Model, caller: &Caller) -> Option<PaneId> {
    let context = &model.clients.get(&caller.client?)?.context;
    let pairs = [("SHELLKEEP", "SHELLKEEP_PANE"), ("TMUX", "TMUX_PANE")];
    pairs.into_iter().find_map(|(place, pane)| {
        let socket = context.env(place)?.split(',').next()?;
        if std::path::Path::new(socket) != model.socket {
            return None;
        }
        let pane = context.env(pane)?.parse().ok()?;
        model.panes.contains_key(&pane).then_some(pane)
    })
}
