//! Paints a terminal anew.

use shellkeep_command::cmd::refresh_client::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let client = super::client(server, caller, args.target.as_deref())?;
    if let Some(client) = server.state.clients.get(&client) {
        client.outbox.repaint();
    }
    Ok(Reply::default())
}
