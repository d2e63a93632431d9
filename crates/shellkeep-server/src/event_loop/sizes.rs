//! How large windows are.

use std::time::Duration;

use shellkeep_command::options::View;
use shellkeep_core::{ClientId, PaneId, SessionId, Size, WindowId};

use super::Server;
use crate::alarm::Alarm;
use crate::notice::Notice;
use crate::state::{Client, Session, Window};

/// How long a program has to heed its size before it is told another. Tmux gives it 250 milliseconds, which shows when a border is dragged.
const BREATH: Duration = Duration::from_millis(100);

/// Which of the terminals that show a window decide on its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decides {
    Largest,
    Smallest,
    /// The one used last.
    Latest,
    /// None: somebody has set it.
    Nobody,
}

impl Server {
    /// Somebody uses a client: of several, its size counts.
    pub(crate) fn used(&mut self, id: ClientId) {
        let used = self.state.next_use();
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let before = std::mem::replace(&mut client.used, used);
        let shown = client.session;
        if shown.is_some() {
            self.goes_last(id);
        }
        let mut others = self.state.clients.values();
        let is_other = others.any(|other| {
            other.id != id && other.session == shown && other.used > before && shown.is_some()
        });
        if is_other {
            self.state.tell(Notice::ClientActive(id));
        }
        let session = shown.and_then(|id| self.state.sessions.get(&id));
        let window = session.and_then(Session::current_link);
        if let Some(window) = window.and_then(|link| self.state.windows.get_mut(&link.window))
            && window.latest.replace(id) != Some(id)
        {
            let window = window.id;
            self.client_order.is_latest(window);
            self.state.sizes_due();
            self.state.tell(Notice::ClientActive(id));
        }
    }

    /// Fits every window to the terminals that show it. One that nobody looks at waits until somebody does: a terminal that gets
    /// small for a moment would leave its panes as they came out of it.
    pub(super) fn fit_windows(&mut self) {
        if !std::mem::take(&mut self.state.changes.are_sizes_due) {
            return;
        }
        let windows: Vec<WindowId> = self.state.windows.keys().copied().collect();
        for id in windows {
            self.follow_border_status(id);
            if !self.is_shown(id) {
                continue;
            }
            let now = self.state.windows.get(&id).map(Window::size);
            if let Some(size) = self.wanted_size(id).filter(|size| Some(*size) != now) {
                self.resize_window(id, size);
            }
        }
    }

    /// Whether somebody is attached to a session whose current window this is.
    fn is_shown(&self, id: WindowId) -> bool {
        let mut sessions = self.state.clients.values().filter_map(|c| c.session);
        sessions.any(|session| {
            let session = self.state.sessions.get(&session);
            let link = session.and_then(Session::current_link);
            link.is_some_and(|link| link.window == id)
        })
    }

    /// Gives the panes' titles their rows, or takes them back.
    fn follow_border_status(&mut self, id: WindowId) {
        let status = self.border_status(id);
        let Some(window) = self.state.windows.get_mut(&id) else {
            return;
        };
        if window.layout.border_status() == status {
            return;
        }
        window.layout.set_border_status(status);
        if let Some(zoomed) = &mut window.zoomed {
            zoomed.set_border_status(status);
        }
        self.fit_panes(id);
        self.state.redraw_window(id);
    }

    /// Gives a window a size; that is told also if it has it already, as in tmux, where somebody asked for it.
    pub(crate) fn resize_window(&mut self, id: WindowId, size: Size) {
        let Some(window) = self.state.windows.get_mut(&id) else {
            return;
        };
        if window.size() != size {
            window.resize(size);
        }
        self.fit_panes(id);
        self.state.tell(Notice::WindowLayoutChanged(id));
        self.state.tell(Notice::WindowResized(id));
        self.state.window_note_due(id);
        self.state.redraw_window(id);
    }

