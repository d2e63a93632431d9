//! Locking: a client leaves its terminal to a command that asks for a password, and comes back when that has ended.

use shellkeep_core::ClientId;
use shellkeep_proto::FromServer;

use super::Server;

impl Server {
    /// Locks a client that shows a session, unless it is locked or stopped, or there is nothing to lock it with.
    pub(crate) fn lock(&mut self, id: ClientId) {
        let Some(client) = self.state.clients.get(&id) else {
            return;
        };
        if client.session.is_none() || client.is_control || client.awaits_ready {
            return;
        }
        let options = self.state.session_options(client.session);
        let command = options.text("lock-command").to_owned();
        if command.is_empty() {
            return;
        }
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.let_go();
            client.awaits_ready = true;
            client.outbox.say(FromServer::Lock(command));
        }
    }
}
