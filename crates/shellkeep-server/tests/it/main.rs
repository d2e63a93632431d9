//! The whole server in memory, keys in and screens out. See `shellkeep_testkit::virtual_rig`.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by a panic, also in what several tests share"
)]

mod alerts;
mod as_in_tmux;
mod attach;
mod behind;
mod beside_the_socket;
mod buffers;
mod commands;
mod config;
mod control;
mod copy_mode;
mod customize;
mod elsewhere;
mod forged_marks;
mod gaps;
mod hooks;
mod json;
mod large_window;
mod lists;
mod menu;
mod mouse;
mod native;
mod options;
mod painting;
mod popup;
mod prompt;
mod protocol;
mod recovery;
mod scripts;
mod search;
mod sizes;
mod sleep_commands;
mod sleep_options;
mod status;
mod terminal_kind;
mod tree;
mod user_files;
mod windows;
