//! What goes to one client: answers to its commands, and frames.
//!
//! Each client has a task that owns the sending half of its connection and knows what its terminal shows.
//! The first output after quiet is painted at once; under a flood a frame is painted every
//! `FRAME`; and never is more than one frame on its way. So a client that is slow, or stopped, costs
//! neither memory nor anybody's time: it gets the newest screen when it reads again.

use std::future::poll_fn;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use shellkeep_keeper::Pty;
use shellkeep_proto::{FromServer, MAX_PAYLOAD};
use shellkeep_render::{Caps, Frame};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, sleep_until};

use crate::control_feed::{ControlFeed, Next};
use crate::native_feed::NativeFeed;
use crate::scene::Scene;
use crate::screen::{Damage, Watcher};

/// The time between two frames of a flood.
pub(crate) const FRAME: Duration = Duration::from_millis(8);

/// Frames that may come without that wait after a while of quiet: a shell's prompt is printed in two or
/// three pieces, and one that has woken is followed by marks and by what was typed meanwhile. None of them should wait.
const CREDIT: u32 = 6;

/// More rows than this are worth looking for a way to scroll.
const FEW_ROWS: usize = 2;

/// More than this is not kept for a terminal that does not read: a clipboard is as large as this at most.
const MOST_PASSING: usize = 16 << 20;

/// So much is passed to a client in control mode at a time.
const FEED: usize = 64 << 10;

/// How long a program may hold painting back by synchronized output before we no longer believe it.
const LONGEST_HOLD: Duration = Duration::from_millis(200);

/// The event loop's and the connection's end of the task.
#[derive(Clone)]
pub(crate) struct Outbox {
    messages: mpsc::UnboundedSender<ToOutbox>,
    watcher: Arc<Watcher>,
    feed: Arc<ControlFeed>,
    counts: Arc<Counts>,
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
    /// Starts the task. `commands` is given back a permit for every command that is answered, which is
    /// how a client that asks without reading is slowed down.
    pub(crate) fn start(
        stream: impl AsyncWrite + Unpin + Send + 'static,
        commands: Arc<Semaphore>,
    ) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "bounded by the permits of the commands"
        )]
        let (messages, inbox) = mpsc::unbounded_channel();
        let watcher = Watcher::new();
        let feed = Arc::<ControlFeed>::default();
        let counts = Arc::<Counts>::default();
        let task = Task {
            counts: counts.clone(),
            stream,
            commands,
            inbox,
            watcher: watcher.clone(),
            feed: feed.clone(),
            painter: Painter::new(),
            bytes: Vec::new(),
            terminal: None,
            unpainted: Vec::new(),
            passing: Vec::new(),
            native: None,
        };
        tokio::spawn(task.run());
        Self {
            messages,
            watcher,
            feed,
            counts,
        }
    }

    /// How much its terminal has got.
    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
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

/// Bytes for a terminal.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// That it was given.
    pub(crate) written: AtomicU64,
    /// That it was not given any more, since it did not read.
    pub(crate) discarded: AtomicU64,
}

fn count(counter: &AtomicU64, bytes: usize) {
    counter.fetch_add(bytes as u64, Ordering::Relaxed);
}

struct Task<W> {
    counts: Arc<Counts>,
    stream: W,
    commands: Arc<Semaphore>,
    inbox: mpsc::UnboundedReceiver<ToOutbox>,
    watcher: Arc<Watcher>,
    feed: Arc<ControlFeed>,
    painter: Painter,
    bytes: Vec<u8>,
    /// The client's terminal, if it is in our hands.
    terminal: Option<Arc<dyn Pty>>,
    /// What that terminal has not taken yet of the last frame.
    unpainted: Vec<u8>,
    /// What is to go to the terminal before the next frame.
    passing: Vec<u8>,
    /// What is passed on as it is.
    native: Option<Arc<NativeFeed>>,
}

