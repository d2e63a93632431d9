//! Which client shows what, and how large that makes a session.

use std::sync::Arc;

use shellkeep_core::{ClientId, SessionId, Size};
use shellkeep_proto::{FromServer, Leave};

use super::Server;
use crate::outbox::View;

impl Server {
    /// Shows a session on a client's terminal.
    pub(crate) fn attach(&mut self, id: ClientId, session_id: SessionId) {
        let now = self.now();
        let Some(session) = self.state.sessions.get_mut(&session_id) else {
            return;
        };
        session.activity = now;
        let name = session.name.clone();
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let previous = client.session.replace(session_id);
        let (mut enter, mut leave) = (Vec::new(), Vec::new());
        shellkeep_render::enter(&client.caps, &mut enter);
        shellkeep_render::leave(&client.caps, &mut leave);
        client.outbox.say(FromServer::Attached {
            session: session_id,
            name,
            enter,
            leave,
        });
        tracing::info!(client = %id, session = %session_id, "attached");
        if let Some(previous) = previous.filter(|previous| *previous != session_id) {
            self.refresh(previous);
        }
        self.refresh(session_id);
        self.remember_session(session_id);
    }

    /// Gives a client's terminal back.
    pub(crate) fn release(&mut self, id: ClientId, leave: Leave) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let Some(session) = client.session.take() else {
            return;
        };
        client.outbox.show(None);
        client.outbox.say(FromServer::Leave(leave));
        self.refresh(session);
    }

    pub(super) fn client_gone(&mut self, id: ClientId) {
        let Some(client) = self.state.clients.remove(&id) else {
            return;
        };
        if let Some(session) = client.session {
            tracing::info!(client = %id, %session, "client gone");
            self.refresh(session);
        }
    }

    pub(super) fn client_resized(&mut self, id: ClientId, size: Size) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        client.size = size;
        if let Some(session) = client.session {
            self.refresh(session);
        }
    }

    /// Fits a session to the terminals that show it, and tells each of them what to show.
    pub(crate) fn refresh(&mut self, id: SessionId) {
        let Some(session) = self.state.sessions.get(&id) else {
            return;
        };
        let wanted = self.state.wanted_size(id);
        let Some(pane) = self.state.panes.get_mut(&session.pane) else {
            return;
        };
        if let Some(size) = wanted {
            pane.resize(size);
        }
        let screen = pane.screen.clone();
        let clients: Vec<_> = self.state.clients_of(id).collect();
        screen.set_viewers(clients.iter().map(|client| client.outbox.dirty()).collect());
        for client in clients {
            client.outbox.show(Some(View {
                size: client.size,
                caps: client.caps,
                screen: Arc::clone(&screen),
            }));
        }
    }
}
