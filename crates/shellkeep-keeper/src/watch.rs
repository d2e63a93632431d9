//! A watch over a socket's place, for a keeper without a server: no other process would notice that the socket was taken away, and the next
//! server would not find what is kept.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use nix::poll::{PollFd, PollFlags};

/// Reports changes of the directory of a socket.
pub(crate) struct Watch {
    /// Something went from the directory; or, as long as it is not there, came to where it belongs.
    directory: Option<OwnedFd>,
    /// It is the directory itself that is watched.
    pub(crate) is_near: bool,
    /// Something was mounted: the system takes the directory away as a whole when its user is logged in nowhere, and gives another.
    mounts: Option<File>,
}

impl Watch {
    /// Watches the place of a socket. What cannot be watched is not.
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
        // Always readable; a change is an exception.
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
    // The nearest directory that exists; it may be removed in between.
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
