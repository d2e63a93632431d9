//! Sessions come and go, and clients with them.

use shellkeep_core::{ClientId, SessionId};
use shellkeep_keeper::HostRequest;
use shellkeep_proto::{Leave, LeaveKind};

use super::{Ending, Server, beside, show, windows};
use crate::memory;
use crate::notice::Notice;
use crate::state::{Model, Session};

impl Server {
    pub(crate) fn add_session(&mut self, session: Session) {
        let id = session.id;
        self.insert_session(session);
        self.state.tell(Notice::SessionCreated(id));
    }

    /// A session is there that was not: everybody hears of it.
    pub(super) fn session_opened(&mut self, id: SessionId) {
        log_opened(&self.state, id);
        self.state.tell(Notice::SessionCreated(id));
        self.state.session_note_due(id);
        self.state.server_note_due();
        self.sleepers_due();
    }

    /// The same, of which others are told when the session has its windows.
    pub(crate) fn insert_session(&mut self, mut session: Session) {
        self.keep_session(&mut session);
        let id = session.id;
        self.state.sessions.insert(id, session);
        log_opened(&self.state, id);
        self.state.session_note_due(id);
        self.state.server_note_due();
        self.sleepers_due();
    }

    /// Ends a session, and the windows that are in no other.
    pub(crate) fn close_session(&mut self, id: SessionId) {
        if !self.state.sessions.contains_key(&id) {
            return;
        }
        let refuge = refuge(&self.state, id);
        let watching: Vec<ClientId> = self.state.clients_of(id).map(|client| client.id).collect();
        for client in watching {
            match refuge {
                Some(refuge) => self.show_session(client, refuge),
                None => self.release(
                    client,
                    Leave {
                        kind: LeaveKind::Exited,
                        text: "exited".to_owned(),
                    },
                ),
            }
        }
        // One that nobody shows any more may have ended just now.
        let Some(session) = self.state.sessions.remove(&id) else {
            return;
        };
        tracing::info!(session = %id, name = session.name_for_log(), "session closed");
        self.clients.lock_timers.remove(&id);
        beside::remove_agent(&self.state, id);
        self.state.tell(Notice::SessionClosed {
            id,
            name: session.name.clone(),
        });
        for link in session.links.values() {
            self.state.tell(Notice::WindowUnlinked {
                session: id,
                name: session.name.clone(),
                window: link.window,
            });
            if self.state.links_of(link.window).next().is_none() {
                self.drop_window(link.window);
            } else {
                // It may be kept with the session that ends.
                self.state.window_note_due(link.window);
            }
        }
        self.persistence.untold.remove(&id);
        // First, or the next server would find it in the store and nobody who says that it was closed.
        if let Some(kept) = session.standing.kept {
            let (key, value) = (memory::closed_key(kept), b"closed".to_vec());
            self.host.request(HostRequest::Remember { key, value });
            self.persistence.closed_sessions.push(kept);
        }
        self.forget_note(memory::session_key(id));
        if self.state.sessions.is_empty() && self.state.options.server().flag("exit-empty") {
            self.shutdown.ending.get_or_insert(Ending::Empty);
        }
    }

    /// Shows another session on the terminal of a client that shows one already.
    pub(crate) fn show_session(&mut self, id: ClientId, session: SessionId) {
        let shown = self
            .state
            .clients
            .get(&id)
            .and_then(|client| client.session);
        let Some(previous) = shown else {
            return self.attach(id, session);
        };
        if previous == session {
            return;
        }
        let now = self.state.now();
        let Some(new) = self.state.sessions.get_mut(&session) else {
            return;
        };
        new.last_attached = Some(now);
        self.state.use_session(session, now);
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.session = Some(session);
            client.last_session = Some(previous);
            client.key_table.clear();
        }
        show::say_attached(&self.state, id);
        self.used(id);
        if let Some(window) = self.state.current_window(session).map(|window| window.id) {
            windows::clear_alerts(&mut self.state, window);
        }
        self.state.tell(Notice::ClientSessionChanged(id));
        self.mind_idleness(session);
        session_changed(&mut self.state, previous);
        session_changed(&mut self.state, session);
        self.check_unattached(previous);
    }

    /// A client has left a session: by `destroy-unattached` it ends with the last one.
    pub(crate) fn check_unattached(&mut self, id: SessionId) {
        let options = self.state.session_options(Some(id));
        if options.flag("destroy-unattached") && self.state.clients_of(id).next().is_none() {
            self.close_session(id);
        }
    }
}

/// Takes over into a session's environment what `update-environment` names of a client's.
pub(crate) fn update_environment(model: &mut Model, id: SessionId, client: ClientId) {
    let Some(client) = model.clients.get(&client) else {
        return;
    };
    let options = model.session_options(Some(id));
    let names = options.texts("update-environment");
    let values: Vec<(String, Option<Vec<u8>>)> = names
        .map(|name| {
            let value = client.context.env(name);
            let value = value.map(|value| beside::passed_on(model, name, value));
            (name.to_owned(), value)
        })
        .collect();
    let Some(session) = model.sessions.get_mut(&id) else {
        return;
    };
    for (name, value) in values {
        match value {
            Some(value) => session.environ.set(name, value),
            None => session.environ.remove(name),
        }
    }
    beside::agent_changed(model, id);
    model.session_note_due(id);
}

fn log_opened(model: &Model, id: SessionId) {
    let name = model.sessions.get(&id).map(Session::name_for_log);
    tracing::info!(session = %id, name, "session opened");
}

/// A session's windows or the one it shows are others: sizes may change, and whoever looks sees it.
pub(crate) fn session_changed(model: &mut Model, id: SessionId) {
    model.session_note_due(id);
    model.sizes_due();
    model.redraw_session(id);
}

/// Where the clients of a session go when it ends, by `detach-on-destroy`.
fn refuge(model: &Model, id: SessionId) -> Option<SessionId> {
    let options = model.session_options(Some(id));
    let choice = options.text("detach-on-destroy");
    let others = model.sessions.values().filter(|other| {
        other.id != id
            && match choice {
                "off" => true,
                "no-detached" => model.clients_of(other.id).next().is_none(),
                _ => false,
            }
    });
    let latest = others.max_by_key(|other| other.recency());
    latest.map(|other| other.id)
}
