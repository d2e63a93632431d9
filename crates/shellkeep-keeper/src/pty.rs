//! The server's view of a PTY master: read, write, resize. Nothing here blocks.

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

/// The server's end of a pane's terminal. Shared, because the pane's task reads and the event loop writes.
pub trait Pty: Send + Sync + 'static {
    /// Reads output of the program. `Ok(0)` is the end: no process has the terminal open.
    fn poll_read(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>>;

    /// Reads without waiting; `WouldBlock` if there is nothing.
    ///
    /// # Errors
    /// When the terminal is broken, or has nothing.
    fn try_read(&self, buf: &mut [u8]) -> io::Result<usize>;

    /// Writes input for the program, and waits for room.
    fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>>;

    /// Writes without waiting; `WouldBlock` if there is no room.
    ///
    /// # Errors
    /// When the terminal is broken, or has no room.
    fn try_write(&self, buf: &[u8]) -> io::Result<usize>;

    /// Moves input from its file to the terminal without waiting, and returns how much; `WouldBlock` if there is no
    /// room.
    ///
    /// # Errors
    /// When the terminal is broken, or has no room.
    fn try_send(&self, file: &InputFile) -> io::Result<usize> {
        file.send_by(|bytes| self.try_write(bytes))
    }

    /// As [`Self::try_send`], and waits for room.
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

    /// Sets the size of the terminal.
    ///
    /// # Errors
    /// When the terminal is broken.
    fn resize(&self, size: Size) -> io::Result<()>;

    /// The descriptor, to be sent to another keeper; `None` in a test.
    fn fd(&self) -> Option<BorrowedFd<'_>>;

    /// The pane's transit pipe; see [`crate::transit_pipe`].
    fn transit_pipe(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Moves at most `most` bytes of output to the transit pipe, and returns how many. `Ok(0)` is the end.
    fn poll_transit(&self, _cx: &mut Context<'_>, _most: usize) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(io::ErrorKind::Unsupported.into()))
    }

    /// As [`Self::poll_transit`], without waiting.
    ///
    /// # Errors
    /// When the terminal is broken, or has nothing.
    fn try_transit(&self, _most: usize) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub struct Master {
    reading: AsyncFd<OwnedFd>,
    /// Registered for writing only after a write found the terminal full. Otherwise the runtime would be woken after
    /// every key, although no writer waits for room.
    writing: OnceLock<AsyncFd<OwnedFd>>,
    transit_pipe: Option<OwnedFd>,
}

impl Master {
    /// Registers a received descriptor with the async runtime.
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

    /// Moves output to the transit pipe. `Unsupported` if the kernel cannot splice from a terminal.
    fn pass(&self, most: usize) -> io::Result<usize> {
        let transit_pipe = self
            .transit_pipe
            .as_ref()
            .ok_or(io::ErrorKind::Unsupported)?;
        match transit_pipe::fill(self.reading.get_ref(), transit_pipe, most) {
            // Linux returns EIO when no process has the other end open.
            Err(Errno::EIO) => Ok(0),
            Err(Errno::EINVAL | Errno::ENOSYS) => Err(io::ErrorKind::Unsupported.into()),
            other => other.map_err(Into::into),
        }
    }

    /// Reads with the given function if the terminal is readable.
    fn poll_some(
        &self,
        cx: &mut Context<'_>,
        is_all: impl Fn(usize) -> bool,
        mut read: impl FnMut() -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = std::task::ready!(self.reading.poll_read_ready(cx))?;
            if let Ok(result) = guard.try_io(|_| read()) {
                // If everything was read, wait for the kernel to report the next output.
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
        // A copy of the descriptor shares the open file, so it does not block either.
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
        // A flood comes in pieces, and must not wake its reader for each of them.
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
            // Linux returns EIO when no process has the other end open.
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
