//! The whole server in memory, keys in and screens out. See `shellkeep_testkit::virtual_rig`.

mod alerts;
mod attach;
mod buffers;
mod commands;
mod config;
mod control;
mod copy_mode;
mod hooks;
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
mod status;
mod tour;
mod tree;
mod windows;
