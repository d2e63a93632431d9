//! Paints a terminal anew.

use shellkeep_command::cmd::refresh_client::Args;
use shellkeep_core::ClientId;

use super::{Outcome, Reply};
use crate::event_loop::Server;

pub(super) fn run(server: &Server, caller: ClientId, args: &Args) -> Outcome {
    let client = super::client(server, caller, args.target.as_deref())?;
    if let Some(client) = server.state.clients.get(&client) {
        client.outbox.repaint();
    }
    Ok(Reply::default())
}
