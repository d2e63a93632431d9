//! The process around the event loop: background, lock, socket and log, and what it reads from the kernel.

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
