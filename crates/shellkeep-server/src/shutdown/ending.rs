//! Why the server ends, and what remains.

use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its last session was closed.
    Empty,
    /// `kill-server`: every program was ended.
    Killed(Rest),
    /// SIGTERM: programs stay with the keeper, for the next server.
    Terminated,
    /// `restart-server`: this program takes over.
    Restart(PathBuf),
}

/// What happens to the sessions when the server and all programs end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// They are closed, and go to the archive.
    Archived,
    /// They are there when the next server starts.
    Kept,
}

pub type CloseDoor = Box<dyn FnOnce(&Ending) + Send>;

/// What a server without sessions does when no client has requests left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// It waits.
    Stays,
    /// It ends if `exit-empty` is set: the command that it was started for has failed.
    Ends,
}
