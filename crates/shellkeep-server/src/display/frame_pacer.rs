//! The frame pacer: what a client's terminal shows, what it should show, and when it is painted.
//!
//! The client's own task paints, and so does a pane's task when its program has printed a little: a key's echo is on
//! the terminal before another task is woken. Output that answers a key is painted at once, and so is the first output
//! after a quiet time. In a flood a frame is painted every [`FRAME_INTERVAL`]. At most one frame is in flight.

use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use shellkeep_keeper::Pty;
use shellkeep_proto::MAX_PAYLOAD;
use shellkeep_render::{Caps, Frame};
use tokio::time::Instant;

use crate::clients::mailbox::SideOutput;
use crate::display::damage_tracker::{Damage, DamageTracker};
use crate::display::scene::Scene;

/// The time between two frames in a flood.
pub(crate) const FRAME_INTERVAL: Duration = Duration::from_millis(8);

/// How many frames may come without that wait after a quiet time. A shell prints its prompt in two or three pieces, and
/// a revived shell also prints marks and the input that came meanwhile. None of them should wait.
const EARLY_FRAMES: u32 = 6;

/// The initial capacity for a frame's bytes: enough for a key's echo, so that it is allocated once.
const ECHO_CAPACITY: usize = 128;

/// If more rows than this have changed, scrolling is considered.
const FEW_ROWS: usize = 2;

/// How long a program may delay painting by synchronized output.
const MAX_HOLD: Duration = Duration::from_millis(200);

/// Counts bytes for a terminal.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Bytes that were sent.
    pub(crate) written: AtomicU64,
    /// Bytes that were dropped because the terminal did not read.
    pub(crate) discarded: AtomicU64,
}

fn count(counter: &AtomicU64, bytes: usize) {
    counter.fetch_add(bytes as u64, Ordering::Relaxed);
}

/// The terminal of one client.
pub(crate) struct FramePacer {
    state: Mutex<PacerState>,
    /// The next frame does not wait for the frame clock. Outside of the lock, because it is set under the lock of a
    /// pane's screen, which painting takes while it holds the state's lock.
    is_hurried: AtomicBool,
    counts: Counts,
}

/// The result of a check whether a frame is due.
pub(crate) enum Due {
    Painted,
    /// The frame is the same as the one shown.
    Same,
    /// The client has to paint these bytes.
    ByClient(Vec<u8>),
    /// No frame is due. When to check again, if nothing happens before.
    Later(Option<Instant>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Now {
    /// The terminal shows everything.
    Done,
    /// The client's task has something left to do.
    Left,
}

impl FramePacer {
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::new(PacerState {
                painter: Painter::new(),
                terminal: None,
                unpainted: Vec::new(),
                prepared: Vec::new(),
                side_output: SideOutput::default(),
            }),
            is_hurried: AtomicBool::new(false),
            counts: Counts::default(),
        }
    }

