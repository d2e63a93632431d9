//! Opens a session.

use std::collections::BTreeMap;

use shellkeep_command::cmd::new_session::{Args, Extent};
use shellkeep_core::{SessionId, Size};
use shellkeep_proto::Context;

use super::{Outcome, Reply, attach_session};
use crate::event_loop::{NewProgram, Server};
use crate::queue::{Caller, Wait};
use crate::state::{Environ, Options, Session, clean_name};

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let name = match &args.name {
        Some(name) => Some(clean_name(name).ok_or_else(|| format!("invalid session: {name}"))?),
        None => None,
    };
    if let Some(name) = name
        .as_deref()
        .filter(|name| server.state.has_session_named(name))
    {
        if !args.attach_existing {
            return Err(format!("duplicate session: {name}"));
        }
        let target = Some(format!("={name}"));
        let args = shellkeep_command::cmd::attach_session::Args {
            target,
            ..Default::default()
        };
        return attach_session::run(server, caller, &args);
    }
    if !args.detached {
        attach_session::check_terminal(server, caller)?;
    }
    let (context, terminal_size) = match super::typist(server, caller) {
        Some(client) => (client.context.clone(), client.size),
        None => (Context::default(), Size::default()),
    };
    let id = SessionId(server.state.next_session);
    let environ = session_environ(server, &context);
    let size = if args.detached {
        let default = Size::default();
        Size::new(
            side(args.rows, default.rows(), terminal_size.rows()),
            side(args.cols, default.cols(), terminal_size.cols()),
        )
    } else {
        terminal_size
    };
    let program = NewProgram {
        command: &args.command,
        directory: args.directory.as_deref(),
        environment: &args.environment,
        size,
    };
    let spawn = server.spawn_request(caller, id, &environ, &program)?;
    server.state.next_session += 1;
    let (pane, cwd) = (spawn.pane, spawn.cwd.clone());
    let window = server.open_window(spawn);
    let name = name.unwrap_or_else(|| unused_name(server, id));
    let now = server.now();
    server.add_session(Session {
        id,
        name,
        created: now,
        activity: now,
        last_attached: None,
        cwd,
        links: BTreeMap::new(),
        current: 0,
        last: Vec::new(),
        environ,
        options: Options::default(),
        group: None,
    });
    server.link_window(id, 0, window);
    if !args.detached
        && let Some(client) = caller.client
    {
        if let Some(flags) = &args.client_flags {
            server.set_client_flags(client, flags)?;
        }
        server.attach(client, id);
    }
    Ok(Reply {
        wait: Some(Wait::Pane(pane)),
        ..Reply::default()
    })
}

/// A side of a session nobody looks at: as given, or as the caller's terminal has it.
fn side(given: Option<Extent>, default: u16, terminal: u16) -> u16 {
    match given {
        None => default,
        Some(Extent::Cells(cells)) => cells,
        Some(Extent::Terminal) => terminal,
    }
}

/// The session's number, as tmux names it, or the next number that is free.
fn unused_name(server: &Server, id: SessionId) -> String {
    let mut names = (id.0..).map(|number| number.to_string());
    names
        .find(|name| !server.state.has_session_named(name))
        .unwrap_or_default()
}

fn session_environ(server: &Server, context: &Context) -> Environ {
    let mut environ = Environ::default();
    let options = server.state.options.sessions();
    for name in options.texts("update-environment") {
        match context.env(name) {
            Some(value) => environ.set(name, value),
            None => environ.remove(name),
        }
    }
    environ
}
