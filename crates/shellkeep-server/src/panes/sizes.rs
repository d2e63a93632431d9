//! The sizes of windows and panes.

use std::time::Duration;

use shellkeep_command::options::View;
use shellkeep_core::{ClientId, PaneId, SessionId, Size, WindowId};

use crate::alarm::Alarm;
use crate::clients::{client_order, native};
use crate::display::division;
use crate::model::notice::Notice;
use crate::model::{Client, Model, Session, Window};
use crate::panes::sizes;

/// The shortest time between two sizes that a program is sent. In tmux it is 250 ms, which is visible when a border is
/// dragged.
const MIN_RESIZE_INTERVAL: Duration = Duration::from_millis(100);

/// Which of the clients that show a window decide on its size (`window-size`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizeRule {
    Largest,
    Smallest,
    /// The client used last.
    Latest,
    /// No client: the size was set by a command.
    Manual,
}

/// Notes that a client is used. Of several clients, the size of the one used last may count.
pub(crate) fn used(model: &mut Model, id: ClientId) {
    let used = model.next_use();
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let before = std::mem::replace(&mut client.used, used);
    let shown = client.session;
    if shown.is_some() {
        client_order::goes_last(model, id);
    }
    let mut others = model.clients.values();
    let is_other = others.any(|other| {
        other.id != id && other.session == shown && other.used > before && shown.is_some()
    });
    if is_other {
        model.notify(Notice::ClientActive(id));
    }
    let session = shown.and_then(|id| model.sessions.get(&id));
    let window = session.and_then(Session::current_link);
    if let Some(window) = window.and_then(|link| model.windows.get_mut(&link.window))
        && window.latest.replace(id) != Some(id)
    {
        let window = window.id;
        model.client_order.is_latest(window);
        model.sizes_due();
        model.notify(Notice::ClientActive(id));
    }
}

/// Fits every window to the clients that show it. A window that is not shown keeps its size until it is: a terminal
/// that is small for a moment would otherwise cut off its panes.
pub(crate) fn fit_windows(model: &mut Model) {
    if !std::mem::take(&mut model.changes.are_sizes_due) {
        return;
    }
    let windows: Vec<WindowId> = model.windows.keys().copied().collect();
    for id in windows {
        follow_border_status(model, id);
        if !is_shown(model, id) {
            continue;
        }
        let now = model.windows.get(&id).map(Window::size);
        if let Some(size) = wanted_size(model, id).filter(|size| Some(*size) != now) {
            resize_window(model, id, size);
        }
    }
}

/// The size a window should have; `None` if it is to stay as it is.
fn wanted_size(model: &Model, id: WindowId) -> Option<Size> {
    match size_rule(model, id) {
        SizeRule::Manual => model.windows.get(&id)?.manual_size,
        // Wait until the expected client is back or another one is used: a size that changes for a moment is visible.
        SizeRule::Latest if model.client_order.awaits_latest(id) => None,
        size_rule => size_by(model, id, size_rule),
    }
}

/// Whether a client is attached to a session whose current window this is.
fn is_shown(model: &Model, id: WindowId) -> bool {
    let mut sessions = model.clients.values().filter_map(|c| c.session);
    sessions.any(|session| {
        let session = model.sessions.get(&session);
        let link = session.and_then(Session::current_link);
        link.is_some_and(|link| link.window == id)
    })
}

/// Adds or removes the rows for pane titles (`pane-border-status`).
fn follow_border_status(model: &mut Model, id: WindowId) {
    let status = division::border_status(model, id);
    let Some(window) = model.windows.get_mut(&id) else {
        return;
    };
    if window.layout.border_status() == status {
        return;
    }
    window.layout.set_border_status(status);
    if let Some(zoomed) = &mut window.zoomed {
        zoomed.set_border_status(status);
    }
    fit_panes(model, id);
    model.redraw_window(id);
}

/// Sets the size of a window. As in tmux, the notice is sent even if the size is the same.
pub(crate) fn resize_window(model: &mut Model, id: WindowId, size: Size) {
    let Some(window) = model.windows.get_mut(&id) else {
        return;
    };
    if window.size() != size {
        window.resize(size);
    }
    fit_panes(model, id);
    model.notify(Notice::WindowLayoutChanged(id));
    model.notify(Notice::WindowResized(id));
    model.window_note_due(id);
    model.redraw_window(id);
}

pub(crate) fn resize_pane(model: &mut Model, id: PaneId, size: Size) {
    native::before_resize_natively(model, id);
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.resize(size);
        send_size(model, id);
    }
}

/// Sends a pane's program its size if that has changed, but not sooner than [`MIN_RESIZE_INTERVAL`] after the last one.
/// A program that gets many sizes at once draws for an old one, and a shell that gets one while it draws ignores it.
pub(crate) fn send_size(model: &mut Model, id: PaneId) {
    let pane = model.panes.get_mut(&id);
    let Some(pane) = pane.filter(|pane| pane.is_size_due()) else {
        return;
    };
    pane.send_size();
    let timer = model.set_alarm(Alarm::Size(id), MIN_RESIZE_INTERVAL);
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.set_size_timer(Some(timer));
    }
}

