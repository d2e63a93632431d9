//! Watches the directory of the keeper's socket while there is no server: no other process would notice that the socket
//! was removed, and the next server could not find the keeper.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use nix::poll::{PollFd, PollFlags};

/// Reports changes of a socket's directory.
pub(crate) struct Watch {
    /// Reports what was removed from the directory or, while it does not exist, what was added to its nearest existing
    /// parent.
    directory: Option<OwnedFd>,
    /// Whether the watched directory is the socket's own.
    pub(crate) is_near: bool,
    /// Reports mounts: the system unmounts the runtime directory when the user's last login ends, and mounts a new one
    /// at the next.
    mounts: Option<File>,
}

impl Watch {
    /// Watches the directory of a socket, as far as the system allows.
    pub(crate) fn new(socket: &Path) -> Self {
        let (directory, is_near) = watch_directory(socket).unzip();
        Self {
            directory,
            is_near: is_near.unwrap_or(true),
            mounts: File::open("/proc/self/mountinfo").ok(),
        }
    }

    pub(crate) fn fds(&self) -> impl Iterator<Item = PollFd<'_>> {
        let directory = self
            .directory
            .as_ref()
            .map(|fd| (fd.as_fd(), PollFlags::POLLIN));
        // This file is always readable; a change is reported as an exceptional condition.
        let mounts = self
            .mounts
            .as_ref()
            .map(|file| (file.as_fd(), PollFlags::POLLPRI));
        let fds = directory.into_iter().chain(mounts);
        fds.map(|(fd, wanted)| PollFd::new(fd, wanted))
    }
}

#[cfg(target_os = "linux")]
fn watch_directory(socket: &Path) -> Option<(OwnedFd, bool)> {
    use nix::sys::inotify::{AddWatchFlags as Events, InitFlags, Inotify};
    let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC).ok()?;
    let losses =
        Events::IN_DELETE | Events::IN_MOVED_FROM | Events::IN_DELETE_SELF | Events::IN_MOVE_SELF;
    let gains = Events::IN_CREATE | Events::IN_MOVED_TO | Events::IN_ATTRIB;
    let directory = socket.parent()?;
    // The nearest existing directory may be removed at this moment.
    let nearest = directory.ancestors().find(|path| {
        let wanted = if *path == directory {
            losses
        } else {
            losses | gains
        };
        inotify.add_watch(*path, wanted).is_ok()
    })?;
    Some((inotify.into(), nearest == directory))
}

#[cfg(not(target_os = "linux"))]
fn watch_directory(_socket: &Path) -> Option<(OwnedFd, bool)> {
    None
}
