//! Finds out which process holds a lock or answers at a socket, without disturbing it.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use nix::unistd::Pid;
use shellkeep_files::{Access, MAX_SMALL};
use shellkeep_keeper::process::Role;
use shellkeep_proto::Hello;

/// A running server or keeper answers within this time.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);

/// The state of a lock file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    /// There is no such file.
    Missing,
    /// The file exists, and no process holds the lock.
    Free {
        /// The pid in the file: the last holder.
        last: Option<i32>,
    },
    /// A running process holds it.
    Held {
        /// The holder's pid; `None` if it is in another pid namespace and wrote none.
        by: Option<i32>,
    },
}

/// Reads the state of a lock file.
pub(crate) fn lock(path: &Path) -> Lock {
    let Ok(metadata) = std::fs::metadata(path) else {
        return Lock::Missing;
    };
    let written = shellkeep_files::read_text(path).unwrap_or_default();
    let written = written.trim().parse::<i32>().ok().filter(|pid| *pid > 0);
    let held = match std::fs::read_to_string("/proc/locks") {
        Ok(locks) => holder_in(&locks, metadata.dev(), metadata.ino()),
        // Without /proc the only way is to try to take the lock for a moment.
        Err(_) => is_taken(path).then_some(None),
    };
    match held {
        Some(by) => Lock::Held { by: by.or(written) },
        None => Lock::Free { last: written },
    }
}

/// The process that holds a POSIX write lock on any range of a file, as SQLite takes them.
pub(crate) fn writer(path: &Path) -> Option<i32> {
    let metadata = std::fs::metadata(path).ok()?;
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    in_list(&locks, "POSIX", metadata.dev(), metadata.ino())
        .find(|(access, _)| *access == "WRITE")
        .and_then(|(_, pid)| pid)
}

/// The holder of a file's lock in `/proc/locks`; `Some(None)` if it is in another pid namespace.
fn holder_in(locks: &str, dev: u64, ino: u64) -> Option<Option<i32>> {
    in_list(locks, "FLOCK", dev, ino).next().map(|(_, pid)| pid)
}

/// The locks of one kind on a file in `/proc/locks`: access, and pid.
fn in_list<'a>(
    locks: &'a str,
    kind: &'a str,
    dev: u64,
    ino: u64,
) -> impl Iterator<Item = (&'a str, Option<i32>)> {
    let (major, minor) = (nix::sys::stat::major(dev), nix::sys::stat::minor(dev));
    let file = format!("{major:02x}:{minor:02x}:{ino}");
    locks.lines().filter_map(move |line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            // A waiting process has `->` before the kind, so its line does not match.
            [_, found, _, access, pid, at, ..] if found == kind && at == file => {
                Some((access, pid.parse().ok().filter(|pid| *pid > 0)))
            }
            _ => None,
        }
    })
}

fn is_taken(path: &Path) -> bool {
    let Ok(file) = shellkeep_files::open(path, Access::Read, MAX_SMALL) else {
        return false;
    };
    matches!(
        Flock::lock(file, FlockArg::LockSharedNonblock),
        Err((_, Errno::EWOULDBLOCK))
    )
}

/// What was found at a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer<T> {
    /// There is no such file.
    Missing,
    /// The file exists, and no process listens.
    NoListener,
    /// Connecting failed: a permission, or the file is no socket.
    Refused(String),
    /// A process listens and does not answer in time.
    Silent,
    /// A process answers with something other than our protocol.
    OtherProtocol,
    /// The expected process answered.
    Here(T),
}

/// Asks the server at a socket for its version.
pub(crate) fn server(socket: &Path) -> Answer<Hello> {
    let mut stream = match connect(socket) {
        Ok(stream) => stream,
        Err(answer) => return answer,
    };
    if stream.write_all(&Hello::ours().encode()).is_err() {
        return Answer::Silent;
    }
    let mut bytes = Vec::new();
    loop {
        match Hello::decode(&bytes) {
            Ok(Some((hello, _))) => return Answer::Here(hello),
            Ok(None) => {}
            Err(_) => return Answer::OtherProtocol,
        }
        let mut chunk = [0; 512];
        match stream.read(&mut chunk) {
            Ok(0) => return Answer::Silent,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Answer::Silent,
        }
    }
}

