//! The task that sends to one client: answers to commands, and frames.
//!
//! Each client has a task that owns the sending half of its connection and paints its terminal (see `frame_pacer.rs`).
//! At most one frame is in flight, so a client that is slow or stopped takes no memory and delays nothing: it gets the
//! newest screen when it reads again.

use std::future::poll_fn;
use std::sync::Arc;

use shellkeep_keeper::Pty;
use shellkeep_proto::FromServer;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

use crate::clients::control_feed::{ControlFeed, Next};
use crate::clients::mailbox::{Mail, Mailbox, SideOutput};
use crate::clients::native_feed::NativeFeed;
use crate::display::damage_tracker::DamageTracker;
use crate::display::frame_pacer::{Counts, Due, FramePacer};
use crate::display::scene::Scene;

/// How many bytes a control client is sent at a time.
const FEED_CHUNK: usize = 64 << 10;

/// A handle of the task, for the event loop and the connection.
#[derive(Clone)]
pub(crate) struct ClientWriter {
    sender: Arc<Sender>,
    tracker: Arc<DamageTracker>,
    feed: Arc<ControlFeed>,
}

/// Closes the mailbox when the last handle is dropped.
struct Sender(Arc<Mailbox>);

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl ClientWriter {
    /// Starts the task. It returns a permit to `commands` for every answer it has sent, so that a client which sends
    /// commands without reading answers is slowed down.
    pub(crate) fn start(
        stream: impl AsyncWrite + Unpin + Send + 'static,
        commands: Arc<Semaphore>,
    ) -> Self {
        let mailbox = Arc::<Mailbox>::default();
        let tracker = DamageTracker::new();
        let feed = Arc::<ControlFeed>::default();
        let task = Task {
            stream,
            commands,
            mailbox: mailbox.clone(),
            tracker: tracker.clone(),
            feed: feed.clone(),
            bytes: Vec::new(),
            native: None,
        };
        tokio::spawn(task.run());
        Self {
            sender: Arc::new(Sender(mailbox)),
            tracker,
            feed,
        }
    }

    fn add(&self, mail: Mail) {
        let dropped = self.sender.0.add(mail);
        if dropped > 0 {
            self.tracker.pacer().discarded(dropped);
        }
    }

    /// Whether the client's commands should wait until it has read more.
    pub(crate) fn is_full(&self) -> bool {
        self.sender.0.is_full() || self.feed.is_full()
    }

    /// Waits until the client has read most of its messages, or is gone.
    pub(crate) fn room(&self) -> impl Future<Output = ()> + Send + use<> {
        let (mailbox, feed) = (self.sender.0.clone(), self.feed.clone());
        async move {
            mailbox.room().await;
            tokio::select! {
                () = feed.room() => {}
                () = mailbox.ended() => {}
            }
        }
    }

    /// How many bytes its terminal was sent.
    pub(crate) fn counts(&self) -> &Counts {
        self.tracker.pacer().counts()
    }

    /// Sends a message. After the end of the connection it is dropped.
    pub(crate) fn send(&self, message: FromServer) {
        self.add(Mail::Message(message));
    }

    /// Returns a permit when everything before was sent.
    pub(crate) fn give_back(&self, permit: OwnedSemaphorePermit) {
        self.add(Mail::Sent(permit));
    }

    /// The client has painted the last frame.
    pub(crate) fn painted(&self) {
        self.add(Mail::Painted(1));
    }

    /// The contents of the terminal are unknown: paints all of it.
    pub(crate) fn repaint(&self) {
        self.add(Mail::Repaint);
    }

    pub(crate) fn ring(&self) {
        self.add(Mail::Pass(SideOutput::bell()));
    }

    pub(crate) fn set_clipboard(&self, selection: &str, data: &[u8]) {
        self.add(Mail::Pass(SideOutput::clipboard(selection, data)));
    }

    pub(crate) fn ask_clipboard(&self) {
        self.add(Mail::Pass(SideOutput::clipboard_question()));
    }

    /// Sends the terminal these bytes before the next frame.
    pub(crate) fn prepare(&self, bytes: Vec<u8>) {
        self.add(Mail::Prepare(bytes));
    }

    /// Passes a pane's output on unchanged from now on, or stops doing so.
    pub(crate) fn pass_on(&self, feed: Option<Arc<NativeFeed>>) {
        self.add(Mail::Native(feed));
    }

    /// Shows a scene from now on, or nothing.
    pub(crate) fn show(&self, scene: Option<Scene>) {
        self.add(Mail::Show(scene.map(Arc::new)));
    }

    /// Paints on a terminal that the server has opened from now on, or through the client again.
    pub(crate) fn paint_on(&self, terminal: Option<Arc<dyn Pty>>) {
        self.add(Mail::Terminal(terminal));
    }

    /// The queue of a client in control mode.
    pub(crate) fn feed(&self) -> &Arc<ControlFeed> {
        &self.feed
    }

    /// Tracks which rows have changed in the panes that the client shows.
    pub(crate) fn tracker(&self) -> Arc<DamageTracker> {
        self.tracker.clone()
    }
}

