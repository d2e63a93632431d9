//! Opens a session.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use nix::unistd::{AccessFlags, access};
use shellkeep_command::cmd::new_session::Args;
use shellkeep_core::{ClientId, PaneId, SessionId, Size};
use shellkeep_keeper::{Program, SpawnRequest};
use shellkeep_proto::Context;

use super::{Outcome, Reply, attach_session};
use crate::event_loop::Server;
use crate::state::{Environ, Session, clean_name};
use crate::terminfo;

pub(super) fn run(server: &mut Server, client: ClientId, args: &Args) -> Outcome {
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
        return attach_session::run(server, client, &args);
    }
    if !args.detached {
        attach_session::check_terminal(server, client)?;
    }
    let Some(caller) = server.state.clients.get(&client) else {
        return Err("no current client".to_owned());
    };
    let (context, terminal_size) = (caller.context.clone(), caller.size);

    let id = SessionId(server.state.next_session);
    server.state.next_session += 1;
    let name = name.unwrap_or_else(|| unused_name(server, id));
    let environ = session_environ(server, &context, args)?;
    let size = if args.detached {
        let default = Size::default();
        Size::new(
            args.rows.unwrap_or(default.rows()),
            args.cols.unwrap_or(default.cols()),
        )
    } else {
        terminal_size
    };
    let spawn = spawn_request(server, id, &context, &environ, size, args);
    let pane = server.open_pane(spawn);
    let now = server.now();
    let options = crate::state::Options::default();
    server.add_session(Session {
        id,
        name,
        created: now,
        activity: now,
        pane,
        environ,
        options,
    });
    if !args.detached {
        server.attach(client, id);
    }
    Ok(Reply {
        waits_for: Some(pane),
        ..Reply::default()
    })
}

/// The session's number, as tmux names it, or the next number that is free.
fn unused_name(server: &Server, id: SessionId) -> String {
    let mut names = (id.0..).map(|number| number.to_string());
    names
        .find(|name| !server.state.has_session_named(name))
        .unwrap_or_default()
}

fn session_environ(server: &Server, context: &Context, args: &Args) -> Result<Environ, String> {
    let mut environ = Environ::default();
    let options = server.state.options.sessions();
    for name in options.texts("update-environment") {
        match context.env(name) {
            Some(value) => environ.set(name, value),
            None => environ.remove(name),
        }
    }
    for entry in &args.environment {
        match entry.split_once('=') {
            Some((name, value)) if !name.is_empty() => environ.set(name, value),
            _ => return Err(format!("bad variable: {entry} (type -e NAME=VALUE)")),
        }
    }
    Ok(environ)
}

fn spawn_request(
    server: &Server,
    session: SessionId,
    context: &Context,
    environ: &Environ,
    size: Size,
    args: &Args,
) -> SpawnRequest {
    let pane = PaneId(server.state.next_pane);
    let shell = shell(server);
    let mut whole = server.state.environ.clone();
    // A pane is in no other multiplexer, whatever the server was started in.
    for name in ["TMUX", "TMUX_PANE", "STY", "COLUMNS", "LINES", "TERMCAP"] {
        whole.remove(name);
    }
    whole.overlay(environ);
    let terminal = server.state.options.server().text("default-terminal");
    let terminal = if terminal.is_empty() {
        terminfo::best(&whole)
    } else {
        terminal
    };
    whole.set("TERM", terminal);
    whole.set("TERM_PROGRAM", "shellkeep");
    whole.set("TERM_PROGRAM_VERSION", env!("CARGO_PKG_VERSION"));
    let socket = server.socket.display();
    whole.set(
        "SHELLKEEP",
        format!("{socket},{},{}", std::process::id(), session.0),
    );
    whole.set("SHELLKEEP_PANE", pane.to_string());
    whole.set("SHELL", &shell);
    SpawnRequest {
        pane,
        size,
        program: program(server, shell, args),
        cwd: directory(context, args),
        environ: whole.entries().collect(),
        umask: context.umask,
    }
}

fn program(server: &Server, shell: Vec<u8>, args: &Args) -> Program {
    let default = server.state.options.sessions().text("default-command");
    match &args.command[..] {
        [] if default.is_empty() => Program::LoginShell(shell),
        [] => Program::Argv(vec![shell, b"-c".to_vec(), default.as_bytes().to_vec()]),
        [line] => Program::Argv(vec![shell, b"-c".to_vec(), line.as_bytes().to_vec()]),
        argv => Program::Argv(argv.iter().map(|word| word.as_bytes().to_vec()).collect()),
    }
}

/// The shell: as set, or `$SHELL`, or the one in the password file, or `/bin/sh`.
fn shell(server: &Server) -> Vec<u8> {
    let set = server
        .state
        .options
        .sessions()
        .text("default-shell")
        .as_bytes();
    let from_environ = server.state.environ.get("SHELL").unwrap_or_default();
    let is_shell = |path: &[u8]| {
        let path = Path::new(OsStr::from_bytes(path));
        path.is_absolute() && path.is_file() && access(path, AccessFlags::X_OK).is_ok()
    };
    if let Some(shell) = [set, from_environ].into_iter().find(|path| is_shell(path)) {
        return shell.to_vec();
    }
    let user = nix::unistd::User::from_uid(nix::unistd::getuid())
        .ok()
        .flatten();
    let shell = user.map(|user| user.shell.into_os_string().as_bytes().to_vec());
    shell
        .filter(|shell| is_shell(shell))
        .unwrap_or_else(|| b"/bin/sh".to_vec())
}

fn directory(context: &Context, args: &Args) -> Vec<u8> {
    let cwd = Path::new(OsStr::from_bytes(&context.cwd));
    let directory = args
        .directory
        .as_ref()
        .map_or_else(|| cwd.to_owned(), |dir| cwd.join(dir));
    directory.into_os_string().as_bytes().to_vec()
}
