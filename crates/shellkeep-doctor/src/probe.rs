//! Whether somebody is at the other end of a lock or a socket, asked so that they do not notice.

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

/// How long somebody who lives may take to answer.
const TIME: Duration = Duration::from_secs(1);

/// Who holds a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    /// There is no such file.
    Missing,
    /// Nobody, but the file is there.
    Free {
        /// The process whose number is in it.
        last: Option<i32>,
    },
    /// A process that lives.
    Held {
        /// Its number, as far as it can be known.
        by: Option<i32>,
    },
}

/// Looks who holds a lock file.
pub(crate) fn lock(path: &Path) -> Lock {
    let Ok(metadata) = std::fs::metadata(path) else {
        return Lock::Missing;
    };
    let written = shellkeep_files::read_text(path).unwrap_or_default();
    let written = written.trim().parse::<i32>().ok().filter(|pid| *pid > 0);
    let held = match std::fs::read_to_string("/proc/locks") {
        Ok(locks) => holder_in(&locks, metadata.dev(), metadata.ino()),
        // Elsewhere there is only trying, for a moment.
        Err(_) => is_taken(path).then_some(None),
    };
    match held {
        Some(by) => Lock::Held { by: by.or(written) },
        None => Lock::Free { last: written },
    }
}

/// Who is writing to a file that is locked for that piece by piece, as databases are.
pub(crate) fn writer(path: &Path) -> Option<i32> {
    let metadata = std::fs::metadata(path).ok()?;
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    in_list(&locks, "POSIX", metadata.dev(), metadata.ino())
        .find(|(access, _)| *access == "WRITE")
        .and_then(|(_, pid)| pid)
}

/// The holder of a file's lock in the kernel's list; `Some(None)` if it is of another world of processes.
fn holder_in(locks: &str, dev: u64, ino: u64) -> Option<Option<i32>> {
    in_list(locks, "FLOCK", dev, ino).next().map(|(_, pid)| pid)
}

/// The locks of a kind on a file in the kernel's list: what for, and whose.
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
            // Who only waits has an arrow before the kind.
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

/// What a socket says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer<T> {
    /// There is no such file.
    Missing,
    /// The file is there, but nobody listens.
    Nobody,
    /// It cannot be asked: a permission, or no socket.
    Refused(String),
    /// Somebody listens, and says nothing.
    Mute,
    /// Somebody who speaks another language.
    Stranger,
    /// Somebody is well.
    Here(T),
}

/// Asks the server at a socket for its version.
pub(crate) fn server(socket: &Path) -> Answer<Hello> {
    let mut stream = match connect(socket) {
        Ok(stream) => stream,
        Err(answer) => return answer,
    };
    if stream.write_all(&Hello::ours().encode()).is_err() {
        return Answer::Mute;
    }
    let mut bytes = Vec::new();
    loop {
        match Hello::decode(&bytes) {
            Ok(Some((hello, _))) => return Answer::Here(hello),
            Ok(None) => {}
            Err(_) => return Answer::Stranger,
        }
        let mut chunk = [0; 512];
        match stream.read(&mut chunk) {
            Ok(0) => return Answer::Mute,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Answer::Mute,
        }
    }
}

/// Looks whether the keeper at a socket answers; gives its process. It must not be said hello to, since it would take that for the
/// next server's: what it does not understand makes it hang up, and that is the answer.
pub(crate) fn keeper(socket: &Path) -> Answer<i32> {
    let mut stream = match connect(socket) {
        Ok(stream) => stream,
        Err(answer) => return answer,
    };
    let pid = getsockopt(&stream, PeerCredentials).map_or(0, |peer| peer.pid());
    // A frame of one byte, of a kind that is nobody's.
    if stream.write_all(&[1, 0, 0, 0, 0xff]).is_err() {
        return Answer::Mute;
    }
    match stream.read(&mut [0; 1]) {
        Ok(0) => Answer::Here(pid),
        Ok(_) => Answer::Stranger,
        Err(error) if error.kind() == ErrorKind::ConnectionReset => Answer::Here(pid),
        Err(_) => Answer::Mute,
    }
}

fn connect<T>(socket: &Path) -> Result<UnixStream, Answer<T>> {
    let stream = UnixStream::connect(socket).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Answer::Missing,
        ErrorKind::ConnectionRefused => Answer::Nobody,
        _ => Answer::Refused(error.to_string()),
    })?;
    let timed = stream
        .set_read_timeout(Some(TIME))
        .and_then(|()| stream.set_write_timeout(Some(TIME)));
    timed.map_err(|error| Answer::Refused(error.to_string()))?;
    Ok(stream)
}

/// Whether a process is a server or keeper of ours, as far as its name tells.
pub(crate) fn is_ours(pid: i32, role: Role) -> bool {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm"));
    match name {
        Ok(name) => name.trim_end() == role.name(),
        // Without /proc it is enough that it lives.
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
    fn socket_without_a_listener_has_nobody() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("s");
        assert_eq!(server(&path), Answer::Missing);
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert_eq!(server(&path), Answer::Nobody);
        assert_eq!(keeper(&path), Answer::Nobody);
    }
}
