//! The queue of a client's task: messages to be sent in order, and the latest state of its terminal.
//!
//! A client that does not read must not make memory grow. Of a state (scene, bell, clipboard) only the latest is kept;
//! messages are counted, commands wait for room, and a client that is too far behind is disconnected.

use std::collections::VecDeque;
use std::mem::discriminant;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shellkeep_core::base64;
use shellkeep_keeper::Pty;
use shellkeep_proto::FromServer;
use tokio::sync::{Notify, OwnedSemaphorePermit};

use crate::clients::native_feed::NativeFeed;
use crate::display::scene::Scene;

/// A client with this many unread bytes gets no more of its commands run.
const FULL_BYTES: usize = 1 << 20;

/// A client with this many unread messages is disconnected: no command has so many answers.
const MAX_MESSAGES: usize = 10_000;

/// What one message costs besides its bytes.
const MESSAGE_OVERHEAD: usize = 128;

/// The largest size of all clipboards of a terminal together.
const MAX_CLIPBOARD: usize = 16 << 20;

/// A task for the client writer.
pub(crate) enum Mail {
    /// Send this message.
    Message(FromServer),
    /// Show this scene from now on. It is in the same queue as messages, so that no frame comes before the message that
    /// the client is attached, or after the one to leave.
    Show(Option<Arc<Scene>>),
    /// Paint on this terminal, or through the client again.
    Terminal(Option<Arc<dyn Pty>>),
    /// The client has painted this many frames.
    Painted(usize),
    /// The contents of the terminal are unknown.
    Repaint,
    /// Pass a pane's output on unchanged instead of painting, or paint again.
    Native(Option<Arc<NativeFeed>>),
    /// Send this to the terminal; it paints nothing.
    Pass(SideOutput),
    /// Everything before this was sent.
    Sent(OwnedSemaphorePermit),
    /// Send these bytes to the terminal before the next frame. Its contents are unknown afterwards.
    Prepare(Vec<u8>),
}

impl Mail {
    /// Whether it is a state, of which only the latest counts.
    fn is_state(&self) -> bool {
        !matches!(self, Self::Message(_) | Self::Sent(_))
    }

    /// Merges an earlier one of the same kind. Returns how many bytes are dropped.
    fn absorb(&mut self, earlier: Self) -> usize {
        match (self, earlier) {
            (Self::Painted(frames), Self::Painted(before)) => {
                *frames += before;
                0
            }
            (Self::Pass(side_output), Self::Pass(before)) => {
                let newer = std::mem::replace(side_output, before);
                side_output.add(newer)
            }
            _ => 0,
        }
    }

    fn cost(&self) -> usize {
        let bytes = match self {
            Self::Message(FromServer::Stdout(bytes) | FromServer::Stderr(bytes)) => bytes.len(),
            _ => 0,
        };
        bytes + MESSAGE_OVERHEAD
    }
}

/// What a terminal is sent besides frames. Only the latest of each counts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SideOutput {
    has_bell: bool,
    /// The terminal is to be asked for its clipboard.
    asks_clipboard: bool,
    /// Clipboards by selection, the latest last.
    clipboards: Vec<(String, Vec<u8>)>,
}

impl SideOutput {
    pub(crate) fn bell() -> Self {
        Self {
            has_bell: true,
            ..Self::default()
        }
    }

    pub(crate) fn clipboard_question() -> Self {
        Self {
            asks_clipboard: true,
            ..Self::default()
        }
    }

    pub(crate) fn clipboard(selection: &str, data: &[u8]) -> Self {
        Self {
            clipboards: vec![(selection.to_owned(), data.to_vec())],
            ..Self::default()
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds later ones. Returns how many bytes are dropped.
    pub(crate) fn add(&mut self, newer: Self) -> usize {
        self.has_bell |= newer.has_bell;
        self.asks_clipboard |= newer.asks_clipboard;
        let mut dropped = 0;
        for (selection, data) in newer.clipboards {
            self.clipboards.retain(|(known, old)| {
                let is_other = *known != selection;
                dropped += if is_other { 0 } else { old.len() };
                is_other
            });
            self.clipboards.push((selection, data));
        }
        let size =
            |all: &[(String, Vec<u8>)]| all.iter().map(|(_, data)| data.len()).sum::<usize>();
        while size(&self.clipboards) > MAX_CLIPBOARD {
            dropped += self.clipboards.remove(0).1.len();
        }
        dropped
    }

    /// Appends the escape sequences.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for (selection, data) in &self.clipboards {
            out.extend_from_slice(
                format!("\x1b]52;{selection};{}\x07", base64::encode(data)).as_bytes(),
            );
        }
        if self.asks_clipboard {
            out.extend_from_slice(b"\x1b]52;;?\x07");
        }
        if self.has_bell {
            out.push(0x07);
        }
    }
}

#[derive(Default)]
pub(crate) struct Mailbox {
    inner: Mutex<Inner>,
    grown: Notify,
    shrunk: Notify,
    over: Notify,
}

#[derive(Default)]
struct Inner {
    mail: VecDeque<Mail>,
    cost: usize,
    messages: usize,
    /// Nothing more may be added.
    is_closed: bool,
    /// Nothing more is taken: the client is gone, or too far behind.
    is_over: bool,
}

