//! Shows a session on the caller's terminal.

use shellkeep_command::Target;
use shellkeep_command::cmd::attach_session::Args;
use shellkeep_core::{ClientId, SessionId};
use shellkeep_proto::{Leave, LeaveKind};

use super::{Outcome, Reply, placing};
use crate::event_loop::{Server, control_settings, native, sessions, spawn, windows};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref().or(args.name.as_deref());
    if server.state.sessions.is_empty() {
        return super::not_found(server, caller, target, "no sessions".to_owned());
    }
    let names_more = |target: &str| target.contains([':', '.', '%']);
    let kind = match target {
        Some(target) if names_more(target) => Target::Pane,
        _ => Target::Session,
    };
    let found = match super::find(server, caller, target, kind) {
        Ok(found) => found,
        Err(error) => return super::not_found(server, caller, target, error),
    };
    let session = found.session;
    let Some(id) = caller.client else {
        return Ok(Reply::default());
    };
    let is_attached = super::typist(server, caller).is_some_and(|client| client.session.is_some());
    if !is_attached {
        check_terminal(server, caller)?;
        let again = {
            let (caller, args) = (caller.clone(), args.clone());
            move |server: &mut Server| run(server, &caller, &args)
        };
        if let Some(wait) = server.describe_terminal(id, again) {
            return Ok(wait);
        }
        let only = match args.native {
            true => Some(native::only_pane(&server.state, session)?),
            false => None,
        };
        native::show_natively(&mut server.state, id, only);
    } else if args.native {
        return Err("this client is attached already; detach, then attach --native".to_owned());
    }
    if let Some(flags) = &args.client_flags {
        control_settings::set_client_flags(&mut server.state, id, flags)?;
    }
    if args.read_only {
        control_settings::set_client_flags(&mut server.state, id, "read-only,ignore-size")?;
    }
    if kind == Target::Pane {
        server.select_pane(found.pane);
        windows::select_window(&mut server.state, session, found.index);
    }
    if let Some(directory) = &args.directory {
        let directory = placing::expand(server, caller, found, directory);
        if let Some(session) = server.state.sessions.get_mut(&session) {
            session.cwd = directory.into_bytes();
        }
        server.state.session_note_due(session);
    }
    if args.detach_others || args.hang_up_others {
        let manner = if args.hang_up_others {
            Manner::HangUp
        } else {
            Manner::Plain
        };
        detach_all(server, session, Some(id), manner);
    }
    if !args.keep_environment {
        sessions::update_environment(&mut server.state, session, id);
    }
    server.show_session(id, session);
    Ok(Reply::default())
}

/// Refuses what could only go wrong: no terminal, one that cannot be painted, or one of our own.
pub(crate) fn check_terminal(server: &Server, caller: &Caller) -> Result<(), String> {
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
    let variable = match client.is_tmux {
        true => "TMUX",
        false => "SHELLKEEP",
    };
    let place = client.context.env(variable).unwrap_or_default();
    if !place.is_empty() && server.state.panes.values().any(|pane| pane.tty == tty) {
        return Err(format!(
            "sessions should be nested with care, unset ${variable} to force"
        ));
    }
    Ok(())
}

/// How a client is sent away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner<'a> {
    Plain,
    /// Its parent is hung up, too.
    HangUp,
    /// It becomes this command.
    Exec(&'a str),
}

/// The clients that show a session.
pub(super) fn clients_of(server: &Server, session: SessionId) -> Vec<ClientId> {
    let clients = server.state.clients_of(session);
    clients.map(|client| client.id).collect()
}

/// Detaches the clients of a session, but for one.
pub(super) fn detach_all(
    server: &mut Server,
    session: SessionId,
    spared: Option<ClientId>,
    manner: Manner<'_>,
) {
    for client in clients_of(server, session) {
        if Some(client) != spared {
            detach(server, client, manner);
        }
    }
}

/// Detaches a client.
pub(super) fn detach(server: &mut Server, client: ClientId, manner: Manner<'_>) {
    let session = server
        .state
        .clients
        .get(&client)
        .and_then(|client| client.session);
    let Some(session) = session.and_then(|id| server.state.sessions.get(&id)) else {
        return;
    };
    let name = &session.name;
    let leave = match manner {
        Manner::Plain => Leave {
            kind: LeaveKind::Detached,
            text: format!("detached (from session {name})"),
        },
        Manner::HangUp => Leave {
            kind: LeaveKind::HangUp,
            text: format!("detached and SIGHUP (from session {name})"),
        },
        Manner::Exec(command) => {
            let shell = spawn::shell(&server.state, session.id);
            Leave {
                kind: LeaveKind::Exec,
                text: format!("{}\0{command}", String::from_utf8_lossy(&shell)),
            }
        }
    };
    server.release(client, leave);
}
