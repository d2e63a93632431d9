//! The connection to the keeper: messages in and out, without blocking.

use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;

use tokio::io::Interest;
use tokio::net::UnixStream;

use super::SPARE_FILES;
use crate::protocol::{FromKeeper, ToKeeper};
use crate::wire::{Inbox, Outbox};

pub(super) struct Line {
    stream: UnixStream,
    pub(super) inbox: Inbox,
    outbox: Outbox,
}

impl Line {
    /// Whether another pane leaves descriptors for everything else. Without any, what the keeper sends cannot even be received,
    /// and nothing of what all other panes print can be saved.
    pub(super) fn has_room(&self) -> bool {
        let more = (0..SPARE_FILES).map_while(|_| self.stream.as_fd().try_clone_to_owned().ok());
        more.collect::<Vec<OwnedFd>>().len() == SPARE_FILES
    }

    pub(super) fn new(stream: StdUnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        let stream = UnixStream::from_std(stream)?;
        Ok(Self {
            stream,
            inbox: Inbox::default(),
            outbox: Outbox::default(),
        })
    }

    pub(super) fn say(&mut self, message: &ToKeeper, fd: Option<OwnedFd>) {
        self.outbox.push(message.encode(), fd);
        // What does not go out at once goes out in `hear`, which also meets the error.
        let _ = self.outbox.send(self.stream.as_fd());
    }

    /// Sends what has not gone out yet.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        while !self.outbox.is_empty() {
            self.stream.writable().await?;
            let (stream, outbox) = (&self.stream, &mut self.outbox);
            would_block_is_fine(stream.try_io(Interest::WRITABLE, || outbox.send(stream)))?;
        }
        Ok(())
    }

    /// The next message. Safe to cancel: whatever was read stays in the inbox.
    pub(super) async fn hear(&mut self) -> io::Result<FromKeeper> {
        loop {
            while let Some(frame) = self.inbox.next_frame()? {
                // An unknown kind comes from a later version and is not meant for us.
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
