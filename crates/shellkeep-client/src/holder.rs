//! Finds a running server by its lock in the state directory when its socket is gone.
//!
//! When a user's last login ends, the system removes the runtime directory with the sockets, and makes an empty one at
//! the next login. The server is still running and gets no notice of this. It makes its socket again when it receives a
//! signal.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use nix::fcntl::{Flock, FlockArg};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use shellkeep_files::{Access, MAX_SMALL};

use crate::locations::Locations;

/// The name of a server's process in `/proc/PID/comm`.
const NAME: &str = "shellkeep-srv";

/// The process that holds a server's lock.
pub(crate) struct Holder {
    pid: Pid,
    lock: std::path::PathBuf,
}

impl Holder {
    /// The server that listened at this socket, if it is still running.
    pub(crate) fn find(place: &Locations) -> Option<Self> {
        let locks = std::fs::read_dir(place.state_dir.join("servers")).ok()?;
        let mut holders = locks
            .flatten()
            .filter_map(|entry| Self::read(&entry.path(), &place.socket));
        holders.find(Self::lives)
    }

    /// Reads a lock file: the pid of the holder and the path of its socket, a line each.
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

    /// Whether the process is still a server. Its pid may have been reused. The lock is tried only after that check,
    /// because a server that starts at this moment would find it held.
    pub(crate) fn lives(&self) -> bool {
        is_server(self.pid) && is_locked(&self.lock)
    }

    /// Signals the server to check its socket.
    pub(crate) fn wake(&self) {
        let _ = kill(self.pid, Signal::SIGUSR1);
    }
}

/// Without `/proc` a server cannot be distinguished from another process, so no server is found.
fn is_server(pid: Pid) -> bool {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm"));
    name.is_ok_and(|name| name.trim_end() == NAME)
}

fn is_locked(path: &Path) -> bool {
    let file = shellkeep_files::open(path, Access::Read, MAX_SMALL);
    file.is_ok_and(|file| Flock::lock(file, FlockArg::LockSharedNonblock).is_err())
}
