//! Paints a terminal anew, or changes what a client hears and how large it is.

use shellkeep_command::cmd::refresh_client::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = super::client(server, caller, args.target.as_deref())?;
    if let Some(flags) = &args.client_flags {
        server.set_client_flags(id, flags)?;
    }
    let is_control = server
        .state
        .clients
        .get(&id)
        .is_some_and(|client| client.control.is_some());
    let concerns_control =
        args.size.is_some() || !args.subscriptions.is_empty() || !args.pane_states.is_empty();
    if concerns_control && !is_control {
        return Err("not a control client".to_owned());
    }
    if let Some(size) = &args.size {
        server.set_control_size(id, size)?;
    }
    for subscription in &args.subscriptions {
        server.subscribe(id, subscription);
    }
    for state in &args.pane_states {
        server.set_pane_flow(id, state);
    }
    if is_control || concerns_control {
        return Ok(Reply::default());
    }
    if let Some(client) = server.state.clients.get(&id) {
        client.outbox.repaint();
    }
    Ok(Reply::default())
}
