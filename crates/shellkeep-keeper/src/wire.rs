//! Frames and file descriptors over a Unix socket, without blocking.

use std::collections::VecDeque;
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};

use nix::cmsg_space;
use nix::errno::Errno;
use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};

use crate::process;
use crate::protocol::MAX_FRAME;

/// Received bytes, gathered into frames, and descriptors in the order of their frames.
#[derive(Default)]
pub(crate) struct Inbox {
    bytes: Vec<u8>,
    start: usize,
    fds: VecDeque<OwnedFd>,
}

impl Inbox {
    /// An inbox that already has these bytes.
    pub(crate) fn filled(bytes: Vec<u8>, fds: Vec<OwnedFd>) -> Self {
        Self {
            bytes,
            start: 0,
            fds: fds.into(),
        }
    }

    /// Reads once. `Ok(0)` is the end of the stream; `WouldBlock` means nothing for now.
    pub(crate) fn receive(&mut self, socket: impl AsFd) -> io::Result<usize> {
        let mut chunk = [0u8; 1 << 14];
        let mut space = cmsg_space!([RawFd; 32]);
        let mut slices = [IoSliceMut::new(&mut chunk)];
        let message = recvmsg::<()>(
            socket.as_fd().as_raw_fd(),
            &mut slices,
            Some(&mut space),
            MsgFlags::MSG_CMSG_CLOEXEC,
        )?;
        let count = message.bytes;
        for control in message.cmsgs()? {
            if let ControlMessageOwned::ScmRights(fds) = control {
                self.fds
                    .extend(fds.into_iter().map(process::own_received_fd));
            }
        }
        self.bytes.extend_from_slice(&chunk[..count]);
        Ok(count)
    }

    /// Whether everything received was taken out.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.len() == self.start
    }

    /// The content (kind and fields) of the next complete frame.
    pub(crate) fn next_frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        let unread = &self.bytes[self.start..];
        let Some(header) = unread.first_chunk::<4>() else {
            self.compact();
            return Ok(None);
        };
        let length = u32::from_le_bytes(*header) as usize;
        if length > MAX_FRAME {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "frame beyond the limit",
            ));
        }
        let Some(frame) = unread.get(4..4 + length) else {
            self.compact();
            return Ok(None);
        };
        let frame = frame.to_vec();
        self.start += 4 + length;
        Ok(Some(frame))
    }

    /// The descriptor of the frame that was just taken.
    pub(crate) fn take_fd(&mut self) -> Option<OwnedFd> {
        self.fds.pop_front()
    }

    fn compact(&mut self) {
        self.bytes.drain(..self.start);
        self.start = 0;
        self.bytes.shrink_to(1 << 14);
    }
}

/// Bytes to be sent, and how many of them were.
#[derive(Default)]
pub(crate) struct Outbox {
    frames: VecDeque<(Vec<u8>, Option<OwnedFd>)>,
    sent: usize,
}

impl Outbox {
    pub(crate) fn push(&mut self, frame: Vec<u8>, fd: Option<OwnedFd>) {
        self.frames.push_back((frame, fd));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Sends as much as the socket takes. `Ok(())` when everything is sent, `WouldBlock` when some is left.
    pub(crate) fn send(&mut self, socket: impl AsFd) -> io::Result<()> {
        while let Some((frame, fd)) = self.frames.front() {
            let slices = [IoSlice::new(&frame[self.sent..])];
            let raw: Vec<RawFd> = fd.iter().map(AsRawFd::as_raw_fd).collect();
            // The descriptor is attached to the first byte and must not be sent twice.
            let control = if self.sent == 0 && !raw.is_empty() {
                vec![ControlMessage::ScmRights(&raw)]
            } else {
                vec![]
            };
            let flags = MsgFlags::MSG_NOSIGNAL;
            match sendmsg::<()>(socket.as_fd().as_raw_fd(), &slices, &control, flags, None) {
                Ok(count) => self.sent += count,
                Err(Errno::EINTR) => continue,
                Err(errno) => return Err(errno.into()),
            }
            if self.sent == self.frames[0].0.len() {
                self.frames.pop_front();
                self.sent = 0;
            }
        }
        Ok(())
    }
}
