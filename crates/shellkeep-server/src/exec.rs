//! What each command does, one file each. A command gets the server and its arguments, and returns a
//! reply; it never writes to a socket.

mod archive;
mod attach_session;
mod bind_key;
mod break_pane;
mod capture_pane;
mod choose_buffer;
mod choose_client;
mod choose_tree;
mod clear_history;
mod clear_prompt_history;
mod clock_mode;
mod command_prompt;
mod confirm_before;
mod copy_mode;
mod customize_mode;
mod delete_buffer;
mod detach_client;
mod display_menu;
mod display_message;
mod display_panes;
mod display_popup;
mod find_window;
mod forget;
mod has_session;
mod hibernate;
mod if_shell;
mod join_pane;
mod kill_pane;
mod kill_server;
mod kill_session;
mod kill_window;
mod last_pane;
mod last_window;
mod link_window;
mod list_buffers;
mod list_clients;
mod list_commands;
mod list_keys;
mod list_panes;
mod list_sessions;
mod list_windows;
mod listing;
pub(crate) mod load_buffer;
mod lock_client;
mod lock_server;
mod lock_session;
mod move_pane;
mod move_window;
mod new_session;
mod new_window;
mod next_layout;
mod next_window;
mod option_place;
mod paste_buffer;
mod pin;
mod pipe_pane;
mod placing;
mod previous_layout;
mod previous_window;
mod printable;
mod refresh_client;
mod rename_session;
mod rename_window;
mod reopen;
mod resize_pane;
mod resize_window;
mod respawn_pane;
mod respawn_window;
mod restart_server;
mod restore;
mod rotate_window;
mod run_shell;
mod save_buffer;
mod search;
mod select_layout;
mod select_pane;
mod select_window;
mod send_keys;
mod send_prefix;
mod server_access;
mod set_buffer;
mod set_environment;
mod set_hook;
mod set_option;
mod set_window_option;
mod show_buffer;
mod show_environment;
mod show_hooks;
mod show_messages;
mod show_options;
mod show_prompt_history;
mod show_window_options;
mod sleeping;
mod source_file;
mod split_window;
mod start_server;
mod stats;
mod stdin;
mod suspend_client;
mod swap_pane;
mod swap_window;
mod switch_client;
mod tag;
mod unbind_key;
mod unlink_window;
mod wait_for;

use shellkeep_command::target::{self, Found};
use shellkeep_command::{Command, Target};
use shellkeep_core::{ClientId, PaneId, SessionId};
use shellkeep_proto::Context;
use shellkeep_render::{Caps, Environment};
use shellkeep_term::{Config, Emulator};

use crate::call;
use crate::world;

pub(crate) use printable::{make_printable, printable};

use crate::event_loop::{Again, Archive, Archived, Server};
use crate::queue::{Caller, Item, Wait};
use crate::state::Client;

pub(crate) use attach_session::check_terminal;
pub(crate) use listing::Form;

/// What a command comes to.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// What it prints.
    pub(crate) stdout: Vec<u8>,
    /// What the next command has to wait for.
    pub(crate) wait: Option<Wait>,
    /// The rest of the work, if it waits for its turn.
    pub(crate) again: Option<Again>,
    /// Commands to be run next.
    pub(crate) next: Vec<Item>,
    /// Commands of hooks to be run before those.
    pub(crate) hooks: Vec<Item>,
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

/// The archived session of this name or id, the latest of several; the latest of all for none. `call` is what a command begins with.
fn archived<'a>(
    archive: &'a Archive,
    wanted: Option<&str>,
    call: &str,
) -> Result<&'a Archived, String> {
    let archived = &archive.sessions;
    let found = match wanted {
        None => archived.last(),
        Some(wanted) => {
            let is_it = |each: &&Archived| each.name == wanted || each.id.to_string() == wanted;
            let found = archived.iter().rfind(is_it);
            // What was closed in a session has its name: whoever names that means the session.
            let whole = found.filter(|found| found.name == wanted);
            let whole = whole.and_then(|found| found.part_of);
            let whole = archived.iter().find(|each| Some(each.id) == whole);
            whole.or(found)
        }
    };
    if let Some(found) = found {
        return Ok(found);
    }
    Err(match (&archive.unread, wanted) {
        (Some(why), Some(wanted)) => format!(
            "no archived session {wanted} among those that can be read: {why} ({call} doctor explains)"
        ),
        (Some(why), None) => {
            format!("nothing in the archive can be read: {why} ({call} doctor explains)")
        }
        (None, Some(wanted)) => format!("no archived session {wanted} ({call} ls -a lists them)"),
        (None, None) => "the archive is empty".to_owned(),
    })
}

