//! Clients that scroll natively (`attach --native`): the terminal's own scrollback, search and selection work on the pane's
//! output, since that is all it gets.

use std::sync::Arc;

use shellkeep_core::{ClientId, PaneId, SessionId};
use shellkeep_render as render;

use super::Server;
use crate::native_feed::NativeFeed;
use crate::state::{Client, Model};

impl Server {
    /// Paints for clients that scroll natively while there is another pane than the one, copy mode, a prompt; and no longer than that.
    pub(super) fn check_native_clients(&mut self) {
        self.follow_only_panes();
        let due = native_clients_due(&self.state);
        if due.iter().any(|(_, feed)| feed.is_covered()) {
            // The pane gets its size back before it is shown: what has moved into its history for want of room comes out of it.
            self.state.sizes_due();
            self.fit_windows();
        }
        for (id, feed) in due {
            if feed.is_covered() {
                uncover(&mut self.state, id, &feed);
            } else {
                self.cover(id, &feed);
            }
            self.state.redraw_client(id);
            self.state.sizes_due();
        }
        let feeds = self
            .state
            .clients
            .values()
            .filter_map(|it| it.native.as_ref());
        feeds.for_each(|feed| feed.has_resized());
    }

    /// Where a session has come down to one pane, but another than the one shown natively, that one will be.
    fn follow_only_panes(&mut self) {
        let clients = self.state.clients.values();
        let due = clients.filter_map(|client| {
            let feed = client.native.as_deref().filter(|feed| feed.is_covered())?;
            let only = only_pane(&self.state, client.session?).ok()?;
            let pane = self.state.panes.get(&only)?;
            (only != feed.pane()).then(|| (client.id, pane.screen.clone()))
        });
        let due: Vec<_> = due.collect();
        if due.is_empty() {
            return;
        }
        for (id, screen) in due {
            if let Some(client) = self.state.clients.get_mut(&id) {
                client.native = Some(NativeFeed::new_covered(screen, client.caps));
                self.state.sizes_due();
            }
        }
        self.place_taps();
        self.fit_windows();
    }

    fn cover(&mut self, id: ClientId, feed: &NativeFeed) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        client.writer.pass_on(None);
        client.enter = feed.cover();
        let client = &self.state.clients[&id];
        if !has_only(&self.state, client, feed)
            && client.front.is_none()
            && client.message.is_none()
        {
            let text = "the terminal's own scrolling is off while there is more than one pane";
            self.show_plain_message(id, text);
        }
    }
}

/// The one pane a session has; more cannot be shown natively.
///
/// # Errors
/// One sentence, when it has more.
pub(crate) fn only_pane(model: &Model, id: SessionId) -> Result<PaneId, String> {
    let session = model.sessions.get(&id);
    let session = session.ok_or_else(|| format!("can't find session: {id}"))?;
    let mut panes = session
        .links
        .values()
        .flat_map(|link| model.panes_of(link.window));
    match (panes.next(), panes.next()) {
        (Some(pane), None) => Ok(pane.id),
        _ => Err(format!(
            "session {} has more than one pane, and --native can only show one; attach without it",
            session.name
        )),
    }
}

/// Shows a pane natively when the client is attached, or nothing.
pub(crate) fn show_natively(model: &mut Model, id: ClientId, pane: Option<PaneId>) {
    let pane = pane.and_then(|pane| model.panes.get(&pane));
    let screen = pane.map(|pane| pane.screen.clone());
    if let Some(client) = model.clients.get_mut(&id) {
        client.native = screen.map(|screen| NativeFeed::new(screen, client.caps));
    }
}

/// A client that scrolls natively has its terminal ready.
pub(super) fn begin_natively(model: &mut Model, id: ClientId) {
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
        || client.front.is_some()
        || client.overlay.is_some()
        || client.message.is_some()
}

/// Whether a client's session has one pane, and it is the one of this feed.
fn has_only(model: &Model, client: &Client, feed: &NativeFeed) -> bool {
    let only = client.session.map(|session| only_pane(model, session));
    only == Some(Ok(feed.pane()))
}

/// Whether a client has no status line since what it shows is the terminal's own. Copy mode and prompts do not give it one:
/// the pane would be resized for them, and its program draw everything again.
pub(super) fn has_terminal_to_itself(model: &Model, client: &Client) -> bool {
    let feed = client.native.as_deref();
    feed.is_some_and(|feed| has_only(model, client, feed))
}

/// The clients that are painted for without need, or not painted for though there is need.
fn native_clients_due(model: &Model) -> Vec<(ClientId, Arc<NativeFeed>)> {
    let clients = model.clients.values();
    let clients = clients.filter(|client| client.session.is_some() && !client.awaits_ready);
    let due = clients.filter_map(|client| {
        let feed = client.native.clone()?;
        let needs_painting = needs_painting(model, client, &feed);
        (feed.is_covered() != needs_painting).then_some((client.id, feed))
    });
    due.collect()
}

/// Lets clients that show a pane natively remember what they have of it, before it gets another size.
pub(super) fn before_resize_natively(model: &Model, id: PaneId) {
    let feeds = model.clients.values().filter_map(|it| it.native.as_ref());
    for feed in feeds.filter(|feed| feed.pane() == id) {
        feed.before_resize();
    }
}

fn uncover(model: &mut Model, id: ClientId, feed: &Arc<NativeFeed>) {
    feed.uncover();
    if let Some(client) = model.clients.get_mut(&id) {
        client.enter.clear();
        client.writer.pass_on(Some(feed.clone()));
    }
}

/// What prepares a client's terminal, and what gives it back.
pub(super) fn terminal_bytes(client: &Client) -> (Vec<u8>, Vec<u8>) {
    let (mut enter, mut leave) = (Vec::new(), Vec::new());
    if client.native.is_some() {
        render::enter_natively(&client.caps, &mut enter);
        render::leave_natively(&client.caps, &mut leave);
    } else {
        render::enter(&client.caps, &mut enter);
        render::leave(&client.caps, &mut leave);
    }
    // Its answers come when they come, or never: what is known by its name serves until then.
    render::query(&client.caps, &mut enter);
    (enter, leave)
}
