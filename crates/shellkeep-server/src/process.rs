//! The process around the event loop: its socket, lock, log and what it asks the kernel.

pub(crate) mod call;
pub mod daemon;
pub(crate) mod keeper_socket;
pub(crate) mod listen;
pub(crate) mod logging;
pub(crate) mod pressure;
pub(crate) mod process_info;
pub(crate) mod process_scan;
pub(crate) mod processes;
pub mod runtime_dir;
pub(crate) mod server_lock;
pub(crate) mod wall;
