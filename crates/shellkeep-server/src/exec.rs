//! What each command does, one file each. A command gets the server and its arguments, and returns a
//! reply; it never writes to a socket.

mod attach_session;
mod capture_pane;
mod choose_buffer;
mod choose_client;
mod choose_tree;
mod delete_buffer;
mod detach_client;
mod display_menu;
mod display_message;
mod display_panes;
mod display_popup;
mod has_session;
mod kill_server;
mod kill_session;
mod list_buffers;
mod list_clients;
mod list_commands;
mod list_panes;
mod list_sessions;
mod list_windows;
mod listing;
pub(crate) mod load_buffer;
mod new_session;
mod paste_buffer;
mod refresh_client;
mod rename_session;
mod restart_server;
mod save_buffer;
mod send_keys;
mod send_prefix;
mod set_buffer;
mod set_option;
mod show_buffer;
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
        Command::ListCommands(args) => list_commands::run(server, &args),
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
        Command::ChooseBuffer(args) => choose_buffer::run(server, caller, &args),
        Command::ChooseClient(args) => choose_client::run(server, caller, &args),
        Command::ChooseTree(args) => choose_tree::run(server, caller, &args),
        Command::ClearHistory(_) => unsupported("clear-history"),
        Command::ClearPromptHistory(_) => unsupported("clear-prompt-history"),
        Command::ClockMode(_) => unsupported("clock-mode"),
        Command::CommandPrompt(_) => unsupported("command-prompt"),
        Command::ConfirmBefore(_) => unsupported("confirm-before"),
        Command::CopyMode(_) => unsupported("copy-mode"),
        Command::CustomizeMode(_) => unsupported("customize-mode"),
        Command::DeleteBuffer(args) => delete_buffer::run(server, &args),
        Command::DisplayMenu(args) => display_menu::run(server, caller, &args),
        Command::DisplayMessage(args) => display_message::run(server, caller, &args),
        Command::DisplayPanes(args) => display_panes::run(server, caller, &args),
        Command::DisplayPopup(args) => display_popup::run(server, caller, &args),
        Command::FindWindow(_) => unsupported("find-window"),
        Command::IfShell(_) => unsupported("if-shell"),
        Command::JoinPane(_) => unsupported("join-pane"),
        Command::KillPane(_) => unsupported("kill-pane"),
        Command::KillWindow(_) => unsupported("kill-window"),
        Command::LastPane(_) => unsupported("last-pane"),
        Command::LastWindow(_) => unsupported("last-window"),
        Command::LinkWindow(_) => unsupported("link-window"),
        Command::ListBuffers(args) => list_buffers::run(server, caller, &args),
        Command::ListClients(args) => list_clients::run(server, caller, &args),
        Command::ListKeys(_) => unsupported("list-keys"),
        Command::ListPanes(args) => list_panes::run(server, caller, &args),
        Command::ListWindows(args) => list_windows::run(server, caller, &args),
        Command::LoadBuffer(args) => load_buffer::run(server, caller, &args),
        Command::LockClient(_) => unsupported("lock-client"),
        Command::LockServer(_) => unsupported("lock-server"),
        Command::LockSession(_) => unsupported("lock-session"),
        Command::MovePane(_) => unsupported("move-pane"),
        Command::MoveWindow(_) => unsupported("move-window"),
        Command::NewWindow(_) => unsupported("new-window"),
        Command::NextLayout(_) => unsupported("next-layout"),
        Command::NextWindow(_) => unsupported("next-window"),
        Command::PasteBuffer(args) => paste_buffer::run(server, caller, &args),
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
        Command::SaveBuffer(args) => save_buffer::run(server, caller, &args),
        Command::SelectLayout(_) => unsupported("select-layout"),
        Command::SelectPane(_) => unsupported("select-pane"),
        Command::SelectWindow(_) => unsupported("select-window"),
        Command::ServerAccess(_) => unsupported("server-access"),
        Command::SetBuffer(args) => set_buffer::run(server, caller, &args),
        Command::SetEnvironment(_) => unsupported("set-environment"),
        Command::SetHook(_) => unsupported("set-hook"),
        Command::SetWindowOption(_) => unsupported("set-window-option"),
        Command::ShowBuffer(args) => show_buffer::run(server, &args),
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
pub(crate) fn client(
    server: &Server,
    caller: &Caller,
    target: Option<&str>,
) -> Result<ClientId, String> {
    let found = target::resolve_client(target, &server.current(caller), &server.state);
    found.map_err(|error| error.to_string())
}

/// A number given to a flag.
fn number(text: &str, what: &str) -> Result<u64, String> {
    match text.parse::<i64>() {
        Ok(number) if number < 0 => Err(format!("{what} too small")),
        Ok(number) if number > i64::from(u32::MAX) => Err(format!("{what} too large")),
        Ok(number) => Ok(number.unsigned_abs()),
        Err(_) => Err(format!("{what} invalid")),
    }
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
