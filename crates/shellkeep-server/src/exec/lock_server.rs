//! Locks every client.

use shellkeep_command::cmd::lock_server::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Server, lock};

pub(super) fn run(server: &mut Server, Args {}: &Args) -> Outcome {
    let clients: Vec<_> = server.state.clients.keys().copied().collect();
    for client in clients {
        lock::lock(&mut server.state, client);
    }
    Ok(Reply::default())
}
