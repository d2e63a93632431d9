//! How programs are started: which one, in which directory, with which environment.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use shellkeep_core::{PaneId, SessionId, Size};
use shellkeep_hibernation::{Asked, shell_of_line, shell_of_words};
use shellkeep_keeper::{Program, SpawnRequest};
use shellkeep_shell::{Kind, Shell};

use crate::commands::queue::Caller;
use crate::display::terminfo;
use crate::model::{Environ, Model};
use crate::panes::enter_shim::enter_shim;
use crate::panes::shim::StartedAs;
use crate::panes::usual_shell::is_shell;
use crate::panes::{runtime_files, usual_shell};

/// A program to be started in a pane.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewProgram<'a> {
    /// The command: nothing for the default shell, one word for a shell command, more for a program with arguments.
    pub(crate) command: &'a [String],
    /// The directory, if not the session's.
    pub(crate) directory: Option<&'a str>,
    /// Variables for this program alone.
    pub(crate) environment: Vec<(&'a str, &'a str)>,
    /// The size of its terminal at first.
    pub(crate) size: Size,
    /// The pane, if it exists already.
    pub(crate) pane: Option<PaneId>,
    pub(crate) started_as: StartedAs,
}

/// Splits variables given as `NAME=value`.
///
/// # Errors
/// If one has no `=`.
pub(crate) fn variables(entries: &[String]) -> Result<Vec<(&str, &str)>, String> {
    let entries = entries.iter().map(|entry| match entry.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name, value)),
        _ => Err(format!("bad variable: {entry} (type -e NAME=VALUE)")),
    });
    entries.collect()
}

/// Removes the variables by which programs know that they run in another multiplexer: a pane does not, even if the
/// server was started in one.
fn outside(environ: &mut Environ) {
    for name in ["TMUX", "TMUX_PANE", "STY", "COLUMNS", "LINES", "TERMCAP"] {
        environ.remove(name);
    }
}

/// Sets `TERM` and `SHELL`.
fn mark(environ: &mut Environ, terminal: &str, shell: &[u8]) {
    environ.set("TERM", terminal);
    environ.set("TERM_PROGRAM", "shellkeep");
    environ.set("TERM_PROGRAM_VERSION", env!("CARGO_PKG_VERSION"));
    environ.set("SHELL", shell);
}

/// A shell that was asked for by name, with its full path, so that it is started directly and [`shell_in`] recognises
/// it. `None` if there is no such shell; then starting it fails with a message.
fn asked_program(asked: &Asked, environ: &Environ) -> Option<Program> {
    let path = environ.get("PATH").unwrap_or_default();
    let places = path.split(|byte| *byte == b':').map(OsStr::from_bytes);
    let name = Path::new(&asked.program);
    let program = match name.is_absolute() {
        true => Some(name.to_owned()).filter(|path| is_shell(path)),
        false => places
            .map(|place| Path::new(place).join(name))
            .find(|path| is_shell(path)),
    };
    let mut words = vec![program?.into_os_string().into_vec()];
    if asked.is_login {
        words.push(b"-l".to_vec());
    }
    Some(Program::Argv(words))
}

/// The interactive shell that a program is, if shellkeep knows it and no arguments but those of its kind are given.
pub(crate) fn shell_in(program: &Program) -> Option<(PathBuf, Kind)> {
    let (path, kind) = match program {
        Program::LoginShell(shell) => (OsStr::from_bytes(shell).into(), Kind::Login),
        Program::Argv(words) => {
            let words: Option<Vec<String>> = words
                .iter()
                .map(|word| String::from_utf8(word.clone()).ok())
                .collect();
            let asked = shell_of_words(&words?)?;
            let kind = match asked.is_login {
                true => Kind::Login,
                false => Kind::Plain,
            };
            (asked.program.into(), kind)
        }
    };
    let path: PathBuf = path;
    let is_whole = path.is_absolute() && Shell::of(&path).is_some();
    is_whole.then_some((path, kind))
}

