//! What each command does, one file each. A command gets the server and its arguments, and returns a
//! reply; it never writes to a socket.

mod attach_session;
mod capture_pane;
mod detach_client;
mod has_session;
mod kill_server;
mod kill_session;
mod list_commands;
mod list_sessions;
mod new_session;
mod refresh_client;
mod rename_session;
mod restart_server;
mod send_keys;
mod send_prefix;
mod set_option;
mod show_options;
mod source_file;
mod start_server;
mod suspend_client;

use shellkeep_command::Command;
use shellkeep_command::target::{PaneTarget, SessionTarget};
use shellkeep_core::{ClientId, PaneId, SessionId};
use shellkeep_proto::Context;
use shellkeep_render::{Caps, Environment};
use shellkeep_term::{Config, Emulator};

use crate::event_loop::Server;

/// Who runs the commands of a configuration.
pub(crate) const NOBODY: ClientId = ClientId(u32::MAX);

/// What a command comes to.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// What it prints.
    pub(crate) stdout: Vec<u8>,
    /// The pane whose start the next command has to wait for.
    pub(crate) waits_for: Option<PaneId>,
}

impl Reply {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self {
            stdout: text.into().into_bytes(),
            waits_for: None,
        }
    }
}

/// A command's reply, or one sentence saying what is wrong.
pub(crate) type Outcome = Result<Reply, String>;

/// Runs a command for a client.
#[expect(clippy::too_many_lines, reason = "the one dispatch, an arm a command")]
pub(crate) fn execute(server: &mut Server, client: ClientId, command: Command) -> Outcome {
    match command {
        Command::AttachSession(args) => attach_session::run(server, client, &args),
        Command::CapturePane(args) => capture_pane::run(server, client, &args),
        Command::DetachClient(args) => detach_client::run(server, client, &args),
        Command::HasSession(args) => has_session::run(server, client, &args),
        Command::KillServer(args) => kill_server::run(server, &args),
        Command::KillSession(args) => kill_session::run(server, client, &args),
        Command::ListCommands(args) => list_commands::run(&args),
        Command::ListSessions(args) => list_sessions::run(server, &args),
        Command::NewSession(args) => new_session::run(server, client, &args),
        Command::RefreshClient(args) => refresh_client::run(server, client, &args),
        Command::RenameSession(args) => rename_session::run(server, client, &args),
        Command::RestartServer(args) => restart_server::run(server, client, &args),
        Command::SendKeys(args) => send_keys::run(server, client, &args),
        Command::SendPrefix(args) => send_prefix::run(server, client, &args),
        Command::SetOption(args) => set_option::run(server, client, &args),
        Command::ShowOptions(args) => show_options::run(server, client, &args),
        Command::SourceFile(args) => source_file::run(server, client, &args),
        Command::StartServer(args) => start_server::run(&args),
        Command::SuspendClient(args) => suspend_client::run(server, client, &args),
        Command::BindKey(_)
        | Command::BreakPane(_)
        | Command::ChooseBuffer(_)
        | Command::ChooseClient(_)
        | Command::ChooseTree(_)
        | Command::ClearHistory(_)
        | Command::ClearPromptHistory(_)
        | Command::ClockMode(_)
        | Command::CommandPrompt(_)
        | Command::ConfirmBefore(_)
        | Command::CopyMode(_)
        | Command::CustomizeMode(_)
        | Command::DeleteBuffer(_)
        | Command::DisplayMenu(_)
        | Command::DisplayMessage(_)
        | Command::DisplayPanes(_)
        | Command::DisplayPopup(_)
        | Command::FindWindow(_)
        | Command::IfShell(_)
        | Command::JoinPane(_)
        | Command::KillPane(_)
        | Command::KillWindow(_)
        | Command::LastPane(_)
        | Command::LastWindow(_)
        | Command::LinkWindow(_)
        | Command::ListBuffers(_)
        | Command::ListClients(_)
        | Command::ListKeys(_)
        | Command::ListPanes(_)
        | Command::ListWindows(_)
        | Command::LoadBuffer(_)
        | Command::LockClient(_)
        | Command::LockServer(_)
        | Command::LockSession(_)
        | Command::MovePane(_)
        | Command::MoveWindow(_)
        | Command::NewWindow(_)
        | Command::NextLayout(_)
        | Command::NextWindow(_)
        | Command::PasteBuffer(_)
        | Command::PipePane(_)
        | Command::PreviousLayout(_)
        | Command::PreviousWindow(_)
        | Command::RenameWindow(_)
        | Command::ResizePane(_)
        | Command::ResizeWindow(_)
        | Command::RespawnPane(_)
        | Command::RespawnWindow(_)
        | Command::RotateWindow(_)
        | Command::RunShell(_)
        | Command::SaveBuffer(_)
        | Command::SelectLayout(_)
        | Command::SelectPane(_)
        | Command::SelectWindow(_)
        | Command::ServerAccess(_)
        | Command::SetBuffer(_)
        | Command::SetEnvironment(_)
        | Command::SetHook(_)
        | Command::SetWindowOption(_)
        | Command::ShowBuffer(_)
        | Command::ShowEnvironment(_)
        | Command::ShowHooks(_)
        | Command::ShowMessages(_)
        | Command::ShowPromptHistory(_)
        | Command::ShowWindowOptions(_)
        | Command::SplitWindow(_)
        | Command::SwapPane(_)
        | Command::SwapWindow(_)
        | Command::SwitchClient(_)
        | Command::UnbindKey(_)
        | Command::UnlinkWindow(_)
        | Command::WaitFor(_) => Err(format!("{} is not supported yet", command.spec().name)),
    }
}

