//! The rigs that tests of the whole program stand on.
//!
//! - [`virtual_rig`]: the real server over in-memory sockets and pretended PTYs, with the clock stopped. A
//!   test of it takes milliseconds and can say what a program prints and see what it is sent.
//! - [`real`]: the real binary on a real PTY, with real shells and the real `kill -9`.

pub mod real;
pub mod tmux;
pub mod virtual_rig;
