//! The sluice: a pipe that a pane's output passes through on its way from the terminal to the journal.
//!
//! A server that reads a terminal holds the bytes in its memory until it has written them; killed in that moment, they would be
//! gone. So they are never read first: the kernel moves them from the terminal into a pipe, and from the pipe into the
//! journal. The keeper holds the pipe as well. Whenever the server dies, each byte is in the terminal, in the pipe, or in
//! the journal, and in one of them only.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{OFlag, SpliceFFlags, splice};
use nix::unistd::pipe2;

/// Both ends of a new pipe in one descriptor, so that a pane costs one and not two.
///
/// # Errors
/// When there are no descriptors left, or no `/proc`.
pub fn open() -> io::Result<OwnedFd> {
    let (read, _write) = pipe2(OFlag::O_CLOEXEC)?;
    let path = format!("/proc/self/fd/{}", read.as_raw_fd());
    let both = File::options().read(true).write(true).open(path)?;
    Ok(both.into())
}

/// Moves bytes into the sluice, `most` at most, without waiting.
///
/// # Errors
/// As `splice(2)`: `EAGAIN` when there is nothing.
pub fn fill(from: impl AsFd, sluice: impl AsFd, most: usize) -> Result<usize, Errno> {
    loop {
        let flags = SpliceFFlags::SPLICE_F_NONBLOCK | SpliceFFlags::SPLICE_F_MOVE;
        match splice(&from, None, &sluice, None, most, flags) {
            Err(Errno::EINTR) => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;
    use crate::process::bytes_waiting;

    #[test]
    fn sluice_filled_keeps_the_bytes_for_whoever_holds_a_copy() {
        let sluice = open().unwrap();
        let copy = sluice.try_clone().unwrap();
        let (source, mut program) = std::io::pipe().unwrap();
        program.write_all(b"printed").unwrap();
        assert_eq!(fill(&source, &sluice, 1 << 14), Ok(7));
        assert_eq!(fill(&source, &sluice, 1 << 14), Err(Errno::EAGAIN));
        drop(sluice);
        assert_eq!(bytes_waiting(&copy), 7);
        let mut read = [0; 7];
        File::from(copy).read_exact(&mut read).unwrap();
        assert_eq!(&read, b"printed");
    }
}
