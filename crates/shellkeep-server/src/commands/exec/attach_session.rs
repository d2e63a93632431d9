//! `attach-session`: shows a session on the caller's terminal.

use shellkeep_command::Target;
use shellkeep_command::cmd::attach_session::Args;
use shellkeep_core::{ClientId, SessionId};
use shellkeep_proto::{Leave, LeaveKind};

use crate::clients::only_pane::only_pane;
use crate::clients::{control_settings, native};
use crate::commands::exec::describe_terminal::describe_terminal;
use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::commands::terminal_check::check_terminal;
use crate::panes::{manage, sessions, show, usual_shell, windows};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref().or(args.name.as_deref());
    if server.model.sessions.is_empty() {
        return crate::commands::exec::lookup::not_found(
            server,
            caller,
            target,
            "no sessions".to_owned(),
        );
    }
    let names_more = |target: &str| target.contains([':', '.', '%']);
    let kind = match target {
        Some(target) if names_more(target) => Target::Pane,
        _ => Target::Session,
    };
    let found = match targets::find(&server.model, caller, target, kind) {
        Ok(found) => found,
        Err(error) => {
            return crate::commands::exec::lookup::not_found(server, caller, target, error);
        }
    };
    let session = found.session;
    let Some(id) = caller.client else {
        return Ok(Reply::default());
    };
    let is_attached =
        targets::typist(&server.model, caller).is_some_and(|client| client.session.is_some());
    if !is_attached {
        check_terminal(&server.model, caller)?;
        let again = {
            let (caller, args) = (caller.clone(), args.clone());
            move |server: &mut Server| run(server, &caller, &args)
        };
        if let Some(wait) = describe_terminal(server, id, again) {
            return Ok(wait);
        }
        let only = match args.native {
            true => Some(only_pane(&server.model, session)?),
            false => None,
        };
        native::show_natively(&mut server.model, id, only);
    } else if args.native {
        return Err("this client is attached already; detach, then attach --native".to_owned());
    }
    if let Some(flags) = &args.client_flags {
        control_settings::set_client_flags(&mut server.model, id, flags)?;
    }
    if args.read_only {
        control_settings::set_client_flags(&mut server.model, id, "read-only,ignore-size")?;
    }
    if kind == Target::Pane {
        manage::select_pane(&mut server.model, found.pane);
        windows::select_window(&mut server.model, session, found.index);
    }
    if let Some(directory) = &args.directory {
        let directory = placing::expand(server, caller, found, directory);
        if let Some(session) = server.model.sessions.get_mut(&session) {
            session.cwd = directory.into_bytes();
        }
        server.model.session_note_due(session);
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
        sessions::update_environment(&mut server.model, session, id);
    }
    sessions::show_session(&mut server.model, id, session);
    Ok(Reply::default())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner<'a> {
    Plain,
    /// Its parent process is sent SIGHUP, too.
    HangUp,
    /// It executes this command.
    Exec(&'a str),
}

pub(crate) fn clients_of(server: &Server, session: SessionId) -> Vec<ClientId> {
    let clients = server.model.clients_of(session);
    clients.map(|client| client.id).collect()
}

/// Detaches the clients of a session, except one.
pub(crate) fn detach_all(
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

pub(crate) fn detach(server: &mut Server, client: ClientId, manner: Manner<'_>) {
    let session = server
        .model
        .clients
        .get(&client)
        .and_then(|client| client.session);
    let Some(session) = session.and_then(|id| server.model.sessions.get(&id)) else {
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
            let shell = usual_shell::shell(&server.model, session.id);
            Leave {
                kind: LeaveKind::Exec,
                text: format!("{}\0{command}", String::from_utf8_lossy(&shell)),
            }
        }
    };
    show::release(&mut server.model, client, leave);
}
