//! The transit pipe: a pipe through which a pane's output goes from the terminal to the journal.
//!
//! A server that reads a terminal has the bytes only in its memory until it has written them, and they are lost if it
//! is killed in between. So it does not read them first: the kernel moves them from the terminal to a pipe, and from
//! the pipe to the journal. The keeper holds the pipe as well. Whenever the server dies, each byte is in the terminal,
//! in the pipe or in the journal, and in only one of them. The bytes in the pipe can be copied and stay there, so a
//! key's echo need not wait for the file system.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::LazyLock;

use nix::errno::Errno;
use nix::fcntl::{OFlag, SpliceFFlags, splice, tee};
use nix::unistd::{pipe2, read};

/// Both ends of a new pipe in one descriptor, so that a pane needs one and not two.
///
/// # Errors
/// When no descriptor is left, or there is no `/proc`.
pub fn open() -> io::Result<OwnedFd> {
    let (read, _write) = pipe2(OFlag::O_CLOEXEC)?;
    let path = format!("/proc/self/fd/{}", read.as_raw_fd());
    // Opened without `shellkeep-files`: the pipe is in no directory.
    let both = File::options().read(true).write(true).open(path)?;
    Ok(both.into())
}

/// A terminal returns no more than this at a time, and the kernel allocates as much as is requested.
const AT_A_TIME: usize = 4 << 10;

/// Moves at most `most` bytes into the transit pipe without waiting.
///
/// # Errors
/// As `splice(2)`: `EAGAIN` if there is nothing.
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
    /// A pipe for copies of what is in a transit pipe.
    static COPY: LazyLock<io::Result<OwnedFd>> = LazyLock::new(open);
}

/// Opens the pipe that [`look`] needs in advance, so that the first output does not wait for it.
pub fn get_ready() {
    COPY.with(|copy| LazyLock::force(copy).is_ok());
}

/// Copies the content of the transit pipe to `buffer`, which must be exactly as long. The content stays in the pipe.
/// Returns whether it succeeded.
pub fn look(transit_pipe: impl AsFd, buffer: &mut [u8]) -> bool {
    COPY.with(|copy| {
        let Ok(copy) = &**copy else {
            return false;
        };
        let flags = SpliceFFlags::SPLICE_F_NONBLOCK;
        let copied = tee(transit_pipe, copy, buffer.len(), flags).unwrap_or(0);
        // The copy must be read completely, or the next call would find the rest.
        copied > 0 && read(copy, &mut buffer[..copied]) == Ok(copied) && copied == buffer.len()
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;
    use crate::process::bytes_waiting;

    #[test]
    fn transit_pipe_keeps_bytes_for_a_copy_of_its_descriptor() {
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
    fn transit_pipe_keeps_bytes_that_were_copied() {
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