struct Task<W> {
    stream: W,
    commands: Arc<Semaphore>,
    mailbox: Arc<Mailbox>,
    tracker: Arc<DamageTracker>,
    feed: Arc<ControlFeed>,
    bytes: Vec<u8>,
    /// The output that is passed on unchanged.
    native: Option<Arc<NativeFeed>>,
}

impl<W: AsyncWrite + Unpin> Task<W> {
    async fn run(mut self) {
        let mailbox = self.mailbox.clone();
        tokio::select! {
            () = self.work() => {}
            // A send may be under way that the client never reads; it is cancelled here.
            () = mailbox.ended() => {}
        }
    }

    async fn work(&mut self) {
        let mailbox = self.mailbox.clone();
        if !self.bytes.is_empty() {
            tokio::task::yield_now().await;
            if self.stream.write_all(&self.bytes).await.is_err() {
                return;
            }
        }
        loop {
            let wake_at = match self.pacer().paint_due(&self.tracker) {
                Due::Painted | Due::Same => continue,
                Due::ByClient(output) => {
                    if self.send_frame(output).await.is_err() {
                        return;
                    }
                    continue;
                }
                Due::Later(wake_at) => wake_at,
            };
            let pacer = self.tracker.pacer();
            let is_free = pacer.is_free();
            tokio::select! {
                biased;
                message = mailbox.next() => {
                    let Some(message) = message else { return };
                    if self.obey(message).await.is_err() {
                        return;
                    }
                }
                () = self.feed.filled() => {
                    if self.pass_feed().await.is_err() {
                        return;
                    }
                }
                () = filled(self.native.as_deref()), if is_free => {
                    if self.pass_native().await.is_err() {
                        return;
                    }
                }
                () = poll_fn(|cx| pacer.poll_rest(cx)) => {}
                () = self.tracker.changed() => pacer.changed(),
                () = sleep_until(wake_at.unwrap_or_else(Instant::now)), if wake_at.is_some() => {}
            }
        }
    }

    fn pacer(&self) -> &FramePacer {
        self.tracker.pacer()
    }

    async fn obey(&mut self, message: Mail) -> std::io::Result<()> {
        match message {
            Mail::Terminal(terminal) => self.pacer().use_terminal(terminal),
            Mail::Painted(frames) => self.pacer().painted(frames),
            Mail::Repaint => self.pacer().forget(),
            Mail::Native(feed) => {
                if feed.is_some() {
                    self.pacer().stop();
                }
                self.native = feed;
            }
            // A frame may still be in flight, but nothing is painted over what the terminal is sent unchanged.
            Mail::Show(None) if self.native.is_some() => {}
            Mail::Show(scene) => self.pacer().show(scene),
            Mail::Sent(permit) => drop(permit),
            Mail::Pass(side_output) => self.pacer().keep(side_output),
            Mail::Prepare(bytes) => self.pacer().prepare(bytes),
            Mail::Message(message) => {
                self.bytes.clear();
                message.encode(&mut self.bytes);
                let is_answer = matches!(message, FromServer::Done(_) | FromServer::Attached(_));
                if is_answer {
                    // Let the connection to the keeper run first: an answer must not reach the client before the keeper
                    // has the note of what it confirms.
                    tokio::task::yield_now().await;
                }
                self.stream.write_all(&self.bytes).await?;
                if is_answer {
                    self.commands.add_permits(1);
                }
                self.bytes.shrink_to(1 << 16);
            }
        }
        Ok(())
    }

    /// Sends from the queue of a control client.
    async fn pass_feed(&mut self) -> std::io::Result<()> {
        let message = match self.feed.take(FEED_CHUNK) {
            Some(Next::Bytes(bytes)) => FromServer::Stdout(bytes),
            Some(Next::End(status)) => FromServer::Done(status),
            None => return Ok(()),
        };
        self.bytes.clear();
        message.encode(&mut self.bytes);
        self.stream.write_all(&self.bytes).await
    }

    /// Passes a pane's output on.
    async fn pass_native(&mut self) -> std::io::Result<()> {
        let output = self.native.as_ref().map(|feed| feed.take());
        match output.and_then(|output| self.pacer().put(output)) {
            Some(output) => self.send_frame(output).await,
            None => Ok(()),
        }
    }

    /// Has the client paint, if the server has not opened its terminal.
    async fn send_frame(&mut self, output: Vec<u8>) -> std::io::Result<()> {
        self.bytes.clear();
        FromServer::Output(output).encode(&mut self.bytes);
        self.stream.write_all(&self.bytes).await
    }
}

impl<W> Drop for Task<W> {
    fn drop(&mut self) {
        self.mailbox.end();
        // A pane may hold this tracker for a moment longer.
        self.tracker.pacer().leave();
    }
}

/// Waits for output to pass on; forever without a feed.
async fn filled(feed: Option<&NativeFeed>) {
    match feed {
        Some(feed) => feed.filled().await,
        None => std::future::pending().await,
    }
}
