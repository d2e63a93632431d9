//! A PTY master as the server sees it: read, write, resize, and nothing that blocks.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::task::{Context, Poll};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use shellkeep_core::Size;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::input_file::InputFile;
use crate::{process, transit_pipe};

/// The server's end of a pane's terminal. Shared: the pane's task reads, the event loop writes.
pub trait Pty: Send + Sync + 'static {
    /// Reads what the program has printed. `Ok(0)` is the end: no process has the terminal open any more.
    fn poll_read(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>>;

    /// Reads without waiting; `WouldBlock` when there is nothing.
    ///
    /// # Errors
    /// When the terminal is broken, or has nothing.
    fn try_read(&self, buf: &mut [u8]) -> io::Result<usize>;

    /// Writes what the program is to read, waiting for room.
    fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>>;

    /// Writes without waiting; `WouldBlock` when there is no room.
    ///
    /// # Errors
    /// When the terminal is broken, or has no room.
    fn try_write(&self, buf: &[u8]) -> io::Result<usize>;

    /// Moves input out of its file to the program, without waiting; `WouldBlock` when there is no room. Says how much.
    ///
    /// # Errors
    /// When the terminal is broken, or has no room.
    fn try_send(&self, file: &InputFile) -> io::Result<usize> {
        file.send_by(|bytes| self.try_write(bytes))
    }

    /// The same, waiting for room.
    fn poll_send(&self, cx: &mut Context<'_>, file: &InputFile) -> Poll<io::Result<usize>> {
        let sent = file.send_by(|bytes| match self.poll_write(cx, bytes) {
            Poll::Ready(result) => result,
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        });
        match sent {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Poll::Pending,
            sent => Poll::Ready(sent),
        }
    }

    /// Tells the program a new size.
    ///
    /// # Errors
    /// When the terminal is broken.
    fn resize(&self, size: Size) -> io::Result<()>;

    /// The descriptor, to hand it to another keeper; none in a test.
    fn fd(&self) -> Option<BorrowedFd<'_>>;

    /// Where output can be passed through on its way to a file; see [`crate::transit_pipe`].
    fn transit_pipe(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Moves what the program has printed into the transit pipe, `most` bytes at most, and says how much. `Ok(0)` is the end.
    fn poll_transit(&self, _cx: &mut Context<'_>, _most: usize) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(io::ErrorKind::Unsupported.into()))
    }

    /// The same, without waiting.
    ///
    /// # Errors
    /// When the terminal is broken, or has nothing.
    fn try_transit(&self, _most: usize) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// A real PTY master, or a terminal.
pub struct Master {
    reading: AsyncFd<OwnedFd>,
    /// Watched only once it was too full to be written to: room that no writer waits for would wake us after every
    /// key.
    writing: OnceLock<AsyncFd<OwnedFd>>,
    transit_pipe: Option<OwnedFd>,
}

impl Master {
    /// Makes a received descriptor ready for use in the runtime.
    ///
    /// # Errors
    /// When the runtime cannot watch it.
    pub fn new(fd: OwnedFd, transit_pipe: Option<OwnedFd>) -> io::Result<Self> {
        let flags = OFlag::from_bits_retain(fcntl(&fd, FcntlArg::F_GETFL)?);
        fcntl(&fd, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        Ok(Self {
            reading: process::watch(fd, Interest::READABLE)?,
            writing: OnceLock::new(),
            transit_pipe,
        })
    }

    /// Passes output into the transit pipe. A kernel that cannot do so with a terminal says `Unsupported`.
    fn pass(&self, most: usize) -> io::Result<usize> {
        let transit_pipe = self
            .transit_pipe
            .as_ref()
            .ok_or(io::ErrorKind::Unsupported)?;
        match transit_pipe::fill(self.reading.get_ref(), transit_pipe, most) {
            // Linux says EIO when the last program has closed its end.
            Err(Errno::EIO) => Ok(0),
            Err(Errno::EINVAL | Errno::ENOSYS) => Err(io::ErrorKind::Unsupported.into()),
            other => other.map_err(Into::into),
        }
    }

    /// Reads with the given function, if the terminal is readable.
    fn poll_some(
        &self,
        cx: &mut Context<'_>,
        is_all: impl Fn(usize) -> bool,
        mut read: impl FnMut() -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = std::task::ready!(self.reading.poll_read_ready(cx))?;
            if let Ok(result) = guard.try_io(|_| read()) {
                // The kernel reports again when more can be read.
                if result.as_ref().is_ok_and(|count| is_all(*count)) {
                    guard.clear_ready();
                }
                return Poll::Ready(result);
            }
        }
    }

    fn writing(&self) -> io::Result<&AsyncFd<OwnedFd>> {
        if let Some(writing) = self.writing.get() {
            return Ok(writing);
        }
        // The same open file, so not blocking holds for it too.
        let copy = self.reading.get_ref().try_clone()?;
        let watched = process::watch(copy, Interest::WRITABLE)?;
        Ok(self.writing.get_or_init(|| watched))
    }
}

impl Pty for Master {
    fn poll_read(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        let room = buf.len();
        self.poll_some(
            cx,
            |count| (1..room).contains(&count),
            || read(&self.reading, buf),
        )
    }

    fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        read(&self.reading, buf)
    }

    fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let writing = self.writing()?;
        loop {
            let mut guard = std::task::ready!(writing.poll_write_ready(cx))?;
            if let Ok(result) = guard.try_io(|fd| write(fd, buf)) {
                return Poll::Ready(result);
            }
        }
    }

    fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
        write(&self.reading, buf)
    }

    fn try_send(&self, file: &InputFile) -> io::Result<usize> {
        file.send(self.reading.get_ref())
    }

    fn poll_send(&self, cx: &mut Context<'_>, file: &InputFile) -> Poll<io::Result<usize>> {
        let writing = self.writing()?;
        loop {
            let mut guard = std::task::ready!(writing.poll_write_ready(cx))?;
            if let Ok(result) = guard.try_io(|fd| file.send(fd.get_ref())) {
                return Poll::Ready(result);
            }
        }
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        process::set_terminal_size(&self.reading, size)
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.reading.as_fd())
    }

    fn transit_pipe(&self) -> Option<BorrowedFd<'_>> {
        self.transit_pipe.as_ref().map(AsFd::as_fd)
    }

    fn poll_transit(&self, cx: &mut Context<'_>, most: usize) -> Poll<io::Result<usize>> {
        // A flood comes in pieces, and its reader is not to be woken for each.
        self.poll_some(cx, |_| false, || self.pass(most))
    }

    fn try_transit(&self, most: usize) -> io::Result<usize> {
        self.pass(most)
    }
}

fn read(fd: &AsyncFd<OwnedFd>, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match nix::unistd::read(fd.get_ref(), buf) {
            Err(Errno::EINTR) => {}
            // Linux says EIO when the last program has closed its end.
            Err(Errno::EIO) => return Ok(0),
            other => return other.map_err(Into::into),
        }
    }
}

fn write(fd: &AsyncFd<OwnedFd>, buf: &[u8]) -> io::Result<usize> {
    loop {
        match nix::unistd::write(fd.get_ref(), buf) {
            Err(Errno::EINTR) => {}
            other => return other.map_err(Into::into),
        }
    }
}
