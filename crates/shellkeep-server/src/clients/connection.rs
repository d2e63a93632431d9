//! One client's connection from hello to end: its messages become events. A faulty client ends only its own connection.

use std::os::fd::RawFd;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use nix::sys::socket::{Shutdown, shutdown};
use shellkeep_core::ClientId;
use shellkeep_proto::{FrameDecoder, FromClient, Hello};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{Sleep, sleep, timeout};

use crate::clients::control_line::ControlLine;
use crate::clients::intake::{Intake, ReadGuard};
use crate::clients::keyboard::{Keyboard, LoopGone};
use crate::display::client_writer::ClientWriter;
use crate::event::Event;

/// How long a client has to send its hello.
const HELLO_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a client has to send its first request. Clients send it right after their hello.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// How many commands a client may have running without reading the answers.
const MAX_COMMANDS: usize = 64;

/// The longest command line of a control client.
const MAX_LINE: usize = 1 << 20;

#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("it said nothing for {} s", HELLO_TIMEOUT.as_secs())]
    Silent,
    #[error("it asked for nothing for {} s", REQUEST_TIMEOUT.as_secs())]
    Idle,
    #[error("the line was cut in the middle of something")]
    Cut,
    #[error(transparent)]
    Hello(#[from] shellkeep_proto::HelloError),
    #[error(transparent)]
    Frame(#[from] shellkeep_proto::FrameError),
    #[error(transparent)]
    Message(#[from] shellkeep_proto::MessageError),
    #[error("a line of commands has more than {MAX_LINE} bytes")]
    LongLine,
    #[error("the server ends")]
    Ending,
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl From<LoopGone> for Refusal {
    fn from(_: LoopGone) -> Self {
        Self::Ending
    }
}

/// What is known of a client that connects.
#[derive(Clone, Copy, Default)]
pub(crate) struct Peer {
    /// The client's process, as reported by the kernel.
    pub(crate) pid: Option<u32>,
    /// The socket, to shut down reading; none in a test.
    pub(crate) socket: Option<RawFd>,
}

pub(crate) async fn serve<R, W>(
    (client, Peer { pid, socket }): (ClientId, Peer),
    (mut reader, mut writer): (R, W),
    events: mpsc::Sender<Event>,
    escape_time: watch::Receiver<Duration>,
    intake: Intake,
) where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    if events.is_closed() || !intake.is_open() {
        // The server has ended, and only its process still runs: the client must wait for the next one.
        return;
    }
    if writer.write_all(&Hello::ours().encode()).await.is_err() {
        return tracing::debug!(%client, "the client disconnected before the server's hello");
    }
    let mut decoder = FrameDecoder::default();
    let mut reading = intake.reading();
    let mut has_hung_up = false;
    let hello = timeout(HELLO_TIMEOUT, async {
        let hello = read_hello(&mut reader, &mut decoder);
        tokio::pin!(hello);
        tokio::select! {
            biased;
            result = &mut hello => return result,
            () = reading.is_over() => has_hung_up = true,
        }
        match stop_reading(socket) {
            true => hello.await,
            false => Ok(None),
        }
    });
    match hello.await {
        Ok(Ok(Some(hello))) => tracing::debug!(%client, build = hello.build, "connected"),
        Ok(Ok(None)) => return,
        Ok(Err(refusal)) => return tracing::warn!(%client, %refusal, "connection refused"),
        Err(_) => return tracing::warn!(%client, refusal = %Refusal::Silent, "connection refused"),
    }
    let commands = Arc::new(Semaphore::new(MAX_COMMANDS));
    let writer = ClientWriter::start(writer, commands.clone());
    if events
        .send(Event::Connected {
            client,
            pid,
            writer: writer.clone(),
        })
        .await
        .is_err()
    {
        return;
    }
    let keyboard = Keyboard::new(client, events.clone(), escape_time);
    let mut reader_task = ConnectionReader {
        client,
        socket,
        reading,
        has_hung_up,
        reader,
        decoder,
        commands,
        writer,
        events,
        keyboard,
        line: Vec::new(),
    };
    if let Err(refusal) = reader_task.listen().await
        && !matches!(refusal, Refusal::Ending)
    {
        tracing::warn!(%client, %refusal, "connection closed");
    }
    if reader_task.has_hung_up {
        // The client stays connected, for its outstanding answers, until the next program takes over.
        return;
    }
    let _ = reader_task.events.send(Event::Gone { client }).await;
}

async fn read_hello(
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
            0 if decoder.unread().is_empty() => return Ok(None),
            0 => return Err(Refusal::Cut),
            count => decoder.feed(&chunk[..count]),
        }
    }
}

/// Makes the client's next write fail. What it has sent already can still be read. Returns whether there may be more to
/// read.
fn stop_reading(socket: Option<RawFd>) -> bool {
    socket.is_some_and(|socket| shutdown(socket, Shutdown::Read).is_ok())
}

