//! Opening and closing sessions, and which session a client shows.

use shellkeep_core::{ClientId, SessionId};
use shellkeep_keeper::HostRequest;
use shellkeep_proto::{Leave, LeaveKind};

use crate::action::Action;
use crate::clients::lock;
use crate::model::notice::Notice;
use crate::model::{Model, Session};
use crate::panes::{runtime_files, show, sizes, windows};
use crate::persistence::state::Persistence;
use crate::persistence::{keep_changes, keeper_notes, notes};
use crate::shutdown::ending::Ending;

pub(crate) fn add_session(model: &mut Model, persistence: &Persistence, session: Session) {
    let id = session.id;
    insert_session(model, persistence, session);
    model.notify(Notice::SessionCreated(id));
}

/// A session was opened: sends the notices.
pub(crate) fn session_opened(model: &mut Model, id: SessionId) {
    log_opened(model, id);
    model.notify(Notice::SessionCreated(id));
    model.session_note_due(id);
    model.server_note_due();
    model.act(Action::PolicyDue);
}

/// Adds a session. The caller sends the notices once the session has its windows.
pub(crate) fn insert_session(model: &mut Model, persistence: &Persistence, mut session: Session) {
    keep_changes::keep_session(persistence, &mut session);
    let id = session.id;
    model.sessions.insert(id, session);
    log_opened(model, id);
    model.session_note_due(id);
    model.server_note_due();
    model.act(Action::PolicyDue);
}

/// Closes a session, and the windows that are linked to no other.
pub(crate) fn close_session(model: &mut Model, id: SessionId) {
    if !model.sessions.contains_key(&id) {
        return;
    }
    let refuge = refuge(model, id);
    let watching: Vec<ClientId> = model.clients_of(id).map(|client| client.id).collect();
    for client in watching {
        match refuge {
            Some(refuge) => show_session(model, client, refuge),
            None => show::release(
                model,
                client,
                Leave {
                    kind: LeaveKind::Exited,
                    text: "exited".to_owned(),
                },
            ),
        }
    }
    // A session that has lost its last client may have been closed just now.
    let Some(session) = model.sessions.remove(&id) else {
        return;
    };
    tracing::info!(session = %id, name = session.name_for_log(), "session closed");
    runtime_files::remove_agent(model, id);
    model.notify(Notice::SessionClosed {
        id,
        name: session.name.clone(),
    });
    for link in session.links.values() {
        model.notify(Notice::WindowUnlinked {
            session: id,
            name: session.name.clone(),
            window: link.window,
        });
        if model.links_of(link.window).next().is_none() {
            windows::drop_window(model, link.window);
        } else {
            // The window's other sessions may have to note it now.
            model.window_note_due(link.window);
        }
    }
    // This note goes first: without it, the next server would find the session in the store and take it for open.
    if let Some(kept) = session.standing.kept {
        let (key, value) = (notes::closed_key(kept), b"closed".to_vec());
        model
            .outside
            .keeper
            .request(HostRequest::Remember { key, value });
        model.changes.stored.closed_sessions.push(kept);
    }
    keeper_notes::forget_note(model, notes::session_key(id));
    if model.sessions.is_empty() && model.options.server().flag("exit-empty") {
        model.act(Action::End(Ending::Empty));
    }
}

/// Switches an attached client to another session.
pub(crate) fn show_session(model: &mut Model, id: ClientId, session: SessionId) {
    let shown = model.clients.get(&id).and_then(|client| client.session);
    let Some(previous) = shown else {
        return show::attach(model, id, session);
    };
    if previous == session {
        return;
    }
    let now = model.now();
    let Some(new) = model.sessions.get_mut(&session) else {
        return;
    };
    new.last_attached = Some(now);
    model.use_session(session, now);
    if let Some(client) = model.clients.get_mut(&id) {
        client.session = Some(session);
        client.last_session = Some(previous);
        client.input.key_table.clear();
    }
    show::send_attached(model, id);
    sizes::used(model, id);
    if let Some(window) = model.current_window(session).map(|window| window.id) {
        windows::clear_alerts(model, window);
    }
    model.notify(Notice::ClientSessionChanged(id));
    lock::restart_idleness(model, session);
    model.session_changed(previous);
    model.session_changed(session);
    check_unattached(model, previous);
}

/// A client has left a session. With `destroy-unattached` the session is closed when the last one has left.
pub(crate) fn check_unattached(model: &mut Model, id: SessionId) {
    let options = model.session_options(Some(id));
    if options.flag("destroy-unattached") && model.clients_of(id).next().is_none() {
        close_session(model, id);
    }
}

/// Copies the variables that `update-environment` names from a client's environment into a session's.
pub(crate) fn update_environment(model: &mut Model, id: SessionId, client: ClientId) {
    let Some(client) = model.clients.get(&client) else {
        return;
    };
    let options = model.session_options(Some(id));
    let names = options.texts("update-environment");
    let values: Vec<(String, Option<Vec<u8>>)> = names
        .map(|name| {
            let value = client.context.env(name);
            let value = value.map(|value| runtime_files::passed_on(model, name, value));
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
    runtime_files::agent_changed(model, id);
    model.session_note_due(id);
}

fn log_opened(model: &Model, id: SessionId) {
    let name = model.sessions.get(&id).map(Session::name_for_log);
    tracing::info!(session = %id, name, "session opened");
}

/// The session that clients of a closing session are switched to, as `detach-on-destroy` says.
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
