//! Locks that show which servers are alive: `servers/<owner>.lock`, held with flock, released when the process ends.

use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use nix::poll::PollTimeout;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use shellkeep_files::{Access, MAX_SMALL};

use crate::error::StoreError;

/// The most servers of one label at the same time.
const MAX_SERVERS: u32 = 1000;
/// How often, and for how long each time, to wait for a lock whose holder is dead. A child that was being started when
/// the server ended holds the lock until it execs, and a dying holder releases it when the kernel has freed its memory.
const MAX_LOCK_TRIES: u32 = 500;
const MAX_TRIES_WITHOUT_HOLDER: u32 = 25;
const LOCK_WAIT_MS: u16 = 2;
/// The width of the pid in a lock file.
const PID_WIDTH: usize = 10;

/// Takes the first free lock of a label, and returns the owner's name that belongs to it.
pub(super) fn take(servers: &Path, label: &str) -> Result<(String, Flock<File>), StoreError> {
    if !(1..=60).contains(&label.chars().count()) {
        return Err(StoreError::Label(label.to_owned()));
    }
    let stem = file_stem(label);
    for number in 1..=MAX_SERVERS {
        let owner = match number {
            1 => stem.clone(),
            more => format!("{stem}.{more}"),
        };
        if let Some(lock) = claim(servers, &owner)? {
            return Ok((owner, lock));
        }
    }
    Err(StoreError::Crowded(label.to_owned()))
}

/// A label as part of a file name. Characters other than letters and digits are written in hexadecimal.
fn file_stem(label: &str) -> String {
    use std::fmt::Write;
    let mut stem = String::new();
    for byte in label.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') {
            stem.push(char::from(byte));
        } else {
            let _ = write!(stem, "%{byte:02X}");
        }
    }
    stem
}

/// Whether a text can be an owner's name, and therefore part of a path.
pub(super) fn is_owner(owner: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_%.".contains(&byte);
    owner.len() <= 250 && !owner.starts_with('.') && !owner.is_empty() && owner.bytes().all(fits)
}

/// Takes the lock of an owner; `None` if the owner is alive.
pub(super) fn claim(servers: &Path, owner: &str) -> Result<Option<Flock<File>>, StoreError> {
    let path = servers.join(format!("{owner}.lock"));
    try_claim(&path).map_err(StoreError::io("lock", &path))
}

fn try_claim(path: &Path) -> io::Result<Option<Flock<File>>> {
    for tries in 0..MAX_LOCK_TRIES {
        let file = open(path)?;
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => {
                if is_at(&lock, path) {
                    // An error is ignored: on a read-only disk the lock works without it.
                    let _ = sign(&lock);
                    return Ok(Some(lock));
                }
                // The file was removed meanwhile, so other servers would not see a lock on it.
            }
            Err((file, Errno::EWOULDBLOCK)) => {
                if lives_elsewhere(&file) || (tries >= MAX_TRIES_WITHOUT_HOLDER && !is_dying(&file))
                {
                    return Ok(None);
                }
                nix::poll::poll(&mut [], PollTimeout::from(LOCK_WAIT_MS))?;
            }
            Err((_, errno)) => return Err(errno.into()),
        }
    }
    Ok(None)
}

/// Opens a lock file. On a read-only disk an existing file can still be locked.
fn open(path: &Path) -> io::Result<File> {
    match shellkeep_files::open(path, Access::Make, MAX_SMALL) {
        Err(error) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => {
            shellkeep_files::open(path, Access::Read, MAX_SMALL).map_err(|_| error)
        }
        opened => opened,
    }
}

/// Whether an open file is still the one at its path, which may have been removed or replaced.
#[must_use]
pub fn is_at(file: &File, path: &Path) -> bool {
    let here = file.metadata().map(|meta| (meta.dev(), meta.ino()));
    let there = std::fs::metadata(path).map(|meta| (meta.dev(), meta.ino()));
    matches!((here, there), (Ok(here), Ok(there)) if here == there)
}

/// Writes the holder's pid, without the socket. This is only a hint; the lock itself counts. The pid has a fixed width,
/// because truncating the file first would make some file systems wait for the disk.
fn sign(lock: &File) -> io::Result<()> {
    let signature = format!("{:<PID_WIDTH$}\n\n", std::process::id());
    lock.write_all_at(signature.as_bytes(), 0)
}

/// Writes the holder's socket to the second line: a client whose socket is gone finds its server by it. The file is not
/// truncated, so the rest of a longer earlier line may follow.
pub(super) fn sign_place(lock: &File, socket: &Path) -> io::Result<()> {
    let line = [socket.as_os_str().as_bytes(), b"\n"].concat();
    lock.write_all_at(&line, PID_WIDTH as u64 + 1)
}

/// Whether the process that signed the lock is alive and not this one.
fn lives_elsewhere(file: &File) -> bool {
    signer(file).is_some_and(|pid| {
        let is_there = !matches!(kill(Pid::from_raw(pid), None), Err(Errno::ESRCH));
        is_there && !is_exiting(pid)
    })
}

/// Whether the process that signed the lock is being torn down.
fn is_dying(file: &File) -> bool {
    signer(file).is_some_and(is_exiting)
}

/// The process that signed the lock, if it is not this one.
fn signer(file: &File) -> Option<i32> {
    let mut text = [0; PID_WIDTH];
    let count = file.read_at(&mut text, 0).unwrap_or(0);
    let signed = std::str::from_utf8(&text[..count]).ok()?.trim();
    let pid: i32 = signed.parse().ok()?;
    (pid > 0 && pid.unsigned_abs() != std::process::id()).then_some(pid)
}

/// Whether a process was killed or has exited, and the kernel is still freeing its memory. Unknown, so false, without
/// `/proc`.
fn is_exiting(pid: i32) -> bool {
    /// The kernel's `PF_EXITING`.
    const EXITING: u64 = 4;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // After the name, which may contain anything: state, parent, group, session, terminal, its group, flags.
    let Some((_, fields)) = stat.rsplit_once(')') else {
        return false;
    };
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let flags: u64 = fields
        .get(6)
        .and_then(|flags| flags.parse().ok())
        .unwrap_or(0);
    matches!(fields.first(), Some(&("Z" | "X"))) || flags & EXITING != 0
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn process_that_has_ended_and_was_not_waited_for_lives_no_more() {
        let mut child = Command::new("true").spawn().unwrap();
        let pid = child.id().cast_signed();
        while !is_exiting(pid) {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(!is_exiting(std::process::id().cast_signed()));
    }

    #[test]
    fn lock_of_a_server_that_is_dying_is_waited_for() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("default.lock");
        // Another open file holds it, signed by a zombie.
        let mut dead = Command::new("true").stdout(Stdio::null()).spawn().unwrap();
        std::fs::write(&path, format!("{}\n", dead.id())).unwrap();
        let file = open(&path).unwrap();
        let held = Flock::lock(file, FlockArg::LockExclusiveNonblock).unwrap();
        assert!(held.as_raw_fd() > 2);
        while !is_exiting(dead.id().cast_signed()) {
            std::thread::yield_now();
        }
        let waiting = std::thread::spawn({
            let path = path.clone();
            move || try_claim(&path).unwrap().is_some()
        });
        // Must exceed the wait for a lock without a holder (`MAX_TRIES_WITHOUT_HOLDER`), or the claim would have ended.
        nix::poll::poll(&mut [], PollTimeout::from(LOCK_WAIT_MS * 60)).unwrap();
        assert!(!waiting.is_finished());
        drop(held);
        assert!(waiting.join().unwrap());
        dead.wait().unwrap();
    }
}
