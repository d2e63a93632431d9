//! How the server ends, and what of that is under way.

use std::path::PathBuf;

use super::leaving::Leaving;
use crate::{CloseDoor, Idle};

pub(crate) struct Shutdown {
    pub(crate) ending: Option<Ending>,
    /// The end that waits until everything is written.
    pub(crate) leaving: Leaving,
    /// What to do as long as there was no session.
    pub(crate) idle: Idle,
    /// Lets nobody in any more. A client that comes now must find no server, not one that is leaving.
    pub(super) close_door: Option<CloseDoor>,
}

impl Shutdown {
    pub(super) fn new(close_door: CloseDoor) -> Self {
        Self {
            ending: None,
            leaving: Leaving::default(),
            idle: Idle::Stays,
            close_door: Some(close_door),
        }
    }
}

/// Why the server ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its last session has ended.
    Empty,
    /// `kill-server`: every program was ended.
    Killed(Rest),
    /// SIGTERM: the programs stay with the keeper, for the next server.
    Terminated,
    /// `restart-server`: this program takes over.
    Restart(PathBuf),
}

/// What becomes of the sessions when the server and all programs are ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// They are over, and in the archive.
    Archived,
    /// They are there when the next server comes.
    Kept,
}