impl Mailbox {
    /// Adds a task. Returns how many bytes for the terminal are dropped.
    pub(crate) fn add(&self, mut mail: Mail) -> usize {
        let mut inner = self.lock();
        if inner.is_over {
            return 0;
        }
        let mut dropped = 0;
        if mail.is_state() {
            let kind = discriminant(&mail);
            let since_message = inner.mail.iter().rev().take_while(|it| it.is_state());
            let found = since_message
                .enumerate()
                .find(|(_, it)| discriminant(*it) == kind);
            if let Some((from_end, _)) = found {
                let at = inner.mail.len() - 1 - from_end;
                if let Some(earlier) = inner.mail.remove(at) {
                    dropped = mail.absorb(earlier);
                }
            }
        } else {
            inner.cost += mail.cost();
            inner.messages += 1;
        }
        inner.mail.push_back(mail);
        if inner.messages > MAX_MESSAGES {
            tracing::warn!("a client does not read; disconnecting it");
            drop(inner);
            self.end();
            return dropped;
        }
        self.grown.notify_one();
        dropped
    }

    /// The next task. None once the mailbox is closed and empty.
    pub(crate) async fn next(&self) -> Option<Mail> {
        loop {
            {
                let mut inner = self.lock();
                if inner.is_over {
                    return None;
                }
                if let Some(mail) = inner.mail.pop_front() {
                    if !mail.is_state() {
                        inner.cost -= mail.cost();
                        inner.messages -= 1;
                        self.shrunk.notify_one();
                    }
                    return Some(mail);
                }
                if inner.is_closed {
                    return None;
                }
            }
            self.grown.notified().await;
        }
    }

    /// Whether the client's commands should wait until it has read more.
    pub(crate) fn is_full(&self) -> bool {
        let inner = self.lock();
        inner.cost > FULL_BYTES && !inner.is_over
    }

    /// Waits until the client has read most of its messages.
    pub(crate) async fn room(&self) {
        while self.is_full() {
            self.shrunk.notified().await;
        }
        // Other tasks may wait for the same.
        self.shrunk.notify_one();
    }

    /// Waits until the client is gone or too far behind.
    pub(crate) async fn ended(&self) {
        let mut over = pin!(self.over.notified());
        // Register before the check, so that an end between check and wait is not missed.
        over.as_mut().enable();
        if !self.lock().is_over {
            over.await;
        }
    }

    /// Closes the mailbox. What is in it is still carried out.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.grown.notify_one();
    }

    /// The client is gone: drops everything.
    pub(crate) fn end(&self) {
        self.lock().end();
        self.grown.notify_one();
        self.shrunk.notify_one();
        self.over.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn end(&mut self) {
        self.is_over = true;
        self.mail = VecDeque::new();
        (self.cost, self.messages) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(mailbox: &Mailbox) -> usize {
        mailbox.lock().mail.len()
    }

    #[test]
    fn of_a_state_the_newest_is_kept_and_messages_stay_in_order() {
        let mailbox = Mailbox::default();
        for _ in 0..1000 {
            mailbox.add(Mail::Pass(SideOutput::bell()));
            mailbox.add(Mail::Show(None));
            mailbox.add(Mail::Repaint);
            mailbox.add(Mail::Painted(1));
        }
        assert_eq!(pieces(&mailbox), 4);
        mailbox.add(Mail::Message(FromServer::Relay));
        mailbox.add(Mail::Show(None));
        assert_eq!(pieces(&mailbox), 6, "none overtakes a message");
        let painted = mailbox.lock().mail.iter().find_map(|mail| match mail {
            Mail::Painted(frames) => Some(*frames),
            _ => None,
        });
        assert_eq!(painted, Some(1000), "frames are counted");
    }

    #[test]
    fn clipboards_are_kept_by_selection_the_newest_of_each_up_to_a_size() {
        let mut side_output = SideOutput::default();
        side_output.add(SideOutput::clipboard("c", b"old"));
        side_output.add(SideOutput::clipboard("p", b"other"));
        assert_eq!(side_output.add(SideOutput::clipboard("c", b"new")), 3);
        side_output.add(SideOutput::bell());
        side_output.add(SideOutput::bell());
        let mut out = Vec::new();
        side_output.write(&mut out);
        assert_eq!(out, b"\x1b]52;p;b3RoZXI=\x07\x1b]52;c;bmV3\x07\x07");
        let large = vec![0; MAX_CLIPBOARD - 2];
        assert_eq!(side_output.add(SideOutput::clipboard("q", &large)), 5 + 3);
    }

    #[tokio::test]
    async fn client_that_does_not_read_has_no_room_and_is_closed_at_last() {
        let mailbox = Mailbox::default();
        mailbox.add(Mail::Message(FromServer::Stdout(vec![0; FULL_BYTES])));
        assert!(mailbox.is_full());
        for _ in 0..MAX_MESSAGES {
            mailbox.add(Mail::Message(FromServer::Suspend));
        }
        mailbox.ended().await;
        mailbox.room().await;
        assert!(mailbox.next().await.is_none());
        assert_eq!(pieces(&mailbox), 0);
    }
}