/// Finds out whether the keeper at a socket answers; returns its pid. The probe must not send a hello, which the keeper
/// would take for the next server's. It sends a message that no keeper understands: the keeper hangs up, and that is
/// the answer.
pub(crate) fn keeper(socket: &Path) -> Answer<i32> {
    let mut stream = match connect(socket) {
        Ok(stream) => stream,
        Err(answer) => return answer,
    };
    let pid = getsockopt(&stream, PeerCredentials).map_or(0, |peer| peer.pid());
    // A frame of one byte, of a message kind that does not exist.
    if stream.write_all(&[1, 0, 0, 0, 0xff]).is_err() {
        return Answer::Silent;
    }
    match stream.read(&mut [0; 1]) {
        Ok(0) => Answer::Here(pid),
        Ok(_) => Answer::OtherProtocol,
        Err(error) if error.kind() == ErrorKind::ConnectionReset => Answer::Here(pid),
        Err(_) => Answer::Silent,
    }
}

fn connect<T>(socket: &Path) -> Result<UnixStream, Answer<T>> {
    let stream = UnixStream::connect(socket).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Answer::Missing,
        ErrorKind::ConnectionRefused => Answer::NoListener,
        _ => Answer::Refused(error.to_string()),
    })?;
    let timed = stream
        .set_read_timeout(Some(ANSWER_TIMEOUT))
        .and_then(|()| stream.set_write_timeout(Some(ANSWER_TIMEOUT)));
    timed.map_err(|error| Answer::Refused(error.to_string()))?;
    Ok(stream)
}

/// Whether a process has the name of our server or keeper.
pub(crate) fn is_ours(pid: i32, role: Role) -> bool {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm"));
    match name {
        Ok(name) => name.trim_end() == role.name(),
        // Without /proc the name cannot be read, so a running process is taken for ours.
        Err(_) => !Path::new("/proc/self").exists() && is_alive(pid),
    }
}

fn is_alive(pid: i32) -> bool {
    nix::sys::signal::kill(Pid::from_raw(pid), None).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holder_is_found_in_the_kernels_list() {
        let locks = "1: POSIX  ADVISORY  READ 5 08:01:77 128 128\n\
                     2: -> FLOCK  ADVISORY  WRITE 6 08:01:77 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 4711 08:01:77 0 EOF\n\
                     4: FLOCK  ADVISORY  WRITE 0 08:01:78 0 EOF\n";
        let dev = nix::sys::stat::makedev(8, 1);
        assert_eq!(holder_in(locks, dev, 77), Some(Some(4711)));
        assert_eq!(holder_in(locks, dev, 78), Some(None));
        assert_eq!(holder_in(locks, dev, 79), None);
        let mut pieces = in_list(locks, "POSIX", dev, 77);
        assert_eq!(pieces.next(), Some(("READ", Some(5))));
        assert_eq!(pieces.next(), None);
    }

    #[test]
    fn lock_of_this_process_is_seen_while_it_is_held() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x.lock");
        assert_eq!(lock(&path), Lock::Missing);
        std::fs::write(&path, "4711\n").unwrap();
        assert_eq!(lock(&path), Lock::Free { last: Some(4711) });
        let held =
            Flock::lock(std::fs::File::open(&path).unwrap(), FlockArg::LockExclusive).unwrap();
        assert!(matches!(lock(&path), Lock::Held { .. }));
        drop(held);
        assert_eq!(lock(&path), Lock::Free { last: Some(4711) });
    }

    #[test]
    fn socket_without_a_listener_differs_from_a_missing_one() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("s");
        assert_eq!(server(&path), Answer::Missing);
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert_eq!(server(&path), Answer::NoListener);
        assert_eq!(keeper(&path), Answer::NoListener);
    }
}
