//! Shows a session on the caller's terminal.

use shellkeep_command::cmd::attach_session::Args;
use shellkeep_core::{ClientId, SessionId};
use shellkeep_proto::{Leave, LeaveKind};

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref().or(args.name.as_deref());
    if server.state.sessions.is_empty() {
        return Err("no sessions".to_owned());
    }
    let session = super::session(server, caller, target)?;
    check_terminal(server, caller)?;
    if args.detach_others {
        detach_all(server, session, caller.client);
    }
    if let Some(id) = caller.client {
        if let Some(client) = server.state.clients.get_mut(&id) {
            client.is_read_only = args.read_only;
        }
        if let Some(flags) = &args.client_flags {
            server.set_client_flags(id, flags)?;
        }
        server.attach(id, session);
    }
    Ok(Reply::default())
}

/// Refuses what could only go wrong: no terminal, one that cannot be painted, or one of our own.
pub(super) fn check_terminal(server: &Server, caller: &Caller) -> Result<(), String> {
    let Some(client) = super::typist(server, caller) else {
        return Err("no current client".to_owned());
    };
    if client.control.is_some() {
        return Ok(());
    }
    let Some(tty) = client.tty() else {
        return Err("open terminal failed: not a terminal".to_owned());
    };
    if !client.caps.is_usable() {
        let term = client.context.env("TERM").unwrap_or_default();
        return Err(format!(
            "open terminal failed: a terminal of type '{term}' cannot be painted on; set TERM to what it is, e.g. xterm-256color"
        ));
    }
    let is_nested = client
        .context
        .env("SHELLKEEP")
        .is_some_and(|value| !value.is_empty())
        && server.state.panes.values().any(|pane| pane.tty == tty);
    if is_nested {
        return Err("sessions should be nested with care, unset $SHELLKEEP to force".to_owned());
    }
    Ok(())
}

/// Detaches the clients of a session, but for one.
pub(super) fn detach_all(server: &mut Server, session: SessionId, spared: Option<ClientId>) {
    let clients: Vec<ClientId> = server
        .state
        .clients_of(session)
        .map(|client| client.id)
        .collect();
    for client in clients {
        if Some(client) != spared {
            detach(server, client);
        }
    }
}

/// Detaches a client.
pub(super) fn detach(server: &mut Server, client: ClientId) {
    let session = server
        .state
        .clients
        .get(&client)
        .and_then(|client| client.session);
    let Some(session) = session.and_then(|id| server.state.sessions.get(&id)) else {
        return;
    };
    let text = format!("detached (from session {})", session.name);
    server.release(
        client,
        Leave {
            kind: LeaveKind::Detached,
            text,
        },
    );
}
