//! Which client shows what, and how large that makes a session.

use std::sync::Arc;

use shellkeep_core::{ClientId, SessionId, Size};
use shellkeep_proto::{FromServer, Leave};

use super::Server;
use crate::keyboard::Keyboard;
use crate::outbox::View;
use crate::terminal::{self, TerminalReader};

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
        let (is_direct, is_read_only) = (client.shares_terminal(), client.is_read_only);
        client.awaits_ready = is_direct;
        client.outbox.say(FromServer::Attached {
            session: session_id,
            name,
            enter,
            leave,
            is_direct,
            is_read_only,
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
        client.let_go();
        client.outbox.say(FromServer::Leave(leave));
        self.refresh(session);
    }

    /// A client's terminal is raw and prepared: takes it, or lets the client pass the bytes.
    pub(super) fn client_ready(&mut self, id: ClientId) {
        let (events, escape_time) = (self.events.clone(), self.escape_time.subscribe());
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let Some(session) = client.session else {
            return;
        };
        client.awaits_ready = false;
        if client.shares_terminal() {
            match terminal::open(client.pid) {
                Ok(terminal) => {
                    let keyboard = Keyboard::new(id, events, escape_time);
                    client.reader = Some(TerminalReader::start(terminal.clone(), keyboard));
                    client.outbox.paint_on(Some(terminal));
                }
                Err(error) => {
                    tracing::info!(client = %id, %error, "its terminal is not ours to open; it passes the bytes");
                    client.outbox.paint_on(None);
                    client.outbox.say(FromServer::Relay);
                }
            }
        } else {
            client.outbox.repaint();
        }
        self.refresh(session);
    }

    /// Lets a client stop itself; its terminal is left alone until it is ready again.
    pub(crate) fn suspend(&mut self, id: ClientId) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        client.let_go();
        client.awaits_ready = true;
        client.outbox.say(FromServer::Suspend);
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
        let clients: Vec<_> = self
            .state
            .clients_of(id)
            .filter(|client| !client.awaits_ready)
            .collect();
        screen.set_watchers(
            clients
                .iter()
                .map(|client| client.outbox.watcher())
                .collect(),
        );
        for client in clients {
            client.outbox.show(Some(View {
                size: client.size,
                caps: client.caps,
                screen: Arc::clone(&screen),
            }));
        }
    }
}