/// The interval after a resize is over: sends the program its size if that has changed since.
pub(crate) fn size_due(model: &mut Model, id: PaneId) {
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.set_size_timer(None);
        send_size(model, id);
    }
}

fn size_rule(model: &Model, id: WindowId) -> SizeRule {
    match model.window_options(id).text("window-size") {
        "largest" => SizeRule::Largest,
        "smallest" => SizeRule::Smallest,
        "manual" => SizeRule::Manual,
        _ => SizeRule::Latest,
    }
}

/// The size that the clients of a window's sessions call for; `None` without clients.
pub(crate) fn size_by(model: &Model, id: WindowId, size_rule: SizeRule) -> Option<Size> {
    let window = model.windows.get(&id)?;
    let only_viewers = model.window_options(id).flag("aggressive-resize");
    let clients: Vec<&Client> = sized_clients(model)
        .filter(|client| {
            let session = client.session.and_then(|id| model.sessions.get(&id));
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
        .filter_map(|client| room_for(model, client, id));
    match size_rule {
        SizeRule::Largest => rooms.reduce(largest),
        SizeRule::Smallest => rooms.reduce(Size::smallest),
        SizeRule::Manual => None,
        SizeRule::Latest => {
            let sized = clients.iter().filter_map(|client| {
                let is_latest = Some(client.id) == window.latest;
                Some(((is_latest, client.used), room_for(model, client, id)?))
            });
            let latest = sized.max_by_key(|(used, _)| *used);
            latest.map(|(_, room)| room)
        }
    }
}

/// The clients whose size counts: those with `ignore-size` only if there are no others.
fn sized_clients(model: &Model) -> impl Iterator<Item = &Client> {
    let attached = || model.clients.values().filter(|c| c.session.is_some());
    let all_ignored = attached().all(|client| client.ignores_size);
    attached().filter(move |client| all_ignored || !client.ignores_size)
}

/// The size of a new window in a session, made by a client.
pub(crate) fn new_window_size(model: &Model, id: SessionId, client: Option<ClientId>) -> Size {
    let size = size_by_clients(model, id, client);
    size.unwrap_or_else(|| default_size(model, Some(id)))
}

/// The size of a new window as the attached clients call for, if any counts. As in tmux, `latest` goes by the client
/// that runs the command and otherwise by all clients, whatever they show; the other rules go by the clients of the
/// session.
pub(crate) fn size_by_clients(
    model: &Model,
    id: SessionId,
    client: Option<ClientId>,
) -> Option<Size> {
    let size_rule = match View::of(&model.options.window).text("window-size") {
        "largest" => SizeRule::Largest,
        "smallest" => SizeRule::Smallest,
        "manual" => SizeRule::Manual,
        _ => SizeRule::Latest,
    };
    let sized = || sized_clients(model).filter(|client| client.control.is_none());
    let asks = |other: &&Client| Some(other.id) == client;
    let shows = |other: &&Client| other.session == Some(id) || asks(other);
    let rooms = sized()
        .filter(shows)
        .map(|client| division::room_of(model, client));
    match size_rule {
        SizeRule::Largest => rooms.reduce(largest),
        SizeRule::Smallest => rooms.reduce(Size::smallest),
        SizeRule::Manual => None,
        SizeRule::Latest => match sized().find(asks) {
            Some(client) => Some(division::room_of(model, client)),
            None => sized()
                .map(|c| division::room_of(model, c))
                .reduce(Size::smallest),
        },
    }
}

/// The size of windows without clients.
pub(crate) fn default_size(model: &Model, id: Option<SessionId>) -> Size {
    let options = model.session_options(id);
    let text = options.text("default-size");
    let sides = text.split_once('x').and_then(|(cols, rows)| {
        let (cols, rows): (u16, u16) = (cols.parse().ok()?, rows.parse().ok()?);
        (rows > 0 && cols > 0).then(|| Size::new(rows, cols))
    });
    sides.unwrap_or_default()
}

/// The size that a client's terminal has for a window. None for a control client that has set no size.
fn room_for(model: &Model, client: &Client, window: WindowId) -> Option<Size> {
    match client.control {
        Some(_) => control_size(client, window),
        None => Some(division::room_of(model, client)),
    }
}

fn largest(a: Size, b: Size) -> Size {
    Size::new(a.rows().max(b.rows()), a.cols().max(b.cols()))
}

/// The size that a control client has set for a window.
pub(crate) fn control_size(client: &Client, window: WindowId) -> Option<Size> {
    let control = client.control.as_ref()?;
    let own = control.window_sizes.get(&window).copied();
    own.or(control.size)
}

/// Gives every pane of a window the size it has in the layout. Panes that a zoom hides get the size they will have
/// without it.
pub(crate) fn fit_panes(model: &mut Model, id: WindowId) {
    let Some(window) = model.windows.get(&id) else {
        return;
    };
    let shown = window.shown().places();
    let mut places = shown.clone();
    if window.zoomed.is_some() {
        let hidden = window.layout.places().into_iter();
        places.extend(hidden.filter(|(pane, _)| shown.iter().all(|(seen, _)| seen != pane)));
    }
    for (pane, place) in places {
        sizes::resize_pane(model, pane, Size::new(place.rows, place.cols));
    }
}
