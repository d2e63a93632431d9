//! The commands, one file each: name, aliases, target, traits, and a clap struct whose doc comment is
//! the help.

pub mod attach_session;
pub mod capture_pane;
pub mod detach_client;
pub mod has_session;
pub mod kill_server;
pub mod kill_session;
pub mod list_commands;
pub mod list_sessions;
pub mod new_session;
pub mod refresh_client;
pub mod rename_session;
pub mod restart_server;
pub mod send_keys;
pub mod send_prefix;
pub mod set_option;
pub mod show_options;
pub mod source_file;
pub mod start_server;
pub mod suspend_client;
