//! Decodes the bytes of a client's terminal, with the wait that distinguishes Escape from the beginning of a key.

use std::time::Duration;

use shellkeep_core::{ClientId, Size};
use shellkeep_term::key::{Input, InputDecoder, TerminalReply};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use crate::event::Event;

/// How long Escape waits at least while a reply of the terminal is expected, as in tmux. A slow link may deliver a
/// reply in pieces, and without the wait its rest would be typed into a pane.
const ANSWER_PIECE_TIMEOUT: Duration = Duration::from_millis(500);
/// After this time no reply is expected any more: Escape must not stay slow with a terminal that never replies.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) struct Keyboard {
    client: ClientId,
    decoder: InputDecoder,
    events: mpsc::Sender<Event>,
    escape_time: watch::Receiver<Duration>,
    /// When an unfinished sequence is taken as keys.
    flush_at: Option<Instant>,
    /// Until when replies of the terminal are expected.
    answers_until: Option<Instant>,
}

/// The event loop has ended.
#[derive(Debug)]
pub(crate) struct LoopGone;

impl Keyboard {
    pub(crate) fn new(
        client: ClientId,
        events: mpsc::Sender<Event>,
        escape_time: watch::Receiver<Duration>,
    ) -> Self {
        Self {
            client,
            decoder: InputDecoder::new(),
            events,
            escape_time,
            flush_at: None,
            answers_until: Some(Instant::now() + ANSWER_TIMEOUT),
        }
    }

    /// The terminal was queried, so replies are expected.
    pub(crate) fn expect_answers(&mut self) {
        self.answers_until = Some(Instant::now() + ANSWER_TIMEOUT);
    }

    /// Decodes bytes from the terminal.
    pub(crate) async fn typed(&mut self, bytes: &[u8]) -> Result<(), LoopGone> {
        let mut input = Vec::new();
        self.decoder.feed(bytes, &mut input);
        self.send(input).await
    }

    pub(crate) async fn resized(&self, size: Option<Size>) {
        if let Some(size) = size {
            let event = Event::Resized {
                client: self.client,
                size,
            };
            // If the loop has ended, the next keys find out.
            let _ = self.events.send(event).await;
        }
    }

    /// Whether a key or paste is incomplete. Another program would misread its rest.
    pub(crate) fn is_within(&self) -> bool {
        self.decoder.has_pending() || self.decoder.is_pasting()
    }

    /// Waits until an unfinished sequence is due to be flushed; forever if there is none.
    pub(crate) async fn flush_due(&self) {
        match self.flush_at {
            Some(at) => sleep_until(at).await,
            None => std::future::pending().await,
        }
    }

    /// Takes an unfinished sequence as keys. A partial reply of the terminal may wait longer.
    pub(crate) async fn flush(&mut self) -> Result<(), LoopGone> {
        let mut input = Vec::new();
        self.decoder.flush(&mut input);
        self.send(input).await
    }

    async fn send(&mut self, input: Vec<Input>) -> Result<(), LoopGone> {
        // The query of primary attributes is the last one, and so is its reply.
        let is_last =
            |input: &Input| matches!(input, Input::Reply(TerminalReply::PrimaryAttributes(_)));
        if input.iter().any(is_last) {
            self.answers_until = None;
        }
        let wait = self.wait();
        self.flush_at = self.decoder.has_pending().then(|| Instant::now() + wait);
        if input.is_empty() {
            return Ok(());
        }
        let event = Event::Typed {
            client: self.client,
            input,
        };
        self.events.send(event).await.map_err(|_| LoopGone)
    }

    /// How long an unfinished sequence waits for its rest.
    fn wait(&mut self) -> Duration {
        let wait = *self.escape_time.borrow();
        self.answers_until = self.answers_until.filter(|until| Instant::now() < *until);
        match self.answers_until {
            Some(_) => wait.max(ANSWER_PIECE_TIMEOUT),
            None => wait,
        }
    }
}
