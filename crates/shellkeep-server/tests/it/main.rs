//! The whole server in memory, keys in and screens out. See `shellkeep_testkit::virtual_rig`.

mod attach;
mod buffers;
mod commands;
mod config;
mod lists;
mod menu;
mod painting;
mod popup;
mod protocol;
mod recovery;
mod status;
mod tree;
