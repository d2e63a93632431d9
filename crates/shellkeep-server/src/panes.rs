//! Sessions, windows and panes: creating, closing, moving and sizing them, and starting programs in them.

pub(crate) mod dead;
pub(crate) mod emulator;
pub(crate) mod enter_shim;
pub(crate) mod facts;
pub(crate) mod integration;
pub(crate) mod manage;
pub(crate) mod pan;
pub(crate) mod pane_task;
pub(crate) mod pipe;
pub(crate) mod pipes;
pub(crate) mod place;
pub(crate) mod runtime_files;
pub(crate) mod screen;
pub(crate) mod server_output;
pub(crate) mod sessions;
pub(crate) mod shell_dir;
pub(crate) mod shells;
pub(crate) mod shim;
pub(crate) mod show;
pub(crate) mod sizes;
pub(crate) mod spawn;
pub(crate) mod tap;
pub(crate) mod usual_shell;
pub(crate) mod windows;
