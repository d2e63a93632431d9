//! What each command does, one file for each. A command gets the server and its arguments, and returns a reply; it
//! never writes to a socket.

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
pub(crate) mod describe_terminal;
mod detach_client;
mod display_menu;
mod display_message;
mod display_panes;
mod display_popup;
mod find_window;
mod forget;
mod has_session;
mod hibernate;
mod history;
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
mod lookup;
mod move_window;
mod new_session;
mod new_window;
mod next_layout;
mod next_window;
mod option_place;
mod output;
mod paste_buffer;
mod pin;
mod pipe_pane;
mod placing;
mod previous_layout;
mod previous_window;
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
pub(crate) mod sleeping;
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

use shellkeep_command::Command;

use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::server::Server;

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
        Command::History(args) => history::run(server, caller, &args),
        Command::IfShell(args) => if_shell::run(server, caller, &args),
        Command::JoinPane(args) | Command::MovePane(args) => join_pane::run(server, caller, &args),
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
        Command::MoveWindow(args) => move_window::run(server, caller, &args),
        Command::NewWindow(args) => new_window::run(server, caller, &args),
        Command::NextLayout(args) => next_layout::run(server, caller, &args),
        Command::NextWindow(args) => next_window::run(server, caller, &args),
        Command::Output(args) => output::run(server, caller, &args),
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