    /// Gives a pane a size.
    pub(crate) fn resize_pane(&mut self, id: PaneId, size: Size) {
        self.before_resize_natively(id);
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.resize(size);
            self.tell_size(id);
        }
    }

    /// Tells a pane's program its size, if that is news and it had time to heed what it was told before. A program that hears of
    /// many sizes at once draws for one while it has another already, and a shell that hears of one while it draws forgets about it.
    pub(super) fn tell_size(&mut self, id: PaneId) {
        let pane = self.state.panes.get_mut(&id);
        let Some(pane) = pane.filter(|pane| pane.is_size_due()) else {
            return;
        };
        pane.tell_size();
        let timer = self.state.set_alarm(Alarm::Size(id), BREATH);
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.has_told(Some(timer));
        }
    }

    /// A program had time to heed its size: it may have another by now.
    pub(super) fn size_due(&mut self, id: PaneId) {
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.has_told(None);
            self.tell_size(id);
        }
    }

    /// The size a window should have; `None` if it is to stay as it is.
    fn wanted_size(&self, id: WindowId) -> Option<Size> {
        match self.decides(id) {
            Decides::Nobody => self.state.windows.get(&id)?.manual_size,
            // Until that is back, or another client is used: sizes that change for a moment show.
            Decides::Latest if self.client_order.awaits_latest(id) => None,
            decides => self.size_by(id, decides),
        }
    }

    fn decides(&self, id: WindowId) -> Decides {
        match self.state.window_options(id).text("window-size") {
            "largest" => Decides::Largest,
            "smallest" => Decides::Smallest,
            "manual" => Decides::Nobody,
            _ => Decides::Latest,
        }
    }

    /// The size that the terminals of the sessions with a window come to; `None` if there are none.
    pub(crate) fn size_by(&self, id: WindowId, decides: Decides) -> Option<Size> {
        let window = self.state.windows.get(&id)?;
        let only_viewers = self.state.window_options(id).flag("aggressive-resize");
        let clients: Vec<&Client> = self
            .sized_clients()
            .filter(|client| {
                let session = client.session.and_then(|id| self.state.sessions.get(&id));
                session.is_some_and(|session| {
                    if only_viewers {
                        session.current_link().is_some_and(|link| link.window == id)
                    } else {
                        session.index_of(id).is_some()
                    }
                })
            })
            .collect();
        let rooms = clients
            .iter()
            .filter_map(|client| self.room_for(client, id));
        match decides {
            Decides::Largest => rooms.reduce(largest),
            Decides::Smallest => rooms.reduce(Size::smallest),
            Decides::Nobody => None,
            Decides::Latest => {
                let sized = clients.iter().filter_map(|client| {
                    let is_latest = Some(client.id) == window.latest;
                    Some(((is_latest, client.used), self.room_for(client, id)?))
                });
                let latest = sized.max_by_key(|(used, _)| *used);
                latest.map(|(_, room)| room)
            }
        }
    }

    /// The clients whose size counts: those that want none only if there are no others.
    fn sized_clients(&self) -> impl Iterator<Item = &Client> {
        let attached = || self.state.clients.values().filter(|c| c.session.is_some());
        let all_ignored = attached().all(|client| client.ignores_size);
        attached().filter(move |client| all_ignored || !client.ignores_size)
    }

    /// The size of a new window in a session, asked for by a client.
    pub(crate) fn new_window_size(&self, id: SessionId, client: Option<ClientId>) -> Size {
        let size = self.size_by_clients(id, client);
        size.unwrap_or_else(|| self.default_size(Some(id)))
    }

    /// The size that a new window has because of those who are attached, if anybody is who counts. As in tmux, `latest` goes by the
    /// client that asks, and by all others if that shows nothing, whatever they show; the other rules go by who shows the session.
    pub(crate) fn size_by_clients(&self, id: SessionId, client: Option<ClientId>) -> Option<Size> {
        let decides = match View::of(&self.state.options.window).text("window-size") {
            "largest" => Decides::Largest,
            "smallest" => Decides::Smallest,
            "manual" => Decides::Nobody,
            _ => Decides::Latest,
        };
        let sized = || {
            self.sized_clients()
                .filter(|client| client.control.is_none())
        };
        let asks = |other: &&Client| Some(other.id) == client;
        let shows = |other: &&Client| other.session == Some(id) || asks(other);
        let rooms = sized().filter(shows).map(|client| self.room_of(client));
        match decides {
            Decides::Largest => rooms.reduce(largest),
            Decides::Smallest => rooms.reduce(Size::smallest),
            Decides::Nobody => None,
            Decides::Latest => match sized().find(asks) {
                Some(client) => Some(self.room_of(client)),
                None => sized().map(|c| self.room_of(c)).reduce(Size::smallest),
            },
        }
    }

    /// The size of windows that nobody shows.
    pub(crate) fn default_size(&self, id: Option<SessionId>) -> Size {
        let options = self.state.session_options(id);
        let text = options.text("default-size");
        let sides = text.split_once('x').and_then(|(cols, rows)| {
            let (cols, rows): (u16, u16) = (cols.parse().ok()?, rows.parse().ok()?);
            (rows > 0 && cols > 0).then(|| Size::new(rows, cols))
        });
        sides.unwrap_or_default()
    }

    /// What of a client's terminal is left for a window; nothing for one that has no terminal and was given no size.
    fn room_for(&self, client: &Client, window: WindowId) -> Option<Size> {
        match client.control {
            Some(_) => self.control_size(client, window),
            None => Some(self.room_of(client)),
        }
    }
}

fn largest(a: Size, b: Size) -> Size {
    Size::new(a.rows().max(b.rows()), a.cols().max(b.cols()))
}
