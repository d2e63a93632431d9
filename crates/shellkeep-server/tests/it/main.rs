//! The whole server in memory, keys in and screens out. See `shellkeep_testkit::virtual_rig`.

mod attach;
mod commands;
mod config;
mod menu;
mod painting;
mod popup;
mod protocol;
mod recovery;
