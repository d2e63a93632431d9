//! The transit pipe: a pipe that a pane's output passes through on its way from the terminal to the journal.
//!
//! A server that reads a terminal holds the bytes in its memory until it has written them; killed in that moment, they would be
//! gone. So they are never read first: the kernel moves them from the terminal into a pipe, and from the pipe into the
//! journal. The keeper holds the pipe as well. Whenever the server dies, each byte is in the terminal, in the pipe, or in
//! the journal, and in one of them only. What is in the pipe can be looked at and stays there: a key's echo need not wait for
//! the file system.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::LazyLock;

use nix::errno::Errno;
use nix::fcntl::{OFlag, SpliceFFlags, splice, tee};
use nix::unistd::{pipe2, read};

/// Both ends of a new pipe in one descriptor, so that a pane costs one and not two.
///
/// # Errors
/// When there are no descriptors left, or no `/proc`.
pub fn open() -> io::Result<OwnedFd> {
    let (read, _write) = pipe2(OFlag::O_CLOEXEC)?;
    let path = format!("/proc/self/fd/{}", read.as_raw_fd());
    // Not ours: a pipe that is not in any directory.
    let both = File::options().read(true).write(true).open(path)?;
    Ok(both.into())
}

/// A terminal gives no more than this at a time, and the kernel makes room for all that is asked for.
const AT_A_TIME: usize = 4 << 10;

/// Moves bytes into the transit pipe, `most` at most, without waiting.
///
/// # Errors
/// As `splice(2)`: `EAGAIN` when there is nothing.
pub fn fill(from: impl AsFd, transit_pipe: impl AsFd, most: usize) -> Result<usize, Errno> {
    loop {
        let flags = SpliceFFlags::SPLICE_F_NONBLOCK | SpliceFFlags::SPLICE_F_MOVE;
        match splice(&from, None, &transit_pipe, None, most.min(AT_A_TIME), flags) {
            Err(Errno::EINTR) => {}
            other => return other,
        }
    }
}

thread_local! {
    /// Where copies of what is in a transit pipe can be read.
    static COPY: LazyLock<io::Result<OwnedFd>> = LazyLock::new(open);
}

/// Makes what [`look`] needs ahead of time, so that the first output does not wait for it.
pub fn get_ready() {
    COPY.with(|copy| LazyLock::force(copy).is_ok());
}

/// Copies what is in the transit pipe into `buffer`, where it must be all there is; it stays in the transit pipe. Whether that was possible.
pub fn look(transit_pipe: impl AsFd, buffer: &mut [u8]) -> bool {
    COPY.with(|copy| {
        let Ok(copy) = &**copy else {
            return false;
        };
        let flags = SpliceFFlags::SPLICE_F_NONBLOCK;
        let copied = tee(transit_pipe, copy, buffer.len(), flags).unwrap_or(0);
        // Nothing may be left in the copy, or the next to look would find it.
        copied > 0 && read(copy, &mut buffer[..copied]) == Ok(copied) && copied == buffer.len()
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;
    use crate::process::bytes_waiting;

    #[test]
    fn transit_pipe_filled_keeps_the_bytes_for_whoever_holds_a_copy() {
        let transit_pipe = open().unwrap();
        let copy = transit_pipe.try_clone().unwrap();
        let (source, mut program) = std::io::pipe().unwrap();
        program.write_all(b"printed").unwrap();
        assert_eq!(fill(&source, &transit_pipe, 1 << 14), Ok(7));
        assert_eq!(fill(&source, &transit_pipe, 1 << 14), Err(Errno::EAGAIN));
        drop(transit_pipe);
        assert_eq!(bytes_waiting(&copy), 7);
        let mut read = [0; 7];
        File::from(copy).read_exact(&mut read).unwrap();
        assert_eq!(&read, b"printed");
    }

    #[test]
    fn transit_pipe_looked_at_keeps_what_is_seen() {
        let transit_pipe = open().unwrap();
        let mut seen = [0; 4];
        assert!(!look(&transit_pipe, &mut seen), "nothing is in it");
        File::from(transit_pipe.try_clone().unwrap())
            .write_all(b"echo")
            .unwrap();
        for _ in 0..2 {
            seen.fill(0);
            assert!(look(&transit_pipe, &mut seen));
            assert_eq!(&seen, b"echo");
        }
        assert!(!look(&transit_pipe, &mut [0; 5]), "there is less in it");
        assert!(
            look(&transit_pipe, &mut seen),
            "and nothing of that is left over"
        );
        assert_eq!((&seen, bytes_waiting(&transit_pipe)), (b"echo", 4));
    }
}
