//! The rigs for tests of the whole program.
//!
//! - [`virtual_rig`]: the real server with in-memory sockets, fake PTYs and a stopped clock. A test takes milliseconds,
//!   controls what programs print, and sees what they receive.
//! - [`real`]: the real binary on a real PTY, with real shells and the real `kill -9`.

pub mod doctor;
pub mod real;
pub mod tmux;
pub mod virtual_rig;