/// The session a target means, for this caller.
fn session(server: &Server, client: ClientId, target: Option<&str>) -> Result<SessionId, String> {
    let text = target.unwrap_or_default();
    if text.starts_with('%') || text.contains(':') {
        // Who names a window or a pane, too, means it: it must be there.
        let pane = pane(server, client, target)?;
        let session = server.state.session_of(pane);
        return session.ok_or_else(|| format!("can't find session: {text}"));
    }
    find_session(server, client, &SessionTarget::parse(target), text)
}

fn find_session(
    server: &Server,
    client: ClientId,
    target: &SessionTarget,
    text: &str,
) -> Result<SessionId, String> {
    if *target == SessionTarget::Current {
        return current_session(server, client).ok_or_else(|| "no current session".to_owned());
    }
    let sessions = server
        .state
        .sessions
        .values()
        .map(|s| (s.id, s.name.as_str()));
    // The message names what was looked for, as tmux does: without the sign that asked for exactness.
    let name = text
        .split(':')
        .next()
        .unwrap_or(text)
        .trim_start_matches('=');
    target
        .find(sessions)
        .ok_or_else(|| format!("can't find session: {name}"))
}

/// The session the caller shows, or sits in, or used last.
fn current_session(server: &Server, client: ClientId) -> Option<SessionId> {
    let shown = server
        .state
        .clients
        .get(&client)
        .and_then(|client| client.session);
    shown
        .or_else(|| caller_pane(server, client).and_then(|pane| server.state.session_of(pane)))
        .or_else(|| server.state.latest_session())
}

/// The pane a command was typed in: `$SHELLKEEP_PANE`, if it was one of this server's.
fn caller_pane(server: &Server, client: ClientId) -> Option<PaneId> {
    let context = &server.state.clients.get(&client)?.context;
    let socket = context.env("SHELLKEEP")?.split(',').next()?;
    if std::path::Path::new(socket) != server.socket {
        return None;
    }
    let pane = context.env("SHELLKEEP_PANE")?.parse().ok()?;
    server.state.panes.contains_key(&pane).then_some(pane)
}

/// The pane a target means, for this caller.
fn pane(server: &Server, client: ClientId, target: Option<&str>) -> Result<PaneId, String> {
    let text = target.unwrap_or_default();
    match PaneTarget::parse(target) {
        PaneTarget::Id(id) if server.state.panes.contains_key(&id) => Ok(id),
        PaneTarget::Id(id) => Err(format!("can't find pane: {id}")),
        PaneTarget::Place {
            session,
            window,
            pane,
        } => {
            let id = find_session(server, client, &session, text).map_err(|error| {
                // A word alone may name anything, and is looked for as what is wanted: a pane.
                let is_word = !text.is_empty() && !text.contains(':') && !text.starts_with('$');
                if is_word {
                    format!("can't find pane: {text}")
                } else {
                    error
                }
            })?;
            // A session has one window with one pane for now, and both are number 0.
            if let Some(window) = window.filter(|window| window != "0") {
                return Err(format!("can't find window: {window}"));
            }
            if let Some(pane) = pane.filter(|pane| pane != "0") {
                return Err(format!("can't find pane: {pane}"));
            }
            let session = server.state.sessions.get(&id);
            session
                .map(|session| session.pane)
                .ok_or_else(|| format!("can't find pane: {text}"))
        }
    }
}

/// The client a target means: one that shows a session.
fn client(server: &Server, caller: ClientId, target: Option<&str>) -> Result<ClientId, String> {
    let attached = server
        .state
        .clients
        .values()
        .filter(|client| client.session.is_some());
    if let Some(name) = target {
        let short = |tty: &str| tty.trim_start_matches("/dev/").to_owned();
        let mut named =
            attached.filter(|client| client.tty().is_some_and(|tty| short(tty) == short(name)));
        return named
            .next()
            .map(|c| c.id)
            .ok_or_else(|| format!("can't find client: {name}"));
    }
    let is_attached = server
        .state
        .clients
        .get(&caller)
        .is_some_and(|c| c.session.is_some());
    if is_attached {
        return Ok(caller);
    }
    let session = current_session(server, caller);
    let mut showing = attached.filter(|client| session.is_none() || client.session == session);
    showing
        .next()
        .map(|client| client.id)
        .ok_or_else(|| "no current client".to_owned())
}

/// What a caller's terminal can do, as far as its environment tells.
pub(crate) fn caps_of(context: &Context) -> Caps {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| context.env(name));
    Caps::detect(&Environment {
        term: context.env("TERM").unwrap_or_default(),
        colorterm: context.env("COLORTERM"),
        term_program: context.env("TERM_PROGRAM"),
        vte_version: context.env("VTE_VERSION"),
        locale: locale.into_iter().find(|value| !value.is_empty()),
    })
}

/// What little a client of another version tells of its terminal.
pub(crate) fn terminal_environment<'a>(term: &'a str, colorterm: &'a str) -> Environment<'a> {
    Environment {
        term,
        colorterm: Some(colorterm),
        ..Environment::default()
    }
}

/// How panes' emulators are set up.
pub(crate) fn emulator_config() -> Config {
    Config::default()
}

/// A screen as bytes, for the next server.
pub(crate) fn dump_screen(emulator: &Emulator) -> Vec<u8> {
    emulator.dump()
}

/// A screen from an earlier server, if it can be read.
pub(crate) fn restore_screen(bytes: &[u8]) -> Option<Emulator> {
    Emulator::restore(bytes, emulator_config())
        .inspect_err(
            |error| tracing::warn!(%error, "a screen of an earlier server is not readable"),
        )
        .ok()
}
