//! The connection to the keeper: messages in and out, without blocking.

use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;

use tokio::io::Interest;
use tokio::net::UnixStream;

use super::SPARE_FILES;
use crate::protocol::{FromKeeper, ToKeeper, VERSION};
use crate::wire::{Inbox, Outbox};

pub(super) struct KeeperConnection {
    stream: UnixStream,
    pub(super) inbox: Inbox,
    outbox: Outbox,
    /// The protocol version of the keeper.
    version: u32,
}

impl KeeperConnection {
    /// Whether enough descriptors are free for another pane. Without any, messages of the keeper with a descriptor
    /// could not be received, and the output of other panes could not be saved.
    pub(super) fn has_room(&self) -> bool {
        let more = (0..SPARE_FILES).map_while(|_| self.stream.as_fd().try_clone_to_owned().ok());
        more.collect::<Vec<OwnedFd>>().len() == SPARE_FILES
    }

    /// Opens a connection to a keeper that is assumed to have `version` until its hello. The keeper answers our hello
    /// with everything that it holds, and learns our version from it.
    pub(super) fn open(stream: StdUnixStream, version: u32) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        let stream = UnixStream::from_std(stream)?;
        let mut line = Self {
            stream,
            inbox: Inbox::default(),
            outbox: Outbox::default(),
            version,
        };
        line.send(&ToKeeper::Hello { version: VERSION }, None);
        Ok(line)
    }

    /// The protocol version of the keeper.
    pub(super) fn version(&self) -> u32 {
        self.version
    }

    /// Records the version in the keeper's hello. Returns false if the keeper has not understood what was sent before.
    pub(super) fn learn(&mut self, version: u32) -> bool {
        let taken_for = std::mem::replace(&mut self.version, version);
        taken_for <= version
    }

    /// Sends a message. One that does not fit into a frame is dropped, because the keeper would close the connection.
    pub(super) fn send(&mut self, message: &ToKeeper, fd: Option<OwnedFd>) {
        let Some(frame) = message.encode(self.version) else {
            tracing::error!("a message to the keeper is too long and was left out");
            return;
        };
        self.outbox.push(frame, fd);
        // `next_message` sends the rest, and sees the error.
        let _ = self.outbox.send(self.stream.as_fd());
    }

    /// Whether a message to the keeper fits into a frame.
    pub(super) fn fits(&self, message: &ToKeeper) -> bool {
        message.encode(self.version).is_some()
    }

    /// Sends everything that is queued.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        while !self.outbox.is_empty() {
            self.stream.writable().await?;
            let (stream, outbox) = (&self.stream, &mut self.outbox);
            would_block_is_fine(stream.try_io(Interest::WRITABLE, || outbox.send(stream)))?;
        }
        Ok(())
    }

    /// The next message. Cancel-safe: what was read stays in the inbox.
    pub(super) async fn next_message(&mut self) -> io::Result<FromKeeper> {
        loop {
            while let Some(frame) = self.inbox.next_frame()? {
                // An unknown kind comes from a later version, and is skipped.
                if let Some(message) = FromKeeper::decode(&frame) {
                    return Ok(message);
                }
            }
            let mut interest = Interest::READABLE;
            if !self.outbox.is_empty() {
                interest |= Interest::WRITABLE;
            }
            let ready = self.stream.ready(interest).await?;
            if ready.is_writable() && !self.outbox.is_empty() {
                let (stream, outbox) = (&self.stream, &mut self.outbox);
                would_block_is_fine(stream.try_io(Interest::WRITABLE, || outbox.send(stream)))?;
            }
            if ready.is_readable() {
                let (stream, inbox) = (&self.stream, &mut self.inbox);
                let result = stream.try_io(Interest::READABLE, || inbox.receive(stream));
                match result {
                    Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                    other => would_block_is_fine(other.map(drop))?,
                }
            }
        }
    }
}

fn would_block_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
            Ok(())
        }
        other => other,
    }
}
