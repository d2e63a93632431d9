//! Resolving targets (`-t`) in the model.

use std::cmp::Reverse;

use shellkeep_command::Target;
use shellkeep_command::target::{self, ClientSpot, Current, Link, PaneBox, ResolvedTarget, World};
use shellkeep_core::{ClientId, PaneId, SessionId, Size, WindowId};

use crate::commands::queue::Caller;
use crate::model::{Client, Model};

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
        window.map_or_else(Size::default, crate::model::Window::size)
    }

    fn panes(&self, id: WindowId) -> Vec<PaneBox> {
        let Some(window) = self.windows.get(&id) else {
            return Vec::new();
        };
        let base = self.window_options(id).number("pane-base-index");
        let base = u32::try_from(base).unwrap_or(0);
        let panes = (base..).zip(window.panes()).filter_map(|(index, pane)| {
            // The cell it has without a zoom: hidden panes are neighbours, too.
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

    fn marked(&self) -> Option<ResolvedTarget> {
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
    /// A pane with its window and session; the session used last, if the window is linked to several.
    pub(crate) fn place_of(&self, pane: PaneId) -> Option<ResolvedTarget> {
        let window = self.panes.get(&pane)?.window;
        let session = self.session_with(window)?;
        let index = self.sessions.get(&session)?.index_of(window)?;
        Some(ResolvedTarget {
            session,
            index,
            window,
            pane,
        })
    }

    /// The current window and pane of a session.
    pub(crate) fn place_in(&self, session: SessionId) -> Option<ResolvedTarget> {
        let link = self.sessions.get(&session)?;
        let (index, window) = (link.current, link.current_link()?.window);
        let pane = self.windows.get(&window)?.active;
        Some(ResolvedTarget {
            session,
            index,
            window,
            pane,
        })
    }
}

/// The current target of a caller: the subject of its hook or binding, what its client shows, or the pane it was typed
/// in.
pub(crate) fn current(model: &Model, caller: &Caller) -> Current {
    let client = caller.client.and_then(|id| model.clients.get(&id));
    let shown = client.and_then(|client| {
        let place = model.place_in(client.session?)?;
        let pane = model.pane_of(client)?;
        Some(ResolvedTarget { pane, ..place })
    });
    // As in tmux it is not that pane itself, which `-t "$SHELLKEEP_PANE"` names, but the current pane of its session.
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

/// The pane a command was typed in: `$SHELLKEEP_PANE`, or `$TMUX_PANE`, if it is one of this server's.
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

/// Resolves a target to a pane with its window and session.
pub(crate) fn find(
    model: &Model,
    caller: &Caller,
    target: Option<&str>,
    kind: Target,
) -> Result<ResolvedTarget, String> {
    let found = target::resolve(target, kind, &current(model, caller), model);
    found.map_err(|error| error.to_string())
}

/// Resolves as much of a target as exists: for a command that only evaluates a format, a session without the named
/// window is better than nothing.
pub(crate) fn find_partly(
    model: &Model,
    caller: &Caller,
    target: Option<&str>,
) -> Option<ResolvedTarget> {
    let whole = find(model, caller, target, Target::Pane).ok();
    let (None, Some(target)) = (whole, target) else {
        return whole;
    };
    let (session, rest) = target.split_once(':').unwrap_or(("", target));
    let window = rest.rsplit_once('.').map(|(window, _)| window);
    let window = window.map(|window| format!("{session}:{window}."));
    // Without a colon the text was looked up as a session, and not found.
    let session = target.contains(':').then(|| format!("{session}:"));
    let shorter = window.into_iter().chain(session);
    let mut found =
        shorter.filter_map(|target| find(model, caller, Some(&target), Target::Pane).ok());
    found.next()
}

pub(crate) fn session(
    model: &Model,
    caller: &Caller,
    target: Option<&str>,
) -> Result<SessionId, String> {
    find(model, caller, target, Target::Session).map(|found| found.session)
}

/// The name of the session a command has chosen by itself. The caller was in none and has named none, so it has to be
/// told.
pub(crate) fn picked(
    model: &Model,
    caller: &Caller,
    (target, session): (Option<&str>, SessionId),
) -> Option<String> {
    let is_picked = target.is_none() && current(model, caller).place.is_none();
    let session = model.sessions.get(&session);
    session
        .filter(|_| is_picked)
        .map(|session| session.name.clone())
}

pub(crate) fn pane(model: &Model, caller: &Caller, target: Option<&str>) -> Result<PaneId, String> {
    find(model, caller, target, Target::Pane).map(|found| found.pane)
}

/// The client that sent a command.
pub(crate) fn typist<'a>(model: &'a Model, caller: &Caller) -> Option<&'a Client> {
    model.clients.get(&caller.client?)
}

/// Resolves a target to an attached client.
pub(crate) fn client(
    model: &Model,
    caller: &Caller,
    target: Option<&str>,
) -> Result<ClientId, String> {
    let found = target::resolve_client(target, &current(model, caller), model);
    found.map_err(|error| error.to_string())
}
