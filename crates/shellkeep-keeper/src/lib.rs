//! The keeper: a tiny second process that opens PTYs, forks shells, holds the masters and reaps. It
//! does nothing else, so that it has nothing to crash on and never needs an upgrade; the server may
//! die, be killed or be replaced, and every program goes on.
//!
//! - [`keeper`] is that process: one poll loop, no async runtime.
//! - [`protocol`] is what it and the server say to each other. It only grows, since an old keeper serves a new server after
//!   an upgrade.
//! - [`host`] is the server's end of the line, as a pair of channels that a test can play just as well.
//! - [`pty`] is a PTY master as the server sees it.
//! - [`input_file`] is where input is safe from the death of the server.
//! - [`transit_pipe`] is the pipe in which output is safe from the death of the server.
//! - [`steps`] are where tests stop the server.
//! - [`process`] is the only home of `unsafe` in the project.

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