/// The keeper request for a program in a new pane or popup, in a pane that is restarted, and in one that wakes. The
/// session's environment is an argument because the session may not exist yet.
pub(crate) fn spawn_request(
    model: &Model,
    caller: &Caller,
    session: SessionId,
    environ: &Environ,
    new: &NewProgram<'_>,
) -> SpawnRequest {
    let pane = new.pane.unwrap_or(PaneId(model.next.pane));
    let shell = usual_shell::shell(model, session);
    let mut whole = model.environ.clone();
    outside(&mut whole);
    whole.overlay(environ);
    runtime_files::link_agent(model, session, &mut whole);
    for (name, value) in &new.environment {
        whole.set(*name, *value);
    }
    let client = caller.client.and_then(|id| model.clients.get(&id));
    // As in tmux, a client outside of any session passes its PATH, over all others: there would be no other way to
    // renew it.
    let outside = client.filter(|client| client.session.is_none() && caller.hook.is_none());
    if let Some(path) = outside.and_then(|client| client.context.env("PATH")) {
        whole.set("PATH", path);
    }
    let terminal = model.options.server().text("default-terminal");
    let terminal = if terminal.is_empty() {
        terminfo::best(&whole)
    } else {
        terminal
    };
    mark(&mut whole, terminal, &shell);
    let place = place_of(model, Some(session));
    whole.set("SHELLKEEP", &place);
    whole.set("SHELLKEEP_PANE", pane.to_string());
    // A program that was started through `tmux` finds itself in tmux, whatever the option says.
    if client.is_some_and(|client| client.is_tmux) || environ.get("TMUX").is_some() {
        whole.set("TMUX", &place);
    }
    enter_shim(model, &mut whole, Some(session), (new.started_as, &place));
    if whole.get("TMUX").is_some() {
        whole.set("TMUX_PANE", pane.to_string());
    }
    let umask = client.map_or(model.birth.umask, |client| client.context.umask);
    SpawnRequest {
        pane,
        size: new.size,
        program: program(model, session, shell, new.command, &whole),
        cwd: directory(model, caller, session, new.directory),
        environ: whole.entries().collect(),
        umask,
        terminal: Vec::new(),
    }
}

/// The value of `$SHELLKEEP` and `$TMUX` for a session: socket, pid and session.
pub(crate) fn place_of(model: &Model, session: Option<SessionId>) -> String {
    let socket = model.socket.display();
    let number = session.map_or(-1, |session| i64::from(session.0));
    format!("{socket},{},{number}", std::process::id())
}

fn program(
    model: &Model,
    session: SessionId,
    shell: Vec<u8>,
    command: &[String],
    environ: &Environ,
) -> Program {
    let options = model.session_options(Some(session));
    let default = [options.text("default-command").to_owned()];
    let command = match command {
        [] if default[0].is_empty() => return Program::LoginShell(shell),
        [] => &default,
        command => command,
    };
    let usual = String::from_utf8_lossy(&shell);
    let asked = match command {
        [line] => shell_of_line(line, &usual),
        argv => shell_of_words(argv),
    };
    let asked = asked.filter(|_| options.flag("shell-integration"));
    if let Some(program) = asked.and_then(|asked| asked_program(&asked, environ)) {
        return program;
    }
    match command {
        [line] => Program::Argv(vec![shell, b"-c".to_vec(), line.as_bytes().to_vec()]),
        argv => Program::Argv(argv.iter().map(|word| word.as_bytes().to_vec()).collect()),
    }
}

/// The directory a program starts in: the one given, relative to the client's; or the client's, if the client is
/// outside of any session; or the session's; or the one the server was started in, for what the configuration opens.
pub(crate) fn directory(
    model: &Model,
    caller: &Caller,
    session: SessionId,
    named: Option<&str>,
) -> Vec<u8> {
    let client = caller.client.and_then(|id| model.clients.get(&id));
    let outside = client.filter(|client| client.session.is_none());
    let of_client = outside.map(|client| client.context.cwd.as_slice());
    let of_session = model
        .sessions
        .get(&session)
        .map(|session| session.cwd.as_slice());
    let base = of_client.or(of_session).unwrap_or(&model.birth.cwd);
    let base = Path::new(OsStr::from_bytes(base));
    let directory = named.map_or_else(|| base.to_owned(), |named| base.join(named));
    directory.into_os_string().as_bytes().to_vec()
}