impl<W: AsyncWrite + Unpin> Task<W> {
    async fn run(mut self) {
        loop {
            if let Some(scene) = self.painter.due(Instant::now()) {
                if self.paint(&scene).await.is_err() {
                    return;
                }
                continue;
            }
            let wake_at = self.painter.wake_at();
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
                () = filled(self.native.as_deref()), if self.painter.in_flight == 0 => {
                    if self.pass_native().await.is_err() {
                        return;
                    }
                }
                written = write_some(self.terminal.as_deref(), &self.unpainted) => {
                    self.took(written);
                }
                () = self.watcher.changed() => self.painter.is_dirty = true,
                () = sleep_until(wake_at.unwrap_or_else(Instant::now)), if wake_at.is_some() => {}
            }
        }
    }

    async fn obey(&mut self, message: ToOutbox) -> std::io::Result<()> {
        match message {
            ToOutbox::Terminal(terminal) => {
                self.terminal = terminal;
                self.unpainted.clear();
                self.painter.in_flight = 0;
                self.painter.forget();
            }
            ToOutbox::Painted => self.painter.in_flight = self.painter.in_flight.saturating_sub(1),
            ToOutbox::Repaint => self.painter.forget(),
            ToOutbox::Native(feed) => {
                if feed.is_some() {
                    // A frame on its way is let arrive; nothing is painted after it.
                    self.painter.scene = None;
                    self.painter.forget();
                }
                self.native = feed;
            }
            // Nothing is painted over what the terminal gets as it is, and one frame of it may still be on its way.
            ToOutbox::Show(None) if self.native.is_some() => {}
            ToOutbox::Show(scene) => self.painter.show(scene),
            ToOutbox::Sent(permit) => drop(permit),
            ToOutbox::Pass(bytes) => self.keep_for_terminal(&bytes),
            ToOutbox::Prepare(bytes) => {
                self.passing = bytes;
                self.painter.forget();
            }
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

    /// Keeps bytes for the terminal until the next frame. One that does not read loses what was kept before.
    fn keep_for_terminal(&mut self, bytes: &[u8]) {
        if self.painter.scene.is_none() {
            return;
        }
        if self.passing.len() + bytes.len() > MOST_PASSING {
            count(&self.counts.discarded, self.passing.len());
            self.passing.clear();
        }
        self.passing.extend_from_slice(bytes);
        self.painter.is_dirty = true;
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

    /// The terminal has taken so much of the frame. One that takes nothing any more is gone, which its
    /// client finds out by itself.
    fn took(&mut self, written: std::io::Result<usize>) {
        match written {
            Ok(taken) => {
                count(&self.counts.written, taken);
                self.unpainted.drain(..taken);
            }
            Err(_) => {
                self.terminal = None;
                self.unpainted.clear();
            }
        }
        if self.unpainted.is_empty() {
            self.painter.in_flight = 0;
        }
    }

    async fn paint(&mut self, scene: &Scene) -> std::io::Result<()> {
        let painted = self.painter.paint(scene, &self.watcher, Instant::now());
        let mut output = std::mem::take(&mut self.passing);
        output.append(&mut painted.unwrap_or_default());
        if output.is_empty() {
            return Ok(());
        }
        self.put(output).await
    }

    /// Passes a pane's output on as it is.
    async fn pass_native(&mut self) -> std::io::Result<()> {
        let output = self.native.as_ref().map(|feed| feed.take());
        match output {
            Some(output) if !output.is_empty() => self.put(output).await,
            _ => Ok(()),
        }
    }

    /// Puts bytes on the terminal, which has taken all that was put on it before.
    async fn put(&mut self, output: Vec<u8>) -> std::io::Result<()> {
        if let Some(terminal) = &self.terminal {
            let written = terminal.try_write(&output);
            // The system takes it to the terminal by a process of its own, which may wait for this very processor.
            std::thread::yield_now();
            self.painter.in_flight = 1;
            self.unpainted = output;
            match written {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                written => self.took(written),
            }
            return Ok(());
        }
        count(&self.counts.written, output.len());
        self.painter.in_flight = output.len().div_ceil(MAX_PAYLOAD);
        self.bytes.clear();
        FromServer::Output(output).encode(&mut self.bytes);
        self.stream.write_all(&self.bytes).await
    }
}

/// Writes what the terminal takes, waiting until it takes something; for ever if there is nothing to write.
async fn write_some(terminal: Option<&dyn Pty>, bytes: &[u8]) -> std::io::Result<usize> {
    match terminal {
        Some(terminal) if !bytes.is_empty() => poll_fn(|cx| terminal.poll_write(cx, bytes)).await,
        _ => std::future::pending().await,
    }
}

/// Waits until there is output to be passed on; for ever if none is.
async fn filled(feed: Option<&NativeFeed>) {
    match feed {
        Some(feed) => feed.filled().await,
        None => std::future::pending().await,
    }
}

/// Decides when to paint, and what.
struct Painter {
    scene: Option<Arc<Scene>>,
    /// What the terminal shows, if that is known.
    shown: Option<Frame>,
    /// What the terminal was believed to be able to do when that was painted.
    painted_for: Option<Caps>,
    /// The frame before that, to be written over.
    spare: Option<Frame>,
    /// Where the spare frame is older than the one shown, for each layer of the scene; `None` if it is of another scene.
    stale: Option<Vec<Damage>>,
    /// Another pane, or the same in another size: nothing composed before is of use.
    is_other_scene: bool,
    is_dirty: bool,
    /// Frames sent and not yet painted.
    in_flight: usize,
    /// When the next frame would come if frames came evenly; the credit lets them come earlier.
    even_at: Instant,
    /// Since when the program holds painting back.
    held_since: Option<Instant>,
}

impl Painter {
    fn new() -> Self {
        Self {
            scene: None,
            shown: None,
            painted_for: None,
            spare: None,
            stale: None,
            is_other_scene: true,
            is_dirty: false,
            in_flight: 0,
            even_at: Instant::now(),
            held_since: None,
        }
    }

    fn show(&mut self, scene: Option<Arc<Scene>>) {
        self.scene = scene;
        self.is_dirty = true;
        self.is_other_scene = true;
        if self.scene.is_none() {
            self.forget();
            self.in_flight = 0;
        }
    }

    fn forget(&mut self) {
        self.shown = None;
        self.is_dirty = true;
    }

    fn wants_to_paint(&self) -> bool {
        self.is_dirty && self.in_flight == 0 && self.scene.is_some()
    }

    /// No frame before this.
    fn not_before(&self) -> Instant {
        self.even_at
            .checked_sub(FRAME * (CREDIT - 1))
            .unwrap_or(self.even_at)
    }

    /// What to paint now, if anything.
    fn due(&mut self, now: Instant) -> Option<Arc<Scene>> {
        if self
            .held_since
            .is_some_and(|since| now >= since + LONGEST_HOLD)
        {
            self.is_dirty = true;
        }
        if !self.wants_to_paint() || now < self.not_before() {
            return None;
        }
        let scene = self.scene.clone()?;
        if scene.is_held() {
            let since = *self.held_since.get_or_insert(now);
            if now < since + LONGEST_HOLD {
                // Its end will wake us; if it never comes, the clock does.
                self.is_dirty = false;
                return None;
            }
        }
        self.held_since = None;
        Some(scene)
    }

    /// When to look again, if nothing happens before.
    fn wake_at(&self) -> Option<Instant> {
        if self.wants_to_paint() {
            return Some(self.not_before());
        }
        self.held_since
            .filter(|_| self.scene.is_some())
            .map(|since| since + LONGEST_HOLD)
    }

    /// The bytes that take the terminal from what it shows to what it should show; `None` if it
    /// already does.
    fn paint(&mut self, scene: &Scene, watcher: &Watcher, now: Instant) -> Option<Vec<u8>> {
        self.is_dirty = false;
        let (next, damage) = self.compose(scene, watcher);
        let mut bytes = Vec::new();
        // A terminal that has told since that it can show more, or less, was painted wrongly all over.
        let before = self.painted_for.replace(scene.caps);
        let shown = self.shown.as_ref();
        let shown = shown.filter(|_| before.is_none_or(|before| before.looks_as(&scene.caps)));
        match (shown, damage) {
            (Some(shown), Damage::Rows(rows)) if rows.len() <= FEW_ROWS => {
                shellkeep_render::diff_rows(shown, &next, &rows, &scene.caps, &mut bytes);
            }
            (Some(shown), _) => shellkeep_render::diff(shown, &next, &scene.caps, &mut bytes),
            (None, _) => shellkeep_render::repaint(&next, &scene.caps, &mut bytes),
        }
        self.spare = self.shown.replace(next);
        if bytes.is_empty() {
            return None;
        }
        self.even_at = self.even_at.max(now) + FRAME;
        Some(bytes)
    }

    /// The frame to be shown, and where it differs from the one shown. Most of it is in the spare frame already: that is the
    /// frame before the one shown, so what is to be drawn is what changed since then and what changed since now.
    fn compose(&mut self, scene: &Scene, watcher: &Watcher) -> (Frame, Damage) {
        let mut frame = self
            .spare
            .take()
            .unwrap_or_else(|| Frame::new(scene.size()));
        let is_other_scene = std::mem::take(&mut self.is_other_scene);
        if let Some(stale) = self.stale.take().filter(|_| !is_other_scene)
            && let Some((damage, each)) = scene.update(&stale, watcher, &mut frame)
        {
            self.stale = Some(each);
            return (frame, damage);
        }
        let each = scene.compose(watcher, &mut frame);
        // The frame shown until now becomes the spare one.
        self.stale = (!is_other_scene).then_some(each);
        (frame, Damage::All)
    }
}

#[cfg(test)]
mod tests {
    use shellkeep_core::{Size, Style};
    use shellkeep_render::{Caps, Environment};

    use super::*;
    use crate::scene::CursorOf;

    /// A scene that shows a letter and nothing else.
    fn showing(letter: &str) -> Scene {
        let mut base = Frame::new(Size::new(2, 2));
        base.put(0, 0, letter, 1, Style::default(), None);
        Scene {
            caps: Caps::detect(&Environment {
                term: "xterm",
                ..Environment::default()
            }),
            base: Arc::new(base),
            pan: None,
            layers: Vec::new(),
            focus: None,
            cursor: CursorOf::Base,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn flood_of_a_second_is_painted_in_a_hundred_and_twenty_frames_or_so() {
        let (mut painter, watcher) = (Painter::new(), Watcher::new());
        let mut frames = 0;
        for millisecond in 0..1000 {
            let letter = if millisecond % 2 == 0 { "a" } else { "b" };
            painter.show(Some(Arc::new(showing(letter))));
            // Another scene is no reason to paint sooner.
            if let Some(scene) = painter.due(Instant::now())
                && painter.paint(&scene, &watcher, Instant::now()).is_some()
            {
                frames += 1;
            }
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        let evenly = 1000 / FRAME.as_millis() as u32;
        assert!((100..=evenly + CREDIT).contains(&frames), "{frames} frames");
    }
}
