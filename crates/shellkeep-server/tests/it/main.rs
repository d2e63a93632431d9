//! The whole server in memory, keys in and screens out. See `shellkeep_testkit::virtual_rig`.

mod attach;
mod commands;
mod config;
mod painting;
mod protocol;
mod recovery;
mod status;
