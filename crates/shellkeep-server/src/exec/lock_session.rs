//! Locks the clients of a session.

use shellkeep_command::cmd::lock_session::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Server, lock};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let session = super::session(server, caller, args.target.as_deref())?;
    let clients = server.state.clients_of(session).map(|client| client.id);
    for client in clients.collect::<Vec<_>>() {
        lock::lock(&mut server.state, client);
    }
    Ok(Reply::default())
}