/// Waits for a deadline; forever without one.
async fn over(deadline: &mut Option<Pin<Box<Sleep>>>) {
    match deadline {
        Some(deadline) => deadline.await,
        None => std::future::pending().await,
    }
}

struct ConnectionReader<R> {
    client: ClientId,
    socket: Option<RawFd>,
    reading: ReadGuard,
    /// The client's writes fail; what it sends from now on goes to the next program.
    has_hung_up: bool,
    reader: R,
    decoder: FrameDecoder,
    commands: Arc<Semaphore>,
    writer: ClientWriter,
    events: mpsc::Sender<Event>,
    keyboard: Keyboard,
    /// The beginning of an incomplete line, in control mode.
    line: Vec<u8>,
}

impl<R: AsyncRead + Unpin> ConnectionReader<R> {
    async fn listen(&mut self) -> Result<(), Refusal> {
        let mut chunk = vec![0; 1 << 12];
        let mut deadline = Some(Box::pin(sleep(REQUEST_TIMEOUT)));
        loop {
            while let Some(frame) = self.decoder.next_frame()? {
                deadline = None;
                if let Some(message) = FromClient::decode(frame)? {
                    self.handle_message(message).await?;
                }
            }
            tokio::select! {
                () = self.events.closed() => return Err(Refusal::Ending),
                () = self.reading.is_over(), if !self.has_hung_up && !self.keyboard.is_within() => {
                    if !self.hang_up() {
                        return Ok(());
                    }
                }
                read = self.reader.read(&mut chunk) => match read? {
                    // The client sends an incomplete message again, as a whole, to the next program.
                    0 if self.has_hung_up => return Ok(()),
                    0 if self.decoder.unread().is_empty() => return Ok(()),
                    0 => return Err(Refusal::Cut),
                    count => self.decoder.feed(&chunk[..count]),
                },
                () = self.keyboard.flush_due() => self.keyboard.flush().await?,
                () = over(&mut deadline) => return Err(Refusal::Idle),
            }
        }
    }

    /// Makes the client keep further messages for the next program. Returns whether there may be more to read.
    fn hang_up(&mut self) -> bool {
        self.has_hung_up = true;
        stop_reading(self.socket)
    }

    async fn handle_message(&mut self, message: FromClient) -> Result<(), Refusal> {
        let client = self.client;
        match message {
            // Directly to the painter: the event loop is not involved.
            FromClient::Painted => self.writer.painted(),
            FromClient::Ready => {
                // The bytes that prepared the terminal end with queries.
                self.keyboard.expect_answers();
                self.send(Event::Ready { client }).await?;
            }
            FromClient::Pause => self.send(Event::Paused { client }).await?,
            FromClient::Resize(size) => self.send(Event::Resized { client, size }).await?,
            FromClient::Core(request) => self.send_command(Event::Core { client, request }).await?,
            FromClient::Run(request) => {
                let request = Box::new(request);
                self.send_command(Event::Run { client, request }).await?;
            }
            FromClient::Stdin(bytes) => self.send(Event::Stdin { client, bytes }).await?,
            FromClient::Role(role) => self.send(Event::Role { client, role }).await?,
            FromClient::ControlInput(bytes) => self.read_lines(&bytes).await?,
            FromClient::Input(bytes) => self.keyboard.typed(&bytes).await?,
        }
        Ok(())
    }

    /// Splits the input of a control client into lines. Reads no further while too many answers are unread.
    async fn read_lines(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        if bytes.is_empty() {
            return self.send_line(None).await;
        }
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = std::mem::take(&mut self.line);
                    self.send_line(Some(line)).await?;
                }
                _ if self.line.len() >= MAX_LINE => return Err(Refusal::LongLine),
                byte => self.line.push(*byte),
            }
        }
        Ok(())
    }

    async fn send_line(&mut self, text: Option<Vec<u8>>) -> Result<(), Refusal> {
        let client = self.client;
        let feed = self.writer.feed().clone();
        tokio::select! {
            () = self.events.closed() => return Err(Refusal::Ending),
            () = feed.room() => {}
        }
        let permit = self.commands.clone().acquire_owned().await;
        let permit = permit.map_err(|_| Refusal::Ending)?;
        let line = ControlLine { text, permit };
        self.send(Event::ControlLine { client, line }).await
    }

    /// Takes a permit, which the client writer returns when the answer is sent.
    async fn send_command(&mut self, event: Event) -> Result<(), Refusal> {
        let permit = self
            .commands
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| Refusal::Ending)?;
        permit.forget();
        self.send(event).await
    }

    async fn send(&mut self, event: Event) -> Result<(), Refusal> {
        self.events.send(event).await.map_err(|_| Refusal::Ending)
    }
}
