//! What each command does, one file each. A command gets the server and its arguments, and returns a
//! reply; it never writes to a socket.

mod attach_session;
mod capture_pane;
mod detach_client;
mod display_menu;
mod display_popup;
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

use shellkeep_command::target::{self, Found};
use shellkeep_command::{Command, Target};
use shellkeep_core::{ClientId, PaneId, SessionId};
use shellkeep_proto::Context;
use shellkeep_render::{Caps, Environment};
use shellkeep_term::{Config, Emulator};

use crate::event_loop::Server;
use crate::queue::{Caller, Item, Wait};
use crate::state::Client;

/// What a command comes to.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// What it prints.
    pub(crate) stdout: Vec<u8>,
    /// What the next command has to wait for.
    pub(crate) wait: Option<Wait>,
    /// Commands to be run next.
    pub(crate) next: Vec<Item>,
}

impl Reply {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self {
            stdout: text.into().into_bytes(),
            ..Self::default()
        }
    }
}

/// A command's reply, or one sentence saying what is wrong.
pub(crate) type Outcome = Result<Reply, String>;

/// Runs a command for a client.
#[expect(clippy::too_many_lines, reason = "one line a command")]
pub(crate) fn execute(server: &mut Server, caller: &Caller, command: Command) -> Outcome {
    match command {
        Command::AttachSession(args) => attach_session::run(server, caller, &args),
        Command::CapturePane(args) => capture_pane::run(server, caller, &args),
        Command::DetachClient(args) => detach_client::run(server, caller, &args),
        Command::HasSession(args) => has_session::run(server, caller, &args),
        Command::KillServer(args) => kill_server::run(server, &args),
        Command::KillSession(args) => kill_session::run(server, caller, &args),
        Command::ListCommands(args) => list_commands::run(&args),
        Command::ListSessions(args) => list_sessions::run(server, &args),
        Command::NewSession(args) => new_session::run(server, caller, &args),
        Command::RefreshClient(args) => refresh_client::run(server, caller, &args),
        Command::RenameSession(args) => rename_session::run(server, caller, &args),
        Command::RestartServer(args) => restart_server::run(server, caller, &args),
        Command::SendKeys(args) => send_keys::run(server, caller, &args),
        Command::SendPrefix(args) => send_prefix::run(server, caller, &args),
        Command::SetOption(args) => set_option::run(server, caller, &args),
        Command::ShowOptions(args) => show_options::run(server, caller, &args),
        Command::SourceFile(args) => source_file::run(server, caller, &args),
        Command::StartServer(args) => start_server::run(&args),
        Command::SuspendClient(args) => suspend_client::run(server, caller, &args),
        Command::BindKey(_) => unsupported("bind-key"),
        Command::BreakPane(_) => unsupported("break-pane"),
        Command::ChooseBuffer(_) => unsupported("choose-buffer"),
        Command::ChooseClient(_) => unsupported("choose-client"),
        Command::ChooseTree(_) => unsupported("choose-tree"),
        Command::ClearHistory(_) => unsupported("clear-history"),
        Command::ClearPromptHistory(_) => unsupported("clear-prompt-history"),
        Command::ClockMode(_) => unsupported("clock-mode"),
        Command::CommandPrompt(_) => unsupported("command-prompt"),
        Command::ConfirmBefore(_) => unsupported("confirm-before"),
        Command::CopyMode(_) => unsupported("copy-mode"),
        Command::CustomizeMode(_) => unsupported("customize-mode"),
        Command::DeleteBuffer(_) => unsupported("delete-buffer"),
        Command::DisplayMenu(args) => display_menu::run(server, caller, &args),
        Command::DisplayMessage(_) => unsupported("display-message"),
        Command::DisplayPanes(_) => unsupported("display-panes"),
        Command::DisplayPopup(args) => display_popup::run(server, caller, &args),
        Command::FindWindow(_) => unsupported("find-window"),
        Command::IfShell(_) => unsupported("if-shell"),
        Command::JoinPane(_) => unsupported("join-pane"),
        Command::KillPane(_) => unsupported("kill-pane"),
        Command::KillWindow(_) => unsupported("kill-window"),
        Command::LastPane(_) => unsupported("last-pane"),
        Command::LastWindow(_) => unsupported("last-window"),
        Command::LinkWindow(_) => unsupported("link-window"),
        Command::ListBuffers(_) => unsupported("list-buffers"),
        Command::ListClients(_) => unsupported("list-clients"),
        Command::ListKeys(_) => unsupported("list-keys"),
        Command::ListPanes(_) => unsupported("list-panes"),
        Command::ListWindows(_) => unsupported("list-windows"),
        Command::LoadBuffer(_) => unsupported("load-buffer"),
        Command::LockClient(_) => unsupported("lock-client"),
        Command::LockServer(_) => unsupported("lock-server"),
        Command::LockSession(_) => unsupported("lock-session"),
        Command::MovePane(_) => unsupported("move-pane"),
        Command::MoveWindow(_) => unsupported("move-window"),
        Command::NewWindow(_) => unsupported("new-window"),
        Command::NextLayout(_) => unsupported("next-layout"),
        Command::NextWindow(_) => unsupported("next-window"),
        Command::PasteBuffer(_) => unsupported("paste-buffer"),
        Command::PipePane(_) => unsupported("pipe-pane"),
        Command::PreviousLayout(_) => unsupported("previous-layout"),
        Command::PreviousWindow(_) => unsupported("previous-window"),
        Command::RenameWindow(_) => unsupported("rename-window"),
        Command::ResizePane(_) => unsupported("resize-pane"),
        Command::ResizeWindow(_) => unsupported("resize-window"),
        Command::RespawnPane(_) => unsupported("respawn-pane"),
        Command::RespawnWindow(_) => unsupported("respawn-window"),
        Command::RotateWindow(_) => unsupported("rotate-window"),
        Command::RunShell(_) => unsupported("run-shell"),
        Command::SaveBuffer(_) => unsupported("save-buffer"),
        Command::SelectLayout(_) => unsupported("select-layout"),
        Command::SelectPane(_) => unsupported("select-pane"),
        Command::SelectWindow(_) => unsupported("select-window"),
        Command::ServerAccess(_) => unsupported("server-access"),
        Command::SetBuffer(_) => unsupported("set-buffer"),
        Command::SetEnvironment(_) => unsupported("set-environment"),
        Command::SetHook(_) => unsupported("set-hook"),
        Command::SetWindowOption(_) => unsupported("set-window-option"),
        Command::ShowBuffer(_) => unsupported("show-buffer"),
        Command::ShowEnvironment(_) => unsupported("show-environment"),
        Command::ShowHooks(_) => unsupported("show-hooks"),
        Command::ShowMessages(_) => unsupported("show-messages"),
        Command::ShowPromptHistory(_) => unsupported("show-prompt-history"),
        Command::ShowWindowOptions(_) => unsupported("show-window-options"),
        Command::SplitWindow(_) => unsupported("split-window"),
        Command::SwapPane(_) => unsupported("swap-pane"),
        Command::SwapWindow(_) => unsupported("swap-window"),
        Command::SwitchClient(_) => unsupported("switch-client"),
        Command::UnbindKey(_) => unsupported("unbind-key"),
        Command::UnlinkWindow(_) => unsupported("unlink-window"),
        Command::WaitFor(_) => unsupported("wait-for"),
    }
}

fn unsupported(name: &str) -> Outcome {
    Err(format!("{name} is not supported yet"))
}

/// What a target means, for this caller: a pane with all it is in.
pub(crate) fn find(
    server: &Server,
    caller: &Caller,
    target: Option<&str>,
    kind: Target,
) -> Result<Found, String> {
    let found = target::resolve(target, kind, &server.current(caller), &server.state);
    found.map_err(|error| error.to_string())
}

/// The session a target means.
fn session(server: &Server, caller: &Caller, target: Option<&str>) -> Result<SessionId, String> {
    find(server, caller, target, Target::Session).map(|found| found.session)
}

/// The pane a target means.
fn pane(server: &Server, caller: &Caller, target: Option<&str>) -> Result<PaneId, String> {
    find(server, caller, target, Target::Pane).map(|found| found.pane)
}

/// The client that typed a command.
fn typist<'a>(server: &'a Server, caller: &Caller) -> Option<&'a Client> {
    server.state.clients.get(&caller.client?)
}

/// The client a target means: one that shows a session.
fn client(server: &Server, caller: &Caller, target: Option<&str>) -> Result<ClientId, String> {
    let found = target::resolve_client(target, &server.current(caller), &server.state);
    found.map_err(|error| error.to_string())
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
