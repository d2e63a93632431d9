//! The state of the shutdown component.

use crate::shutdown::ending::{CloseDoor, Ending, Idle};
use crate::shutdown::leaving::Leaving;

pub(crate) struct Shutdown {
    pub(crate) ending: Option<Ending>,
    /// The end that waits until everything is written.
    pub(crate) leaving: Leaving,
    /// What to do as long as there was no session.
    pub(crate) idle: Idle,
    /// Closes the socket. A client that comes after that must find no server, instead of one that is about to end.
    pub(crate) close_door: Option<CloseDoor>,
}

impl Shutdown {
    pub(crate) fn new(close_door: CloseDoor) -> Self {
        Self {
            ending: None,
            leaving: Leaving::default(),
            idle: Idle::Stays,
            close_door: Some(close_door),
        }
    }
}
