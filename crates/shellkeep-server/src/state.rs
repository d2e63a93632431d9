//! The model: sessions, panes, clients, options. Owned by the event loop and changed by nobody else.

mod client;
mod environ;
mod options;
mod pane;
mod session;

use std::collections::BTreeMap;

use shellkeep_core::{ClientId, PaneId, SessionId, Size};

pub(crate) use client::Client;
pub(crate) use environ::Environ;
pub(crate) use options::{GlobalOptions, Options, refusal};
pub(crate) use pane::Pane;
pub(crate) use session::{Session, clean_name};

/// Seconds since 1970.
pub(crate) type Seconds = i64;

/// All of it.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) sessions: BTreeMap<SessionId, Session>,
    pub(crate) panes: BTreeMap<PaneId, Pane>,
    pub(crate) clients: BTreeMap<ClientId, Client>,
    pub(crate) options: GlobalOptions,
    /// What every session's environment begins with: that of the client which started the server.
    pub(crate) environ: Environ,
    pub(crate) next_session: u32,
    pub(crate) next_pane: u32,
}

impl State {
    /// A session's name is taken.
    pub(crate) fn has_session_named(&self, name: &str) -> bool {
        self.sessions.values().any(|session| session.name == name)
    }

    /// The session used last.
    pub(crate) fn latest_session(&self) -> Option<SessionId> {
        self.sessions
            .values()
            .max_by_key(|session| (session.activity, session.id))
            .map(|s| s.id)
    }

    /// The session a pane is in.
    pub(crate) fn session_of(&self, pane: PaneId) -> Option<SessionId> {
        self.sessions
            .values()
            .find(|session| session.pane == pane)
            .map(|session| session.id)
    }

    /// Who shows a session.
    pub(crate) fn clients_of(&self, session: SessionId) -> impl Iterator<Item = &Client> {
        self.clients
            .values()
            .filter(move |client| client.session == Some(session))
    }

    /// The size a session should have: what fits every terminal that shows it, or what it had.
    pub(crate) fn wanted_size(&self, session: SessionId) -> Option<Size> {
        self.clients_of(session)
            .map(|client| client.size)
            .reduce(Size::smallest)
    }
}
