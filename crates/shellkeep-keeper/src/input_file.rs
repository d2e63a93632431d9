//! The input file: what was typed into a pane and no program has read yet.
//!
//! Input waits while a pane wakes up, and while the terminal of a program is full. In the memory of a server it would
//! be lost when the server dies. In a note of the keeper it would be typed twice if the server dies after writing it to
//! the terminal and before deleting the note. So it is in a file in memory, without a name, that server and keeper both
//! hold open. They hold the same open file with one position, which says how much of it the terminal has: `sendfile(2)`
//! moves bytes to the terminal and advances the position in one system call. Whichever process dies at whichever time,
//! each byte is either in the file behind the position or in the terminal, and never in both.
//!
//! If both die, the file is gone. So are the terminals then, so no program is left that has read a part of it.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt as _;

use nix::errno::Errno;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::sendfile::sendfile;

/// More than a terminal takes at a time.
const CHUNK: usize = 64 << 10;

/// Input that waits for a pane's program.
#[derive(Debug)]
pub struct InputFile(File);

impl InputFile {
    /// An empty file.
    ///
    /// # Errors
    /// When no descriptor or no memory is left.
    pub fn new() -> io::Result<Self> {
        let fd = memfd_create(c"shellkeep-input", MFdFlags::MFD_CLOEXEC)?;
        Ok(Self(fd.into()))
    }

    /// A file with this content.
    ///
    /// # Errors
    /// When no descriptor or no memory is left.
    pub fn with(bytes: &[u8]) -> io::Result<Self> {
        let file = Self::new()?;
        file.append(bytes)?;
        Ok(file)
    }

    /// The file of a descriptor that another process has sent.
    #[must_use]
    pub fn from_fd(fd: OwnedFd) -> Self {
        Self(fd.into())
    }

    /// Appends input. The position does not change.
    ///
    /// # Errors
    /// When no memory is left.
    pub fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let end = self.0.metadata()?.len();
        self.0.write_all_at(bytes, end)
    }

    /// Inserts bytes after the first `behind` of the bytes that no program has read.
    ///
    /// # Errors
    /// When no memory is left.
    pub fn insert(&self, behind: usize, bytes: &[u8]) -> io::Result<()> {
        let unsent = self.unsent()?;
        let behind = behind.min(unsent.len());
        let at = self.position()? + behind as u64;
        // In one system call, which the death of this process cannot interrupt halfway.
        self.0
            .write_all_at(&[bytes, &unsent[behind..]].concat(), at)
    }

    /// The number of bytes that no program has read.
    ///
    /// # Errors
    /// When the descriptor is no such file.
    pub fn waiting(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len().saturating_sub(self.position()?))
    }

    /// The bytes that no program has read.
    ///
    /// # Errors
    /// When the descriptor is no such file.
    pub fn unsent(&self) -> io::Result<Vec<u8>> {
        self.peek(usize::MAX)
    }

    /// Moves as many bytes to a terminal as it has room for, and returns how many. The file must not be empty.
    /// `WouldBlock` if there is no room.
    ///
    /// # Errors
    /// When the terminal is broken, or has no room.
    pub fn send(&self, terminal: impl AsFd) -> io::Result<usize> {
        loop {
            match sendfile(&terminal, &self.0, None, CHUNK) {
                Err(Errno::EINTR) => {}
                // Linux 5.10 cannot use `sendfile` with terminals. There, dying between the two steps types these bytes
                // twice.
                Err(Errno::EINVAL | Errno::ENOSYS) => {
                    return self.send_by(|bytes| Ok(nix::unistd::write(&terminal, bytes)?));
                }
                // The file is not empty, so the terminal has no room.
                Ok(0) => return Err(io::ErrorKind::WouldBlock.into()),
                other => return other.map_err(Into::into),
            }
        }
    }

    /// As [`Self::send`] with a function that writes, for a terminal that is not one of the kernel's.
    ///
    /// # Errors
    /// Those of the function.
    pub fn send_by(&self, write: impl FnOnce(&[u8]) -> io::Result<usize>) -> io::Result<usize> {
        let bytes = self.peek(CHUNK)?;
        if bytes.is_empty() {
            return Ok(0);
        }
        let count = write(&bytes)?;
        (&self.0).seek(SeekFrom::Current(i64::try_from(count).unwrap_or(0)))?;
        Ok(count)
    }

    /// The descriptor, to send to the keeper or the next server.
    #[must_use]
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    fn position(&self) -> io::Result<u64> {
        (&self.0).stream_position()
    }

    /// The first bytes that no program has read. The position does not change.
    fn peek(&self, most: usize) -> io::Result<Vec<u8>> {
        let position = self.position()?;
        let length = self.0.metadata()?.len().saturating_sub(position);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX).min(most)];
        self.0.read_exact_at(&mut bytes, position)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use nix::pty::openpty;
    use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};

    use super::*;

    #[test]
    fn position_is_shared_by_copies_of_the_descriptor() {
        let file = InputFile::with(b"typed").unwrap();
        let other = InputFile::from_fd(file.fd().try_clone_to_owned().unwrap());
        let sent = file.send_by(|bytes| Ok(bytes.len() - 2)).unwrap();
        assert_eq!(sent, 3);
        other.append(b" ahead").unwrap();
        assert_eq!(other.unsent().unwrap(), b"ed ahead");
        file.insert(2, b"<key>").unwrap();
        assert_eq!(other.unsent().unwrap(), b"ed<key> ahead");
        drop(file);
        assert_eq!(other.waiting().unwrap(), 13);
    }

    #[test]
    fn terminal_that_is_full_leaves_the_rest_in_the_file() {
        let pty = openpty(None, None).unwrap();
        let mut raw = tcgetattr(&pty.slave).unwrap();
        cfmakeraw(&mut raw);
        tcsetattr(&pty.slave, SetArg::TCSANOW, &raw).unwrap();
        for side in [&pty.master, &pty.slave] {
            fcntl(side, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
        }
        let all: Vec<u8> = (0..200_000_u32).map(|at| (at % 251) as u8).collect();
        let file = InputFile::with(&all).unwrap();
        let mut program = File::from(pty.slave);
        let (mut read, mut buffer) = (Vec::new(), [0; 1 << 14]);
        let mut was_full = false;
        while read.len() < all.len() {
            while file.waiting().unwrap() > 0 {
                let before = file.waiting().unwrap();
                let Ok(count) = file.send(&pty.master) else {
                    assert_eq!(file.waiting().unwrap(), before);
                    was_full = true;
                    break;
                };
                assert_eq!(before - file.waiting().unwrap(), count as u64);
            }
            while let Ok(count) = program.read(&mut buffer) {
                read.extend_from_slice(&buffer[..count]);
            }
        }
        assert!(was_full, "it has room for everything");
        assert!(read == all, "something is lost, twice, or out of order");
        assert_eq!(file.waiting().unwrap(), 0);
    }
}
