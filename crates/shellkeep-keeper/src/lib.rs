//! The keeper: a small second process that opens PTYs, starts shells, holds the masters and reaps. It must do nothing
//! else, so that it has nothing to crash on and never needs an upgrade. The server may die, be killed or be replaced:
//! every program goes on.
//!
//! - [`keeper`] is that process: one poll loop, no async runtime.
//! - [`protocol`] is the language of keeper and server. It only grows, because an old keeper serves a new server after
//!   an upgrade.
//! - [`host`] is the server's end of the connection, as a pair of channels that a test can replace.
//! - [`pty`] is a PTY master as the server sees it.
//! - [`input_file`] holds input so that it survives the death of the server.
//! - [`transit_pipe`] holds output so that it survives the death of the server.
//! - [`steps`] are the points at which tests stop the server.
//! - [`process`] has all `unsafe` code of the project.

pub mod host;
pub mod input_file;
pub mod keeper;
pub mod process;
pub mod protocol;
pub mod pty;
mod spawn;
pub mod steps;
pub mod transit_pipe;
mod watch;
mod wire;

pub use host::{
    Delivery, Exit, Generation, Held, HostEvent, HostHandle, HostRequest, ProcessId, SPARE_FILES,
};
pub use input_file::InputFile;
pub use protocol::{Program, SpawnRequest};
pub use pty::Pty;