    /// How many bytes the terminal was sent.
    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    fn state(&self) -> MutexGuard<'_, PacerState> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.painter.is_hurried |= self.is_hurried.swap(false, Ordering::Relaxed);
        state
    }

    /// Paints on this terminal from now on, or through the client.
    pub(crate) fn use_terminal(&self, terminal: Option<Arc<dyn Pty>>) {
        let mut state = self.state();
        state.terminal = terminal;
        state.unpainted.clear();
        state.painter.in_flight = 0;
        state.painter.forget();
    }

    /// The client has painted a frame.
    pub(crate) fn painted(&self, frames: usize) {
        let painter = &mut self.state().painter;
        painter.in_flight = painter.in_flight.saturating_sub(frames);
    }

    /// The contents of the terminal are unknown.
    pub(crate) fn forget(&self) {
        self.state().painter.forget();
    }

    /// Stops painting. A frame that is in flight is completed.
    pub(crate) fn stop(&self) {
        let painter = &mut self.state().painter;
        painter.scene = None;
        painter.forget();
    }

    /// The client is gone, and its terminal belongs to another program.
    pub(crate) fn leave(&self) {
        self.stop();
        self.state().terminal = None;
    }

    /// Shows a scene from now on, or nothing.
    pub(crate) fn show(&self, scene: Option<Arc<Scene>>) {
        self.state().painter.show(scene);
    }

    pub(crate) fn changed(&self) {
        self.state().painter.is_dirty = true;
    }

    /// The next frame answers a key, so it does not wait for the frame clock.
    pub(crate) fn hurry(&self) {
        self.is_hurried.store(true, Ordering::Relaxed);
    }

    /// Sends these bytes before the next frame. The contents of the terminal are unknown afterwards.
    pub(crate) fn prepare(&self, bytes: Vec<u8>) {
        let mut state = self.state();
        state.prepared = bytes;
        state.painter.forget();
    }

    /// Keeps output that paints nothing until the next frame. If the terminal does not read, only the latest is kept.
    pub(crate) fn keep(&self, side_output: SideOutput) {
        let mut state = self.state();
        if state.painter.scene.is_none() {
            return;
        }
        let dropped = state.side_output.add(side_output);
        self.discarded(dropped);
        state.painter.is_dirty = true;
    }

    /// Counts bytes that were dropped because the terminal does not read.
    pub(crate) fn discarded(&self, bytes: usize) {
        count(&self.counts.discarded, bytes);
    }

    /// Whether no frame is in flight.
    pub(crate) fn is_free(&self) -> bool {
        self.state().painter.in_flight == 0
    }

    /// Paints a frame, if one is due.
    pub(crate) fn paint_due(&self, tracker: &DamageTracker) -> Due {
        self.state().paint_due(tracker, &self.counts)
    }

    /// Paints a change on the task of the pane, in place of the client's task.
    pub(crate) fn paint_now(&self, tracker: &DamageTracker) -> Now {
        let mut state = self.state();
        if state.terminal.is_none() {
            return Now::Left;
        }
        state.painter.is_dirty = true;
        match state.paint_due(tracker, &self.counts) {
            Due::Painted if state.unpainted.is_empty() => Now::Done,
            Due::Same => Now::Done,
            Due::Painted | Due::ByClient(_) | Due::Later(_) => Now::Left,
        }
    }

    /// Writes bytes to the terminal, which has taken everything before. Returns them if the client has to write them.
    pub(crate) fn put(&self, output: Vec<u8>) -> Option<Vec<u8>> {
        self.state().put(output, &self.counts)
    }

    /// Writes the rest of a frame that the terminal did not take at once. Waits if there is none.
    pub(crate) fn poll_rest(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state();
        let written = match &state.terminal {
            Some(terminal) if !state.unpainted.is_empty() => {
                ready!(terminal.poll_write(cx, &state.unpainted))
            }
            _ => return Poll::Pending,
        };
        state.took(written, &self.counts);
        Poll::Ready(())
    }
}

struct PacerState {
    painter: Painter,
    /// The client's terminal, if the server has opened it.
    terminal: Option<Arc<dyn Pty>>,
    /// The rest of the last frame, which that terminal has not taken yet.
    unpainted: Vec<u8>,
    /// Bytes that precede the next frame.
    prepared: Vec<u8>,
    side_output: SideOutput,
}

impl PacerState {
    fn paint_due(&mut self, tracker: &DamageTracker, counts: &Counts) -> Due {
        let now = Instant::now();
        let Some(scene) = self.painter.due(now) else {
            return Due::Later(self.painter.wake_at());
        };
        let output = self.paint(&scene, tracker, now);
        if output.is_empty() {
            return Due::Same;
        }
        match self.put(output, counts) {
            Some(output) => Due::ByClient(output),
            None => Due::Painted,
        }
    }

    /// The bytes of the next frame, and of what precedes it.
    fn paint(&mut self, scene: &Scene, tracker: &DamageTracker, now: Instant) -> Vec<u8> {
        let painted = self.painter.paint(scene, tracker, now).unwrap_or_default();
        if self.prepared.is_empty() && self.side_output.is_empty() {
            return painted;
        }
        let mut output = std::mem::take(&mut self.prepared);
        std::mem::take(&mut self.side_output).write(&mut output);
        output.extend_from_slice(&painted);
        output
    }

