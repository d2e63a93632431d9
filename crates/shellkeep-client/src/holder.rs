//! A server that lives, found by its lock in the state directory and not by its socket.
//!
//! When the last login of a user ends, the system takes the directory away in which the sockets are, and makes it anew at the next
//! one. The server lives on, sees nothing of it, and only has to be told.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use nix::fcntl::{Flock, FlockArg};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use shellkeep_files::{Access, MAX_SMALL};

use crate::place::Place;

/// What the system calls a server.
const NAME: &str = "shellkeep-srv";

/// The server of a place.
pub(crate) struct Holder {
    pid: Pid,
    lock: std::path::PathBuf,
}

impl Holder {
    /// The server that listened where this place says, if it lives.
    pub(crate) fn find(place: &Place) -> Option<Self> {
        let locks = std::fs::read_dir(place.state_dir.join("servers")).ok()?;
        let mut holders = locks
            .flatten()
            .filter_map(|entry| Self::read(&entry.path(), &place.socket));
        holders.find(Self::lives)
    }

    /// Reads a lock: the process that holds it, and where that listens, a line each.
    fn read(lock: &Path, socket: &Path) -> Option<Self> {
        let text = shellkeep_files::read(lock, MAX_SMALL).ok()?;
        let mut lines = text.split(|byte| *byte == b'\n');
        let pid = std::str::from_utf8(lines.next()?).ok()?.trim().parse();
        let is_there = lines.next()? == socket.as_os_str().as_bytes();
        is_there.then_some(Self {
            pid: Pid::from_raw(pid.ok().filter(|pid| *pid > 0)?),
            lock: lock.to_owned(),
        })
    }

    /// Whether it is a server still. Its number may be somebody else's by now, and the lock is touched only if it is not: a server that
    /// starts at this very moment would take it for held.
    pub(crate) fn lives(&self) -> bool {
        is_server(self.pid) && is_locked(&self.lock)
    }

    /// Has it look after its socket.
    pub(crate) fn wake(&self) {
        let _ = kill(self.pid, Signal::SIGUSR1);
    }
}

/// Where there is no `/proc`, nobody can be told from a server, and none is found.
fn is_server(pid: Pid) -> bool {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm"));
    name.is_ok_and(|name| name.trim_end() == NAME)
}

fn is_locked(path: &Path) -> bool {
    let file = shellkeep_files::open(path, Access::Read, MAX_SMALL);
    file.is_ok_and(|file| Flock::lock(file, FlockArg::LockSharedNonblock).is_err())
}
