//! Locking: a client runs a command on its terminal that asks for a password, and continues when that ends.

use std::time::Duration;

use shellkeep_core::{ClientId, SessionId};
use shellkeep_proto::FromServer;
use tokio::time::Instant;

use crate::alarm::Alarm;
use crate::model::Model;
use crate::model::idleness::Idleness;

/// A session was used: its idle time starts anew.
pub(crate) fn restart_idleness(model: &mut Model, id: SessionId) {
    let session = model.sessions.get_mut(&id);
    if let Some(idle) = session.and_then(|session| session.idleness.as_mut()) {
        idle.since = Instant::now();
        return;
    }
    if let Some(after) = lock_after(model, id) {
        check_idleness(model, id, Instant::now(), after);
    }
}

fn check_idleness(model: &mut Model, id: SessionId, since: Instant, after: Duration) {
    let idle = Idleness {
        since,
        _timer: model.set_alarm(Alarm::Lock(id), after),
    };
    if let Some(session) = model.sessions.get_mut(&id) {
        session.idleness = Some(idle);
    }
}

/// A session may have been idle for long enough to be locked.
pub(crate) fn lock_due(model: &mut Model, id: SessionId) {
    let session = model.sessions.get_mut(&id);
    let idle = session.and_then(|session| session.idleness.take());
    let (Some(idle), Some(after)) = (idle, lock_after(model, id)) else {
        return;
    };
    let clients: Vec<ClientId> = model.clients_of(id).map(|client| client.id).collect();
    let rest = after.saturating_sub(idle.since.elapsed());
    if !rest.is_zero() && !clients.is_empty() {
        return check_idleness(model, id, idle.since, rest);
    }
    for client in clients {
        lock(model, client);
    }
}

pub(crate) fn lock_time_changed(model: &mut Model) {
    for session in model.sessions.values_mut() {
        session.idleness = None;
    }
    let shown = model.clients.values().filter_map(|client| client.session);
    for session in shown.collect::<Vec<_>>() {
        restart_idleness(model, session);
    }
}

fn lock_after(model: &Model, id: SessionId) -> Option<Duration> {
    let options = model.session_options(Some(id));
    let seconds = options.number("lock-after-time").unsigned_abs();
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// Locks an attached client, unless it is locked or stopped already, or `lock-command` is empty.
pub(crate) fn lock(model: &mut Model, id: ClientId) {
    let Some(client) = model.clients.get(&id) else {
        return;
    };
    if client.session.is_none() || client.is_control || client.terminal.awaits_ready {
        return;
    }
    let options = model.session_options(client.session);
    let command = options.text("lock-command").to_owned();
    if command.is_empty() {
        return;
    }
    if let Some(client) = model.clients.get_mut(&id) {
        client.let_go();
        client.terminal.awaits_ready = true;
        client.writer.send(FromServer::Lock(command));
    }
}
