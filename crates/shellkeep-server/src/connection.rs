//! One client's connection, from hello to end: what it says becomes events.

use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::ClientId;
use shellkeep_proto::{FrameDecoder, FromClient, Hello};
use shellkeep_term::key::InputDecoder;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};

use crate::event::Event;
use crate::outbox::Outbox;

/// A client that has not said hello by then is not one.
const HELLO_TIME: Duration = Duration::from_secs(5);

/// Commands a client may have under way without reading the answers.
const COMMANDS: usize = 64;

/// Why a connection was closed by us.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("it said nothing for {} s", HELLO_TIME.as_secs())]
    Silent,
    #[error(transparent)]
    Hello(#[from] shellkeep_proto::HelloError),
    #[error(transparent)]
    Frame(#[from] shellkeep_proto::FrameError),
    #[error(transparent)]
    Message(#[from] shellkeep_proto::MessageError),
    #[error("the server ends")]
    Ending,
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Serves a connection until it ends. Whatever it says wrong ends only itself.
pub(crate) async fn serve<R, W>(
    client: ClientId,
    (mut reader, mut writer): (R, W),
    events: mpsc::Sender<Event>,
    escape_time: watch::Receiver<Duration>,
) where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    if let Err(error) = writer.write_all(&Hello::ours().encode()).await {
        tracing::debug!(%client, %error, "gone before our hello");
        return;
    }
    let mut decoder = FrameDecoder::default();
    match timeout(HELLO_TIME, hear_hello(&mut reader, &mut decoder)).await {
        Ok(Ok(Some(hello))) => tracing::debug!(%client, build = hello.build, "connected"),
        Ok(Ok(None)) => return,
        Ok(Err(refusal)) => return tracing::warn!(%client, %refusal, "connection refused"),
        Err(_) => return tracing::warn!(%client, refusal = %Refusal::Silent, "connection refused"),
    }
    let commands = Arc::new(Semaphore::new(COMMANDS));
    let outbox = Outbox::start(writer, commands.clone());
    if events
        .send(Event::Connected {
            client,
            outbox: outbox.clone(),
        })
        .await
        .is_err()
    {
        return;
    }
    let mut ears = Ears {
        client,
        reader,
        decoder,
        commands,
        outbox,
        events,
        keys: InputDecoder::new(),
        escape_time,
    };
    if let Err(refusal) = ears.listen().await
        && !matches!(refusal, Refusal::Ending)
    {
        tracing::warn!(%client, %refusal, "connection closed");
    }
    let _ = ears.events.send(Event::Gone { client }).await;
}

async fn hear_hello(
    reader: &mut (impl AsyncRead + Unpin),
    decoder: &mut FrameDecoder,
) -> Result<Option<Hello>, Refusal> {
    let mut chunk = [0; 512];
    loop {
        if let Some((hello, length)) = Hello::decode(decoder.unread())? {
            decoder.skip(length);
            return Ok(Some(hello));
        }
        match reader.read(&mut chunk).await? {
            0 => return Ok(None),
            count => decoder.feed(&chunk[..count]),
        }
    }
}

struct Ears<R> {
    client: ClientId,
    reader: R,
    decoder: FrameDecoder,
    commands: Arc<Semaphore>,
    outbox: Outbox,
    events: mpsc::Sender<Event>,
    keys: InputDecoder,
    escape_time: watch::Receiver<Duration>,
}

impl<R: AsyncRead + Unpin> Ears<R> {
    async fn listen(&mut self) -> Result<(), Refusal> {
        let mut chunk = vec![0; 1 << 12];
        // An Escape that may be the beginning of a key is one by itself when this comes.
        let mut escape_at: Option<Instant> = None;
        loop {
            while let Some(frame) = self.decoder.next_frame()? {
                let Some(message) = FromClient::decode(frame)? else {
                    continue;
                };
                if let FromClient::Input(bytes) = &message {
                    let mut input = Vec::new();
                    self.keys.feed(bytes, &mut input);
                    self.typed(input).await?;
                    let wait = *self.escape_time.borrow();
                    escape_at = self.keys.has_pending().then(|| Instant::now() + wait);
                } else {
                    self.hear(message).await?;
                }
            }
            tokio::select! {
                () = self.events.closed() => return Err(Refusal::Ending),
                read = self.reader.read(&mut chunk) => match read? {
                    0 => return Ok(()),
                    count => self.decoder.feed(&chunk[..count]),
                },
                () = sleep_until(escape_at.unwrap_or_else(Instant::now)), if escape_at.is_some() => {
                    let mut input = Vec::new();
                    self.keys.flush(&mut input);
                    self.typed(input).await?;
                    let wait = *self.escape_time.borrow();
                    // Half an answer of the terminal may take a little longer.
                    escape_at = self.keys.has_pending().then(|| Instant::now() + wait);
                }
            }
        }
    }

    async fn typed(&mut self, input: Vec<shellkeep_term::key::Input>) -> Result<(), Refusal> {
        if input.is_empty() {
            return Ok(());
        }
        self.tell(Event::Typed {
            client: self.client,
            input,
        })
        .await
    }

    async fn hear(&mut self, message: FromClient) -> Result<(), Refusal> {
        let client = self.client;
        match message {
            // Straight to the painter: the event loop has no part in it.
            FromClient::Painted => self.outbox.painted(),
            FromClient::Repaint => self.outbox.repaint(),
            FromClient::Resize(size) => self.tell(Event::Resized { client, size }).await?,
            FromClient::Core(request) => self.tell_command(Event::Core { client, request }).await?,
            FromClient::Run(request) => {
                let request = Box::new(request);
                self.tell_command(Event::Run { client, request }).await?;
            }
            FromClient::Input(_) => {}
        }
        Ok(())
    }

    /// The permit comes back when the answer has been sent.
    async fn tell_command(&mut self, event: Event) -> Result<(), Refusal> {
        let permit = self
            .commands
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| Refusal::Ending)?;
        permit.forget();
        self.tell(event).await
    }

    async fn tell(&mut self, event: Event) -> Result<(), Refusal> {
        self.events.send(event).await.map_err(|_| Refusal::Ending)
    }
}
