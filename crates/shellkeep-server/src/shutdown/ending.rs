//! Why the server ends, and what is left then.

use std::path::PathBuf;

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

/// Lets nobody in any more.
pub type CloseDoor = Box<dyn FnOnce(&Ending) + Send>;

/// What a server does that has no session yet, when nobody asks for anything any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// It waits.
    Stays,
    /// It ends, if `exit-empty` says so: what it was started for has failed.
    Ends,
}
