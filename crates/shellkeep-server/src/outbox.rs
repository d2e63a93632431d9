//! What goes to one client: answers to its commands, and frames.
//!
//! Each client has a task that owns the sending half of its connection, and paints its terminal: see `easel.rs`. Never is more than one frame on
//! its way. So a client that is slow, or stopped, costs neither memory nor anybody's time: it gets the newest screen when it reads again.

use std::future::poll_fn;
use std::sync::Arc;

use shellkeep_keeper::Pty;
use shellkeep_proto::FromServer;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, sleep_until};

use crate::control_feed::{ControlFeed, Next};
use crate::easel::{Counts, Due, Easel};
use crate::native_feed::NativeFeed;
use crate::scene::Scene;
use crate::watcher::Watcher;

/// So much is passed to a client in control mode at a time.
const FEED: usize = 64 << 10;

/// The event loop's and the connection's end of the task.
#[derive(Clone)]
pub(crate) struct Outbox {
    messages: mpsc::UnboundedSender<ToOutbox>,
    watcher: Arc<Watcher>,
    feed: Arc<ControlFeed>,
}

enum ToOutbox {
    /// Send this.
    Say(FromServer),
    /// Show this from now on. In one queue with the messages: a frame must not overtake the news that
    /// the client is attached, nor come after it was told to leave.
    Show(Option<Arc<Scene>>),
    /// Paint on this terminal, or through the client again.
    Terminal(Option<Arc<dyn Pty>>),
    /// The client has painted a frame.
    Painted,
    /// What the terminal shows is unknown.
    Repaint,
    /// Pass a pane's output on as it is, instead of painting; or paint again.
    Native(Option<Arc<NativeFeed>>),
    /// Give the terminal these bytes, which paint nothing.
    Pass(Vec<u8>),
    /// What stood before this has been sent.
    Sent(OwnedSemaphorePermit),
    /// Give the terminal these bytes before the next frame, which is painted on a screen nobody knows.
    Prepare(Vec<u8>),
}

impl Outbox {
    /// Starts the task. It sends `first` before all else, but not before others have had their turn. `commands` is given back a permit for every command that is answered, which is
    /// how a client that asks without reading is slowed down.
    pub(crate) fn start(
        stream: impl AsyncWrite + Unpin + Send + 'static,
        first: Vec<u8>,
        commands: Arc<Semaphore>,
    ) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "bounded by the permits of the commands"
        )]
        let (messages, inbox) = mpsc::unbounded_channel();
        let watcher = Watcher::new();
        let feed = Arc::<ControlFeed>::default();
        let task = Task {
            stream,
            commands,
            inbox,
            watcher: watcher.clone(),
            feed: feed.clone(),
            bytes: first,
            native: None,
        };
        tokio::spawn(task.run());
        Self {
            messages,
            watcher,
            feed,
        }
    }

    /// How much its terminal has got.
    pub(crate) fn counts(&self) -> &Counts {
        self.watcher.easel().counts()
    }

    /// Sends a message. After the connection's end it falls silent.
    pub(crate) fn say(&self, message: FromServer) {
        let _ = self.messages.send(ToOutbox::Say(message));
    }

    /// Gives a permit back when all that was said before has been sent.
    pub(crate) fn give_back(&self, permit: OwnedSemaphorePermit) {
        let _ = self.messages.send(ToOutbox::Sent(permit));
    }

    /// The client has painted the last frame.
    pub(crate) fn painted(&self) {
        let _ = self.messages.send(ToOutbox::Painted);
    }

    /// Nobody knows any more what the terminal shows.
    pub(crate) fn repaint(&self) {
        let _ = self.messages.send(ToOutbox::Repaint);
    }

    /// Gives the terminal bytes that paint nothing: what is for its clipboard, or its bell.
    pub(crate) fn pass(&self, bytes: Vec<u8>) {
        let _ = self.messages.send(ToOutbox::Pass(bytes));
    }

    /// Prepares the terminal for the next frame.
    pub(crate) fn prepare(&self, bytes: Vec<u8>) {
        let _ = self.messages.send(ToOutbox::Prepare(bytes));
    }

    /// Passes a pane's output on as it is from now on, or no more.
    pub(crate) fn pass_on(&self, feed: Option<Arc<NativeFeed>>) {
        let _ = self.messages.send(ToOutbox::Native(feed));
    }

    /// Shows something else from now on, or nothing.
    pub(crate) fn show(&self, scene: Option<Scene>) {
        let _ = self.messages.send(ToOutbox::Show(scene.map(Arc::new)));
    }

    /// Paints on a terminal of our own from now on, or through the client again.
    pub(crate) fn paint_on(&self, terminal: Option<Arc<dyn Pty>>) {
        let _ = self.messages.send(ToOutbox::Terminal(terminal));
    }

    /// What goes to a client in control mode.
    pub(crate) fn feed(&self) -> &Arc<ControlFeed> {
        &self.feed
    }

    /// Who is to be told when the shown pane changes.
    pub(crate) fn watcher(&self) -> Arc<Watcher> {
        self.watcher.clone()
    }
}

