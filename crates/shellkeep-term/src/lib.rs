//! The terminal engine: bytes to screen and history, keys to bytes and back.
//!
//! Pure: no I/O, no clock, no threads. What a program asks of the world leaves as effects.
#![warn(missing_docs)]

pub mod key;
pub mod mode;

pub use mode::{Modes, MouseEncoding, MouseProtocol};
