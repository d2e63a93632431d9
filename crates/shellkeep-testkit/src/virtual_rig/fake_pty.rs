//! A PTY whose program is controlled by the test.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::os::fd::BorrowedFd;
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use shellkeep_core::Size;
use shellkeep_keeper::Pty;

/// The master's end. The test has access to the program's end.
pub struct FakePty(Mutex<PtyState>);

struct PtyState {
    output: VecDeque<u8>,
    input: Vec<u8>,
    room: usize,
    size: Size,
    told: Vec<Size>,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl FakePty {
    pub(super) fn new(size: Size) -> Self {
        Self(Mutex::new(PtyState {
            output: VecDeque::new(),
            input: Vec::new(),
            room: usize::MAX,
            size,
            told: Vec::new(),
            reader: None,
            writer: None,
        }))
    }

    fn state(&self) -> MutexGuard<'_, PtyState> {
        self.0.lock().expect("no panic held it")
    }

    pub(super) fn print(&self, bytes: &[u8]) {
        let mut state = self.state();
        state.output.extend(bytes);
        if let Some(waker) = state.reader.take() {
            waker.wake();
        }
    }

    pub(super) fn take_input(&self) -> Vec<u8> {
        std::mem::take(&mut self.state().input)
    }

    pub(super) fn set_room(&self, bytes: usize) {
        let mut state = self.state();
        state.room = bytes;
        if let Some(waker) = state.writer.take() {
            waker.wake();
        }
    }

    pub(super) fn size(&self) -> Size {
        self.state().size
    }

    pub(super) fn told(&self) -> Vec<Size> {
        self.state().told.clone()
    }
}

impl Pty for FakePty {
    fn poll_read(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        match self.try_read(buf) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.state().reader = Some(cx.waker().clone());
                Poll::Pending
            }
            result => Poll::Ready(result),
        }
    }

    fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state();
        let count = state.output.len().min(buf.len());
        if count == 0 {
            return Err(ErrorKind::WouldBlock.into());
        }
        for (slot, byte) in buf.iter_mut().zip(state.output.drain(..count)) {
            *slot = byte;
        }
        Ok(count)
    }

    fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self.try_write(buf) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.state().writer = Some(cx.waker().clone());
                Poll::Pending
            }
            result => Poll::Ready(result),
        }
    }

    fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
        let mut state = self.state();
        let count = buf.len().min(state.room);
        if count == 0 && !buf.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        state.room -= count;
        state.input.extend_from_slice(&buf[..count]);
        Ok(count)
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        let mut state = self.state();
        state.size = size;
        state.told.push(size);
        Ok(())
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }
}
