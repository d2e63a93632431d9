//! `lock-session`: locks the clients of a session.

use shellkeep_command::cmd::lock_session::Args;

use crate::clients::lock;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let session = targets::session(&server.model, caller, args.target.as_deref())?;
    let clients = server.model.clients_of(session).map(|client| client.id);
    for client in clients.collect::<Vec<_>>() {
        lock::lock(&mut server.model, client);
    }
    Ok(Reply::default())
}