    fn put(&mut self, output: Vec<u8>, counts: &Counts) -> Option<Vec<u8>> {
        if output.is_empty() {
            return None;
        }
        let Some(terminal) = &self.terminal else {
            count(&counts.written, output.len());
            self.painter.in_flight = output.len().div_ceil(MAX_PAYLOAD);
            return Some(output);
        };
        let written = terminal.try_write(&output);
        self.painter.in_flight = 1;
        self.unpainted = output;
        match written {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            written => self.took(written, counts),
        }
        None
    }

    /// The terminal has taken this much of the frame. On an error it is closed, which its client notices by itself.
    fn took(&mut self, written: std::io::Result<usize>, counts: &Counts) {
        match written {
            Ok(taken) => {
                count(&counts.written, taken);
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
}

/// Decides when to paint, and what.
struct Painter {
    scene: Option<Arc<Scene>>,
    /// The frame that the terminal shows, if that is known.
    shown: Option<Frame>,
    /// The capabilities for which that frame was painted.
    painted_for: Option<Caps>,
    /// The frame before that, to be written over.
    spare: Option<Frame>,
    /// The rows in which the spare frame is older than the one shown, for each layer of the scene; `None` if it is of
    /// another scene.
    stale: Option<Vec<Damage>>,
    /// The scene has changed, so earlier frames cannot be updated.
    is_other_scene: bool,
    is_dirty: bool,
    /// How many frames were sent and are not painted yet.
    in_flight: usize,
    /// When the next frame would come if frames came evenly. [`EARLY_FRAMES`] lets them come earlier.
    even_at: Instant,
    /// The next frame answers a key: it does not wait for the frame clock, nor count for it.
    is_hurried: bool,
    /// Since when the program has delayed painting.
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
            is_hurried: false,
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

    /// The earliest time of the next frame, unless it answers a key.
    fn not_before(&self) -> Instant {
        self.even_at
            .checked_sub(FRAME_INTERVAL * (EARLY_FRAMES - 1))
            .unwrap_or(self.even_at)
    }

    /// The scene to paint now, if a frame is due.
    fn due(&mut self, now: Instant) -> Option<Arc<Scene>> {
        if self.held_since.is_some_and(|since| now >= since + MAX_HOLD) {
            self.is_dirty = true;
        }
        let is_early = now < self.not_before() && !self.is_hurried;
        if !self.wants_to_paint() || is_early {
            return None;
        }
        let scene = self.scene.clone()?;
        if scene.is_held() {
            let since = *self.held_since.get_or_insert(now);
            if now < since + MAX_HOLD {
                // The end of the synchronized update wakes the task; if it never comes, the timer does.
                self.is_dirty = false;
                return None;
            }
        }
        self.held_since = None;
        Some(scene)
    }

    /// When to check again, if nothing happens before.
    fn wake_at(&self) -> Option<Instant> {
        if self.wants_to_paint() {
            return Some(self.not_before());
        }
        self.held_since
            .filter(|_| self.scene.is_some())
            .map(|since| since + MAX_HOLD)
    }

    /// The bytes that change the terminal from what it shows to what it should show; `None` if there is no difference.
    fn paint(&mut self, scene: &Scene, tracker: &DamageTracker, now: Instant) -> Option<Vec<u8>> {
        self.is_dirty = false;
        let is_hurried = std::mem::take(&mut self.is_hurried);
        let (next, damage) = self.compose(scene, tracker);
        let mut bytes = Vec::with_capacity(ECHO_CAPACITY);
        // If the terminal has reported other capabilities since, everything on it was painted wrongly.
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
        if !is_hurried {
            self.even_at = self.even_at.max(now) + FRAME_INTERVAL;
        }
        Some(bytes)
    }

    /// The frame to be shown, and the rows in which it differs from the one shown. It is drawn into the spare frame,
    /// which is the one before the frame shown: so only what has changed since that frame has to be drawn.
    fn compose(&mut self, scene: &Scene, tracker: &DamageTracker) -> (Frame, Damage) {
        let mut frame = self
            .spare
            .take()
            .unwrap_or_else(|| Frame::new(scene.size()));
        let is_other_scene = std::mem::take(&mut self.is_other_scene);
        let stale = self.stale.take().filter(|_| !is_other_scene);
        // An update that is given up half-way has taken the tracker's damage, so it is unknown then where the frames
        // differ.
        let is_known = stale.is_none() && !is_other_scene;
        if let Some(stale) = stale
            && let Some((damage, each)) = scene.update(&stale, tracker, &mut frame)
        {
            self.stale = Some(each);
            return (frame, damage);
        }
        let each = scene.compose(tracker, &mut frame);
        // The frame shown until now becomes the spare one.
        self.stale = is_known.then_some(each);
        (frame, Damage::All)
    }
}

#[cfg(test)]
mod tests {
    use shellkeep_core::{PaneId, Size, Style};
    use shellkeep_render::{Caps, Environment, Rect};
    use shellkeep_term::{Config, Dirty, Emulator};

    use super::*;
    use crate::display::scene::{Content, CursorOf, Layer};
    use crate::panes::screen::{Screen, ScreenViewer as _};

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
        let (mut painter, tracker) = (Painter::new(), DamageTracker::new());
        let mut frames = 0;
        for millisecond in 0..1000 {
            let letter = if millisecond % 2 == 0 { "a" } else { "b" };
            painter.show(Some(Arc::new(showing(letter))));
            // A new scene must not be painted sooner.
            if let Some(scene) = painter.due(Instant::now())
                && painter.paint(&scene, &tracker, Instant::now()).is_some()
            {
                frames += 1;
            }
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        let evenly = 1000 / FRAME_INTERVAL.as_millis() as u32;
        assert!(
            (100..=evenly + EARLY_FRAMES).contains(&frames),
            "{frames} frames"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn answers_to_keys_are_painted_at_once_beside_a_flood_and_do_not_slow_it_down() {
        let (mut painter, tracker) = (Painter::new(), DamageTracker::new());
        let (mut answers, mut frames) = (0, 0);
        for millisecond in 0..1000 {
            // A letter that the frame shown does not have.
            let letter = char::from(b'a' + (millisecond % 26) as u8);
            painter.show(Some(Arc::new(showing(&letter.to_string()))));
            let is_answer = millisecond % 5 == 0;
            painter.is_hurried = is_answer;
            let scene = painter.due(Instant::now());
            assert!(scene.is_some() || !is_answer, "at {millisecond} ms");
            if let Some(scene) = scene {
                assert!(painter.paint(&scene, &tracker, Instant::now()).is_some());
                *if is_answer { &mut answers } else { &mut frames } += 1;
            }
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert_eq!(answers, 200);
        let evenly = 1000 / FRAME_INTERVAL.as_millis() as u32;
        assert!(
            (100..=evenly + EARLY_FRAMES).contains(&frames),
            "{frames} frames"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn key_beside_a_link_paints_nothing_but_itself() {
        let size = Size::new(4, 40);
        let screen = Screen::new(PaneId(0), Emulator::new(size, Config::default()));
        let scene = Arc::new(Scene {
            base: Arc::new(Frame::new(size)),
            layers: vec![Layer {
                rect: Rect::whole(size),
                content: Content::Live {
                    screen: screen.clone(),
                    look: Style::default(),
                },
            }],
            focus: Some(0),
            cursor: CursorOf::Focus,
            ..showing("")
        });
        let (mut painter, tracker) = (Painter::new(), DamageTracker::new());
        let mut paint = |text: &str, rows: &[u16]| {
            screen.lock().feed(text.as_bytes(), &mut Vec::new());
            tracker.note(PaneId(0), &Dirty::Rows(rows.to_vec()));
            let painted = painter.paint(&scene, &tracker, Instant::now());
            painted.unwrap_or_default()
        };
        for text in ["$ ", "l", "s"] {
            paint(text, &[0]);
        }
        let link = "\r\n\x1b]8;;file://host/bin\x1b\\bin\x1b]8;;\x1b\\\r\n$ ";
        paint(link, &[0, 1, 2]);
        for letter in ["a", "b", "c", "d"] {
            assert_eq!(paint(letter, &[2]), letter.as_bytes());
        }
    }
}