/// Runs a command for a client.
#[expect(clippy::too_many_lines, reason = "one line a command")]
pub(crate) fn execute(server: &mut Server, caller: &Caller, command: Command) -> Outcome {
    match command {
        Command::Archive(args) => archive::run(server, caller, &args),
        Command::AttachSession(args) => attach_session::run(server, caller, &args),
        Command::CapturePane(args) => capture_pane::run(server, caller, &args),
        Command::DetachClient(args) => detach_client::run(server, caller, &args),
        Command::HasSession(args) => has_session::run(server, caller, &args),
        Command::KillServer(args) => kill_server::run(server, caller, &args),
        Command::KillSession(args) => kill_session::run(server, caller, &args),
        Command::ListCommands(args) => list_commands::run(server, caller, &args),
        Command::ListSessions(args) => list_sessions::run(server, caller, &args),
        Command::NewSession(args) => new_session::run(server, caller, &args),
        Command::RefreshClient(args) => refresh_client::run(server, caller, &args),
        Command::RenameSession(args) => rename_session::run(server, caller, &args),
        Command::RestartServer(args) => restart_server::run(server, caller, &args),
        Command::SendKeys(args) => send_keys::run(server, caller, &args),
        Command::SendPrefix(args) => send_prefix::run(server, caller, &args),
        Command::SetOption(args) => set_option::run(server, caller, &args),
        Command::ShowOptions(args) => show_options::run(server, caller, &args),
        Command::SourceFile(args) => source_file::run(server, caller, &args),
        Command::StartServer(args) => start_server::run(server, &args),
        Command::SuspendClient(args) => suspend_client::run(server, caller, &args),
        Command::BindKey(args) => bind_key::run(server, &args),
        Command::BreakPane(args) => break_pane::run(server, caller, &args),
        Command::ChooseBuffer(args) => choose_buffer::run(server, caller, &args),
        Command::ChooseClient(args) => choose_client::run(server, caller, &args),
        Command::ChooseTree(args) => choose_tree::run(server, caller, &args),
        Command::ClearHistory(args) => clear_history::run(server, caller, &args),
        Command::ClearPromptHistory(args) => clear_prompt_history::run(server, &args),
        Command::ClockMode(args) => clock_mode::run(server, caller, &args),
        Command::CommandPrompt(args) => command_prompt::run(server, caller, &args),
        Command::ConfirmBefore(args) => confirm_before::run(server, caller, &args),
        Command::CopyMode(args) => copy_mode::run(server, caller, &args),
        Command::CustomizeMode(args) => customize_mode::run(server, caller, &args),
        Command::DeleteBuffer(args) => delete_buffer::run(server, &args),
        Command::DisplayMenu(args) => display_menu::run(server, caller, &args),
        Command::DisplayMessage(args) => display_message::run(server, caller, &args),
        Command::DisplayPanes(args) => display_panes::run(server, caller, &args),
        Command::DisplayPopup(args) => display_popup::run(server, caller, &args),
        Command::Doctor(_) => Err("doctor is for a shell: shellkeep doctor".to_owned()),
        Command::FindWindow(args) => find_window::run(server, caller, &args),
        Command::Forget(args) => forget::run(server, caller, &args),
        Command::Hibernate(args) => hibernate::run(server, caller, &args),
        Command::IfShell(args) => if_shell::run(server, caller, &args),
        Command::JoinPane(args) => join_pane::run(server, caller, &args),
        Command::KillPane(args) => kill_pane::run(server, caller, &args),
        Command::KillWindow(args) => kill_window::run(server, caller, &args),
        Command::LastPane(args) => last_pane::run(server, caller, &args),
        Command::LastWindow(args) => last_window::run(server, caller, &args),
        Command::LinkWindow(args) => link_window::run(server, caller, &args),
        Command::ListBuffers(args) => list_buffers::run(server, caller, &args),
        Command::ListClients(args) => list_clients::run(server, caller, &args),
        Command::ListKeys(args) => list_keys::run(server, caller, &args),
        Command::ListPanes(args) => list_panes::run(server, caller, &args),
        Command::ListWindows(args) => list_windows::run(server, caller, &args),
        Command::LoadBuffer(args) => load_buffer::run(server, caller, &args),
        Command::LockClient(args) => lock_client::run(server, caller, &args),
        Command::LockServer(args) => lock_server::run(server, &args),
        Command::LockSession(args) => lock_session::run(server, caller, &args),
        Command::MovePane(args) => move_pane::run(server, caller, args),
        Command::MoveWindow(args) => move_window::run(server, caller, &args),
        Command::NewWindow(args) => new_window::run(server, caller, &args),
        Command::NextLayout(args) => next_layout::run(server, caller, &args),
        Command::NextWindow(args) => next_window::run(server, caller, &args),
        Command::PasteBuffer(args) => paste_buffer::run(server, caller, &args),
        Command::Pin(args) => pin::run(server, caller, &args),
        Command::PipePane(args) => pipe_pane::run(server, caller, &args),
        Command::PreviousLayout(args) => previous_layout::run(server, caller, &args),
        Command::PreviousWindow(args) => previous_window::run(server, caller, &args),
        Command::RenameWindow(args) => rename_window::run(server, caller, &args),
        Command::Reopen(args) => reopen::run(server, caller, &args),
        Command::ResizePane(args) => resize_pane::run(server, caller, &args),
        Command::ResizeWindow(args) => resize_window::run(server, caller, &args),
        Command::RespawnPane(args) => respawn_pane::run(server, caller, &args),
        Command::RespawnWindow(args) => respawn_window::run(server, caller, args),
        Command::Restore(args) => restore::run(server, caller, &args),
        Command::RotateWindow(args) => rotate_window::run(server, caller, &args),
        Command::RunShell(args) => run_shell::run(server, caller, &args),
        Command::SaveBuffer(args) => save_buffer::run(server, caller, &args),
        Command::Search(args) => search::run(server, caller, &args),
        Command::SelectLayout(args) => select_layout::run(server, caller, &args),
        Command::SelectPane(args) => select_pane::run(server, caller, &args),
        Command::SelectWindow(args) => select_window::run(server, caller, &args),
        Command::ServerAccess(args) => server_access::run(&args),
        Command::SetBuffer(args) => set_buffer::run(server, caller, &args),
        Command::SetEnvironment(args) => set_environment::run(server, caller, &args),
        Command::SetHook(args) => set_hook::run(server, caller, &args),
        Command::SetWindowOption(args) => set_window_option::run(server, caller, &args),
        Command::ShowBuffer(args) => show_buffer::run(server, &args),
        Command::ShowEnvironment(args) => show_environment::run(server, caller, &args),
        Command::ShowHooks(args) => show_hooks::run(server, caller, &args),
        Command::ShowMessages(args) => show_messages::run(server, caller, &args),
        Command::ShowPromptHistory(args) => show_prompt_history::run(server, &args),
        Command::ShowWindowOptions(args) => show_window_options::run(server, caller, &args),
        Command::SplitWindow(args) => split_window::run(server, caller, &args),
        Command::Stats(args) => stats::run(server, caller, &args),
        Command::SwapPane(args) => swap_pane::run(server, caller, &args),
        Command::SwapWindow(args) => swap_window::run(server, caller, &args),
        Command::SwitchClient(args) => switch_client::run(server, caller, &args),
        Command::Tag(args) => tag::run(server, caller, &args),
        Command::TmuxShim(_) => Err("tmux-shim is for a shell: shellkeep tmux-shim DIR".to_owned()),
        Command::UnbindKey(args) => unbind_key::run(server, &args),
        Command::UnlinkWindow(args) => unlink_window::run(server, caller, &args),
        Command::WaitFor(args) => wait_for::run(server, caller, &args),
    }
}

