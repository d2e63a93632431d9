//! How the server ends, and what of that is under way.

use crate::shutdown::ending::{CloseDoor, Ending, Idle};
use crate::shutdown::leaving::Leaving;

pub(crate) struct Shutdown {
    pub(crate) ending: Option<Ending>,
    /// The end that waits until everything is written.
    pub(crate) leaving: Leaving,
    /// What to do as long as there was no session.
    pub(crate) idle: Idle,
    /// Lets nobody in any more. A client that comes now must find no server, not one that is leaving.
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
