//! Clients that scroll natively (`attach --native`): the terminal's own scrollback, search and selection work on the pane's
//! output, since that is all it gets.

use shellkeep_core::{ClientId, PaneId, SessionId};
use shellkeep_render as render;

use super::Server;
use crate::native_feed::NativeFeed;
use crate::state::Client;

impl Server {
    /// The one pane a session has; more cannot be shown natively.
    ///
    /// # Errors
    /// One sentence, when it has more.
    pub(crate) fn only_pane(&self, id: SessionId) -> Result<PaneId, String> {
        let session = self.state.sessions.get(&id);
        let session = session.ok_or_else(|| format!("can't find session: {id}"))?;
        let mut panes = session
            .links
            .values()
            .flat_map(|link| self.state.panes_of(link.window));
        match (panes.next(), panes.next()) {
            (Some(pane), None) => Ok(pane.id),
            _ => Err(format!(
                "session {} has more than one pane, and --native can only show one; attach without it",
                session.name
            )),
        }
    }

    /// Shows a pane natively when the client is attached, or nothing.
    pub(crate) fn show_natively(&mut self, id: ClientId, pane: Option<PaneId>) {
        let pane = pane.and_then(|pane| self.state.panes.get(&pane));
        let screen = pane.map(|pane| pane.screen.clone());
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.native = screen.map(|screen| NativeFeed::new(screen, client.caps));
        }
    }

    /// A client that scrolls natively has its terminal ready.
    pub(super) fn begin_natively(&mut self, id: ClientId) {
        if let Some(client) = self.state.clients.get(&id)
            && let Some(feed) = &client.native
        {
            client.outbox.pass_on(Some(feed.clone()));
            feed.begin();
        }
    }

    /// Whether there is more to be shown to a client than what the one pane's program prints.
    fn needs_painting(&self, client: &Client, feed: &NativeFeed) -> bool {
        let only = client.session.map(|session| self.only_pane(session));
        let pane = self.state.panes.get(&feed.pane());
        only != Some(Ok(feed.pane()))
            || pane.is_some_and(|pane| pane.is_in_mode())
            || client.front.is_some()
            || client.overlay.is_some()
    }

    /// Where there is another pane than the one, copy mode or a prompt, the client is painted for from now on: what was scrolled
    /// away natively cannot be taken back.
    pub(super) fn check_native_clients(&mut self) {
        let crowded = self.state.clients.values().filter(|client| {
            let feed = client.native.as_deref();
            feed.is_some_and(|feed| self.needs_painting(client, feed))
        });
        let crowded: Vec<ClientId> = crowded.map(|client| client.id).collect();
        for id in crowded {
            let Some(client) = self.state.clients.get_mut(&id) else {
                continue;
            };
            if client.session.is_some() && client.front.is_none() {
                let text = "the terminal's own scrolling is off until the next attach --native";
                self.show_plain_message(id, text);
            }
            let Some(client) = self.state.clients.get_mut(&id) else {
                continue;
            };
            client.native = None;
            client.outbox.pass_on(None);
            if client.session.is_some() {
                let mut enter = Vec::new();
                render::enter(&client.caps, &mut enter);
                client.enter = enter;
                self.redraw_client(id);
                self.sizes_due();
            }
        }
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