/// What a target means, for this caller: a pane with all it is in.
pub(crate) fn find(
    server: &Server,
    caller: &Caller,
    target: Option<&str>,
    kind: Target,
) -> Result<Found, String> {
    let found = target::resolve(
        target,
        kind,
        &world::current(&server.state, caller),
        &server.state,
    );
    found.map_err(|error| error.to_string())
}

/// What a target names, as far as it is there: a session whose window is not is better than nothing, for a command that only
/// wants to know from where to see a format.
pub(crate) fn find_partly(server: &Server, caller: &Caller, target: Option<&str>) -> Option<Found> {
    let whole = find(server, caller, target, Target::Pane).ok();
    let (None, Some(target)) = (whole, target) else {
        return whole;
    };
    let (session, rest) = target.split_once(':').unwrap_or(("", target));
    let window = rest.rsplit_once('.').map(|(window, _)| window);
    let window = window.map(|window| format!("{session}:{window}."));
    // Without a colon it is a session that was not found.
    let session = target.contains(':').then(|| format!("{session}:"));
    let shorter = window.into_iter().chain(session);
    let mut found =
        shorter.filter_map(|target| find(server, caller, Some(&target), Target::Pane).ok());
    found.next()
}

/// The session a target means.
fn session(server: &Server, caller: &Caller, target: Option<&str>) -> Result<SessionId, String> {
    find(server, caller, target, Target::Session).map(|found| found.session)
}

