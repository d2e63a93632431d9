//! Bytes of a client's terminal to events, with the wait that tells an Escape from the beginning of a key.

use std::time::Duration;

use shellkeep_core::{ClientId, Size};
use shellkeep_term::key::{Input, InputDecoder, TerminalReply};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use crate::event::Event;

/// While the terminal owes an answer, an Escape waits at least this long for what follows it, as in tmux: a slow link may
/// deliver the answer in pieces, and the rest of it would be typed into a pane.
const ANSWER_PIECE_TIMEOUT: Duration = Duration::from_millis(500);
/// A terminal that has not answered by then will not, and must not delay Escape for ever.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Decodes one client's terminal.
pub(crate) struct Keyboard {
    client: ClientId,
    decoder: InputDecoder,
    events: mpsc::Sender<Event>,
    escape_time: watch::Receiver<Duration>,
    /// When an unfinished sequence is taken for what it is.
    flush_at: Option<Instant>,
    /// Until when answers of the terminal may come.
    answers_until: Option<Instant>,
}

/// The event loop is gone.
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

    /// The terminal is asked what it can do.
    pub(crate) fn expect_answers(&mut self) {
        self.answers_until = Some(Instant::now() + ANSWER_TIMEOUT);
    }

    /// Takes bytes off the terminal.
    pub(crate) async fn typed(&mut self, bytes: &[u8]) -> Result<(), LoopGone> {
        let mut input = Vec::new();
        self.decoder.feed(bytes, &mut input);
        self.tell(input).await
    }

    /// The terminal has another size.
    pub(crate) async fn resized(&self, size: Option<Size>) {
        if let Some(size) = size {
            let event = Event::Resized {
                client: self.client,
                size,
            };
            // If the loop is gone, the keys that come next find out.
            let _ = self.events.send(event).await;
        }
    }

    /// Whether it is within a key or a paste, the rest of which another program would take for something else.
    pub(crate) fn is_within(&self) -> bool {
        self.decoder.has_pending() || self.decoder.is_pasting()
    }

    /// Waits until an unfinished sequence has waited long enough; for ever if there is none.
    pub(crate) async fn patience(&self) {
        match self.flush_at {
            Some(at) => sleep_until(at).await,
            None => std::future::pending().await,
        }
    }

    /// Takes what is unfinished for what it is. Half an answer of the terminal may take a little longer.
    pub(crate) async fn flush(&mut self) -> Result<(), LoopGone> {
        let mut input = Vec::new();
        self.decoder.flush(&mut input);
        self.tell(input).await
    }

    async fn tell(&mut self, input: Vec<Input>) -> Result<(), LoopGone> {
        // The question for the attributes is the last one, so its answer is as well.
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
