//! `lock-server`: locks all clients.

use shellkeep_command::cmd::lock_server::Args;

use crate::clients::lock;
use crate::commands::reply::{Outcome, Reply};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, Args {}: &Args) -> Outcome {
    let clients: Vec<_> = server.model.clients.keys().copied().collect();
    for client in clients {
        lock::lock(&mut server.model, client);
    }
    Ok(Reply::default())
}