/// The answer to a command that is to show a session which there is not: it may be archived. Called as tmux, the words are tmux's.
fn not_found(server: &mut Server, caller: &Caller, target: Option<&str>, error: String) -> Outcome {
    let is_tmux = typist(server, caller).is_some_and(|client| client.is_tmux);
    let Some(name) = target.filter(|_| !is_tmux) else {
        return Err(error);
    };
    let archive = match server.archived() {
        Ok(archive) => archive,
        Err(wait) => return Ok(wait),
    };
    let call = call::call_for(&server.state, caller);
    match archived(&archive, Some(name), &call) {
        Ok(found) => Err(format!(
            "session {} is archived; to have it back, type: {call} reopen {}",
            found.name, found.id
        )),
        Err(_) => Err(error),
    }
}

/// The name of the session that a command is about if it names none and was not typed in one: the caller cannot know which was taken.
fn picked(
    server: &Server,
    caller: &Caller,
    (target, session): (Option<&str>, SessionId),
) -> Option<String> {
    let is_picked = target.is_none() && world::current(&server.state, caller).place.is_none();
    let session = server.state.sessions.get(&session);
    session
        .filter(|_| is_picked)
        .map(|session| session.name.clone())
}

/// The pane a target means.
fn pane(server: &Server, caller: &Caller, target: Option<&str>) -> Result<PaneId, String> {
    find(server, caller, target, Target::Pane).map(|found| found.pane)
}

/// The client that typed a command.
fn typist<'a>(server: &'a Server, caller: &Caller) -> Option<&'a Client> {
    server.state.clients.get(&caller.client?)
}

/// Whether a command's output goes to a terminal, and nobody expects tmux's.
fn is_read_by_a_person(server: &Server, caller: &Caller) -> bool {
    readers_terminal(server, caller).is_some()
}

/// The terminal that a command's output goes to, if nobody expects tmux's. Where the system does not tell, there is none.
fn readers_terminal(server: &Server, caller: &Caller) -> Option<std::path::PathBuf> {
    let client =
        typist(server, caller).filter(|client| !client.is_tmux && client.control.is_none());
    let pid = client?.pid?;
    let output = std::fs::read_link(format!("/proc/{pid}/fd/1")).ok()?;
    (output.starts_with("/dev/pts") || output.starts_with("/dev/tty")).then_some(output)
}

/// The client a target means: one that shows a session.
pub(crate) fn client(
    server: &Server,
    caller: &Caller,
    target: Option<&str>,
) -> Result<ClientId, String> {
    let found = target::resolve_client(
        target,
        &world::current(&server.state, caller),
        &server.state,
    );
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

/// So many lines has a pane that is kept nowhere if nobody set a limit: they are packed, and take about half a megabyte.
const MOST_IN_MEMORY: usize = 100_000;

/// How panes' emulators are set up.
pub(crate) fn emulator_config() -> Config {
    Config {
        history_limit: MOST_IN_MEMORY,
        ..Config::default()
    }
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
