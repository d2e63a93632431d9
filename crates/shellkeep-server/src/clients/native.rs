//! Clients that scroll natively (`attach --native`): the terminal's own scrollback, search and selection work on the pane's
//! output, since that is all it gets.

use std::sync::Arc;

use shellkeep_core::{ClientId, PaneId};
use shellkeep_render as render;

use crate::clients::control_notices;
use crate::clients::native_feed::NativeFeed;
use crate::clients::only_pane::{has_only, only_pane};
use crate::model::{Client, Model};
use crate::panes::sizes;
use crate::status::message;

/// Paints for clients that scroll natively while there is another pane than the one, copy mode, a prompt; and no longer than that.
pub(crate) fn check_native_clients(model: &mut Model) {
    follow_only_panes(model);
    let due = native_clients_due(model);
    if due.iter().any(|(_, feed)| feed.is_covered()) {
        // The pane gets its size back before it is shown: what has moved into its history for want of room comes out of it.
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

/// Where a session has come down to one pane, but another than the one shown natively, that one will be.
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
        && client.view.front.is_none()
        && client.view.message.is_none()
    {
        let text = "the terminal's own scrolling is off while there is more than one pane";
        message::show_plain_message(model, id, text);
    }
}

/// Shows a pane natively when the client is attached, or nothing.
pub(crate) fn show_natively(model: &mut Model, id: ClientId, pane: Option<PaneId>) {
    let pane = pane.and_then(|pane| model.panes.get(&pane));
    let screen = pane.map(|pane| pane.screen.clone());
    if let Some(client) = model.clients.get_mut(&id) {
        client.native = screen.map(|screen| NativeFeed::new(screen, client.terminal.caps));
    }
}

/// A client that scrolls natively has its terminal ready.
pub(crate) fn begin_natively(model: &mut Model, id: ClientId) {
    if let Some(client) = model.clients.get(&id)
        && let Some(feed) = &client.native
    {
        client.writer.pass_on(Some(feed.clone()));
        feed.begin();
    }
}

/// Whether there is more to be shown to a client than what the one pane's program prints.
fn needs_painting(model: &Model, client: &Client, feed: &NativeFeed) -> bool {
    let pane = model.panes.get(&feed.pane());
    !has_only(model, client, feed)
        || pane.is_some_and(|pane| pane.is_in_mode())
        || client.view.front.is_some()
        || client.view.overlay.is_some()
        || client.view.message.is_some()
}

/// The clients that are painted for without need, or not painted for though there is need.
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

/// Lets clients that show a pane natively remember what they have of it, before it gets another size.
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

/// What prepares a client's terminal, and what gives it back.
pub(crate) fn terminal_bytes(client: &Client) -> (Vec<u8>, Vec<u8>) {
    let (mut enter, mut leave) = (Vec::new(), Vec::new());
    if client.native.is_some() {
        render::enter_natively(&client.terminal.caps, &mut enter);
        render::leave_natively(&client.terminal.caps, &mut leave);
    } else {
        render::enter(&client.terminal.caps, &mut enter);
        render::leave(&client.terminal.caps, &mut leave);
    }
    // Its answers come when they come, or never: what is known by its name serves until then.
    render::query(&client.terminal.caps, &mut enter);
    (enter, leave)
}
