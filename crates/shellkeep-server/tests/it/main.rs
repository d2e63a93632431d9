//! The whole server in memory, keys in and screens out. See `shellkeep_testkit::virtual_rig`.

mod attach;
mod buffers;
mod commands;
mod config;
mod control;
mod copy_mode;
mod hooks;
mod lists;
mod mouse;
mod native;
mod options;
mod painting;
mod prompt;
mod protocol;
mod recovery;
mod scripts;
mod status;
mod windows;