struct Task<W> {
    stream: W,
    commands: Arc<Semaphore>,
    inbox: mpsc::UnboundedReceiver<ToOutbox>,
    watcher: Arc<Watcher>,
    feed: Arc<ControlFeed>,
    bytes: Vec<u8>,
    /// What is passed on as it is.
    native: Option<Arc<NativeFeed>>,
}

impl<W: AsyncWrite + Unpin> Task<W> {
    async fn run(mut self) {
        if !self.bytes.is_empty() {
            tokio::task::yield_now().await;
            if self.stream.write_all(&self.bytes).await.is_err() {
                return;
            }
        }
        loop {
            let wake_at = match self.easel().paint_due(&self.watcher) {
                Due::Painted | Due::Same => continue,
                Due::ByClient(output) => {
                    if self.send_frame(output).await.is_err() {
                        return;
                    }
                    continue;
                }
                Due::Later(wake_at) => wake_at,
            };
            let easel = self.watcher.easel();
            let is_free = easel.is_free();
            tokio::select! {
                biased;
                message = self.inbox.recv() => {
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
                () = poll_fn(|cx| easel.poll_rest(cx)) => {}
                () = self.watcher.changed() => easel.changed(),
                () = sleep_until(wake_at.unwrap_or_else(Instant::now)), if wake_at.is_some() => {}
            }
        }
    }

    fn easel(&self) -> &Easel {
        self.watcher.easel()
    }

    async fn obey(&mut self, message: ToOutbox) -> std::io::Result<()> {
        match message {
            ToOutbox::Terminal(terminal) => self.easel().use_terminal(terminal),
            ToOutbox::Painted => self.easel().painted(),
            ToOutbox::Repaint => self.easel().forget(),
            ToOutbox::Native(feed) => {
                if feed.is_some() {
                    self.easel().stop();
                }
                self.native = feed;
            }
            // Nothing is painted over what the terminal gets as it is, and one frame of it may still be on its way.
            ToOutbox::Show(None) if self.native.is_some() => {}
            ToOutbox::Show(scene) => self.easel().show(scene),
            ToOutbox::Sent(permit) => drop(permit),
            ToOutbox::Pass(bytes) => self.easel().keep(&bytes),
            ToOutbox::Prepare(bytes) => self.easel().prepare(bytes),
            ToOutbox::Say(message) => {
                self.bytes.clear();
                message.encode(&mut self.bytes);
                let is_answer =
                    matches!(message, FromServer::Done(_) | FromServer::Attached { .. });
                if is_answer {
                    // The keeper's line has been woken by then: whoever has an answer finds what it says after our death, too.
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

    /// Passes on what a client in control mode is told.
    async fn pass_feed(&mut self) -> std::io::Result<()> {
        let message = match self.feed.take(FEED) {
            Some(Next::Bytes(bytes)) => FromServer::Stdout(bytes),
            Some(Next::End(status)) => FromServer::Done(status),
            None => return Ok(()),
        };
        self.bytes.clear();
        message.encode(&mut self.bytes);
        self.stream.write_all(&self.bytes).await
    }

    /// Passes a pane's output on as it is.
    async fn pass_native(&mut self) -> std::io::Result<()> {
        let output = self.native.as_ref().map(|feed| feed.take());
        match output.and_then(|output| self.easel().put(output)) {
            Some(output) => self.send_frame(output).await,
            None => Ok(()),
        }
    }

    /// Has the client paint, where its terminal is in its own hands.
    async fn send_frame(&mut self, output: Vec<u8>) -> std::io::Result<()> {
        self.bytes.clear();
        FromServer::Output(output).encode(&mut self.bytes);
        self.stream.write_all(&self.bytes).await
    }
}

impl<W> Drop for Task<W> {
    fn drop(&mut self) {
        // A pane may have its watcher for a moment longer.
        self.watcher.easel().leave();
    }
}

/// Waits until there is output to be passed on; for ever if none is.
async fn filled(feed: Option<&NativeFeed>) {
    match feed {
        Some(feed) => feed.filled().await,
        None => std::future::pending().await,
    }
}
