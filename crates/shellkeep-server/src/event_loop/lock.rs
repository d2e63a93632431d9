//! Locking: a client leaves its terminal to a command that asks for a password, and comes back when that has ended.

use std::time::Duration;

use shellkeep_core::{ClientId, SessionId};
use shellkeep_proto::FromServer;
use tokio::time::Instant;

use super::Server;
use crate::alarm::{Alarm, Timer};
use crate::state::Model;

/// When something was typed last, and what looks at that again.
pub(super) struct Idle {
    since: Instant,
    _timer: Timer,
}

impl Server {
    /// Something was typed in a session, or somebody has come to it: from now on it is idle.
    pub(super) fn mind_idleness(&mut self, id: SessionId) {
        if let Some(idle) = self.clients.lock_timers.get_mut(&id) {
            idle.since = Instant::now();
            return;
        }
        if let Some(after) = lock_after(&self.state, id) {
            self.look_at_idleness(id, Instant::now(), after);
        }
    }

    fn look_at_idleness(&mut self, id: SessionId, since: Instant, after: Duration) {
        let idle = Idle {
            since,
            _timer: self.state.set_alarm(Alarm::Lock(id), after),
        };
        self.clients.lock_timers.insert(id, idle);
    }

    /// A session may have been idle for long enough to be locked.
    pub(super) fn lock_due(&mut self, id: SessionId) {
        let (Some(idle), Some(after)) = (
            self.clients.lock_timers.remove(&id),
            lock_after(&self.state, id),
        ) else {
            return;
        };
        let clients: Vec<ClientId> = self.state.clients_of(id).map(|client| client.id).collect();
        let rest = after.saturating_sub(idle.since.elapsed());
        if !rest.is_zero() && !clients.is_empty() {
            return self.look_at_idleness(id, idle.since, rest);
        }
        for client in clients {
            lock(&mut self.state, client);
        }
    }

    /// `lock-after-time` is another one.
    pub(super) fn lock_time_changed(&mut self) {
        self.clients.lock_timers.clear();
        let shown = self
            .state
            .clients
            .values()
            .filter_map(|client| client.session);
        for session in shown.collect::<Vec<_>>() {
            self.mind_idleness(session);
        }
    }
}

/// How long a session may be idle.
fn lock_after(model: &Model, id: SessionId) -> Option<Duration> {
    let options = model.session_options(Some(id));
    let seconds = options.number("lock-after-time").unsigned_abs();
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// Locks a client that shows a session, unless it is locked or stopped, or there is nothing to lock it with.
pub(crate) fn lock(model: &mut Model, id: ClientId) {
    let Some(client) = model.clients.get(&id) else {
        return;
    };
    if client.session.is_none() || client.is_control || client.awaits_ready {
        return;
    }
    let options = model.session_options(client.session);
    let command = options.text("lock-command").to_owned();
    if command.is_empty() {
        return;
    }
    if let Some(client) = model.clients.get_mut(&id) {
        client.let_go();
        client.awaits_ready = true;
        client.writer.say(FromServer::Lock(command));
    }
}
