//! Bytes of a client's terminal to events, with the wait that tells an Escape from the beginning of a key.

use std::time::Duration;

use shellkeep_core::{ClientId, Size};
use shellkeep_term::key::InputDecoder;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use crate::event::Event;

/// Decodes one client's terminal.
pub(crate) struct Keyboard {
    client: ClientId,
    decoder: InputDecoder,
    events: mpsc::Sender<Event>,
    escape_time: watch::Receiver<Duration>,
    /// When an unfinished sequence is taken for what it is.
    flush_at: Option<Instant>,
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
        }
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

    async fn tell(&mut self, input: Vec<shellkeep_term::key::Input>) -> Result<(), LoopGone> {
        let wait = *self.escape_time.borrow();
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
}
