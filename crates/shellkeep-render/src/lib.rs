//! Frames and their differences: what one client's terminal should show, and the bytes that take it
//! there.
//!
//! A [`Frame`] is composed anew for each client; [`diff`] takes the client's terminal from the last
//! one to it, [`repaint`] from anywhere. [`Caps`] says what that terminal can do; what it cannot is
//! stepped down to the nearest thing it can. Pure: nothing here does I/O or reads the environment.
#![warn(missing_docs)]

pub mod caps;
mod cell;
pub mod color;
mod diff;
pub mod frame;
pub mod outer;
mod paint;
mod scroll;
mod sgr;

pub use caps::{Caps, Colors, Environment, Features};
pub use diff::{diff, repaint};
pub use frame::{Frame, FrameCursor, MouseReports, OuterModes};
pub use outer::{LEAVE, enter, leave, query};
