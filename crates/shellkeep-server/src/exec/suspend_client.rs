//! Stops a client as C-z stops a program.

use shellkeep_command::cmd::suspend_client::Args;
use shellkeep_core::ClientId;
use shellkeep_proto::FromServer;

use super::{Outcome, Reply};
use crate::event_loop::Server;

pub(super) fn run(server: &Server, caller: ClientId, args: &Args) -> Outcome {
    let client = super::client(server, caller, args.target.as_deref())?;
    if let Some(client) = server.state.clients.get(&client) {
        client.outbox.say(FromServer::Suspend);
    }
    Ok(Reply::default())
}
