//! Clients that scroll natively (`attach --native`): they get the output of a pane and nothing else, so the terminal's
//! own scrollback, search and selection work on it.

use std::sync::Arc;

use shellkeep_core::{ClientId, PaneId};
use shellkeep_render as render;

use crate::clients::control_notices;
use crate::clients::native_feed::NativeFeed;
use crate::clients::only_pane::{has_only, only_pane};
use crate::model::{Client, Model};
use crate::panes::sizes;
use crate::status::message;

/// Paints for clients that scroll natively as long as there is more to show than one pane, such as copy mode or a
/// prompt.
pub(crate) fn check_native_clients(model: &mut Model) {
    follow_only_panes(model);
    let due = native_clients_due(model);
    if due.iter().any(|(_, feed)| feed.is_covered()) {
        // Fit the pane before it is shown: rows that had moved into its history for lack of room come back out.
        model.sizes_due();
        sizes::fit_windows(model);
    }
    for (id, feed) in due {
        if feed.is_covered() {
            uncover(model, id, &feed);
        } else {
            cover(model, id, &feed);
        }
        model.redraw_client(id);
        model.sizes_due();
    }
    let feeds = model.clients.values().filter_map(|it| it.native.as_ref());
    feeds.for_each(|feed| feed.has_resized());
}

/// If a session has come down to one pane again, and another than the one shown natively, shows that one.
fn follow_only_panes(model: &mut Model) {
    let clients = model.clients.values();
    let due = clients.filter_map(|client| {
        let feed = client.native.as_deref().filter(|feed| feed.is_covered())?;
        let only = only_pane(model, client.session?).ok()?;
        let pane = model.panes.get(&only)?;
        (only != feed.pane()).then(|| (client.id, pane.screen.clone()))
    });
    let due: Vec<_> = due.collect();
    if due.is_empty() {
        return;
    }
    for (id, screen) in due {
        if let Some(client) = model.clients.get_mut(&id) {
            client.native = Some(NativeFeed::new_covered(screen, client.terminal.caps));
            model.sizes_due();
        }
    }
    control_notices::place_taps(model);
    sizes::fit_windows(model);
}

fn cover(model: &mut Model, id: ClientId, feed: &NativeFeed) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    client.writer.pass_on(None);
    client.terminal.enter = feed.cover();
    let client = &model.clients[&id];
    if !has_only(model, client, feed)
        && client.view.key_grab.is_none()
        && client.view.message.is_none()
    {
        let text = "the terminal's own scrolling is off while there is more than one pane";
        message::show_plain_message(model, id, text);
    }
}

/// Shows a pane natively when the client is attached, or ends that.
pub(crate) fn show_natively(model: &mut Model, id: ClientId, pane: Option<PaneId>) {
    let pane = pane.and_then(|pane| model.panes.get(&pane));
    let screen = pane.map(|pane| pane.screen.clone());
    if let Some(client) = model.clients.get_mut(&id) {
        client.native = screen.map(|screen| NativeFeed::new(screen, client.terminal.caps));
    }
}

/// The terminal of a client that scrolls natively is ready.
pub(crate) fn begin_natively(model: &mut Model, id: ClientId) {
    if let Some(client) = model.clients.get(&id)
        && let Some(feed) = &client.native
    {
        client.writer.pass_on(Some(feed.clone()));
        feed.begin();
    }
}

/// Whether a client has more to show than the output of one pane.
fn needs_painting(model: &Model, client: &Client, feed: &NativeFeed) -> bool {
    let pane = model.panes.get(&feed.pane());
    !has_only(model, client, feed)
        || pane.is_some_and(|pane| pane.is_in_mode())
        || client.view.key_grab.is_some()
        || client.view.overlay.is_some()
        || client.view.message.is_some()
}

/// The clients that are painted for without need, or not painted for although needed.
fn native_clients_due(model: &Model) -> Vec<(ClientId, Arc<NativeFeed>)> {
    let clients = model.clients.values();
    let clients =
        clients.filter(|client| client.session.is_some() && !client.terminal.awaits_ready);
    let due = clients.filter_map(|client| {
        let feed = client.native.clone()?;
        let needs_painting = needs_painting(model, client, &feed);
        (feed.is_covered() != needs_painting).then_some((client.id, feed))
    });
    due.collect()
}

/// Makes clients that show a pane natively remember how much of it they were sent, before it is resized.
pub(crate) fn before_resize_natively(model: &Model, id: PaneId) {
    let feeds = model.clients.values().filter_map(|it| it.native.as_ref());
    for feed in feeds.filter(|feed| feed.pane() == id) {
        feed.before_resize();
    }
}

fn uncover(model: &mut Model, id: ClientId, feed: &Arc<NativeFeed>) {
    feed.uncover();
    if let Some(client) = model.clients.get_mut(&id) {
        client.terminal.enter.clear();
        client.writer.pass_on(Some(feed.clone()));
    }
}

/// The bytes that prepare a client's terminal, and those that restore it.
pub(crate) fn terminal_bytes(client: &Client) -> (Vec<u8>, Vec<u8>) {
    let (mut enter, mut leave) = (Vec::new(), Vec::new());
    if client.native.is_some() {
        render::enter_natively(&client.terminal.caps, &mut enter);
        render::leave_natively(&client.terminal.caps, &mut leave);
    } else {
        render::enter(&client.terminal.caps, &mut enter);
        render::leave(&client.terminal.caps, &mut leave);
    }
    // The replies come later, or never; until then the terminal's name decides.
    render::query(&client.terminal.caps, &mut enter);
    (enter, leave)
}
