//! The whole server in memory, keys in and screens out. See `shellkeep_testkit::virtual_rig`.

mod attach;
mod buffers;
mod commands;
mod config;
mod control;
mod hooks;
mod lists;
mod native;
mod options;
mod painting;
mod protocol;
mod recovery;
mod scripts;
mod status;
mod windows;
