//! A client's terminal as it is painted: what it shows, what it is to show, and when.
//!
//! The client's own task paints, and so does the task of a pane whose program has printed a little: a key's echo is on the terminal before anybody else
//! is woken. Output that answers a key is painted at once, and so is the first output after quiet; under a flood a frame is painted every
//! `FRAME`; and never is more than one frame on its way.

use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use shellkeep_keeper::Pty;
use shellkeep_proto::MAX_PAYLOAD;
use shellkeep_render::{Caps, Frame};
use tokio::time::Instant;

use crate::clients::mailbox::Asides;
use crate::display::damage_tracker::{Damage, DamageTracker};
use crate::display::scene::Scene;

/// The time between two frames of a flood.
pub(crate) const FRAME: Duration = Duration::from_millis(8);

/// Frames that may come without that wait after a while of quiet: a shell's prompt is printed in two or
/// three pieces, and one that has woken is followed by marks and by what was typed meanwhile. None of them should wait.
const CREDIT: u32 = 6;

/// Room for the bytes of a key's echo, so that they are not moved while they are written.
const ECHO: usize = 128;

/// More rows than this are worth looking for a way to scroll.
const FEW_ROWS: usize = 2;

/// How long a program may hold painting back by synchronized output before we no longer believe it.
const LONGEST_HOLD: Duration = Duration::from_millis(200);

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

/// The terminal of one client.
pub(crate) struct FramePacer {
    state: Mutex<State>,
    /// The next frame does not wait for the frame clock. Outside of the lock: it is set under the lock of a pane's screen, which painting
    /// takes under that of the state.
    is_hurried: AtomicBool,
    counts: Counts,
}

/// What came of looking whether a frame is due.
pub(crate) enum Due {
    /// It is painted.
    Painted,
    /// It is as the one that is shown.
    Same,
    /// It is to be passed to the client, which paints it.
    ByClient(Vec<u8>),
    /// None is; the time to look again, if nothing happens before.
    Later(Option<Instant>),
}

/// What came of painting at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Now {
    /// The terminal shows all there is to show.
    Done,
    /// Something is left to do for the client's task.
    Left,
}

impl FramePacer {
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::new(State {
                painter: Painter::new(),
                terminal: None,
                unpainted: Vec::new(),
                prepared: Vec::new(),
                asides: Asides::default(),
            }),
            is_hurried: AtomicBool::new(false),
            counts: Counts::default(),
        }
    }

    /// How much the terminal has got.
    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    fn state(&self) -> MutexGuard<'_, State> {
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

    /// Nobody knows any more what the terminal shows.
    pub(crate) fn forget(&self) {
        self.state().painter.forget();
    }

    /// Paints nothing any more. A frame on its way is let arrive.
    pub(crate) fn stop(&self) {
        let painter = &mut self.state().painter;
        painter.scene = None;
        painter.forget();
    }

    /// The client is gone, and its terminal is somebody else's.
    pub(crate) fn leave(&self) {
        self.stop();
        self.state().terminal = None;
    }

    /// Shows something else from now on, or nothing.
    pub(crate) fn show(&self, scene: Option<Arc<Scene>>) {
        self.state().painter.show(scene);
    }

    /// What it shows has changed.
    pub(crate) fn changed(&self) {
        self.state().painter.is_dirty = true;
    }

    /// The next frame answers a key, so it does not wait for the frame clock.
    pub(crate) fn hurry(&self) {
        self.is_hurried.store(true, Ordering::Relaxed);
    }

    /// Gives the terminal these bytes before the next frame, which is painted on a screen nobody knows.
    pub(crate) fn prepare(&self, bytes: Vec<u8>) {
        let mut state = self.state();
        state.prepared = bytes;
        state.painter.forget();
    }

    /// Keeps what paints nothing until the next frame. A terminal that does not read gets the newest of it.
    pub(crate) fn keep(&self, asides: Asides) {
        let mut state = self.state();
        if state.painter.scene.is_none() {
            return;
        }
        let dropped = state.asides.add(asides);
        self.discarded(dropped);
        state.painter.is_dirty = true;
    }

    /// So many bytes are not given to the terminal, since it does not read.
    pub(crate) fn discarded(&self, bytes: usize) {
        count(&self.counts.discarded, bytes);
    }

    /// Whether no frame is on its way.
    pub(crate) fn is_free(&self) -> bool {
        self.state().painter.in_flight == 0
    }

    /// Paints what is due.
    pub(crate) fn paint_due(&self, tracker: &DamageTracker) -> Due {
        self.state().paint_due(tracker, &self.counts)
    }

    /// Paints what has changed, in place of the client's task.
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

    /// Puts bytes on the terminal, which has taken all that was put on it before. Gives them back if it is in the client's hands.
    pub(crate) fn put(&self, output: Vec<u8>) -> Option<Vec<u8>> {
        self.state().put(output, &self.counts)
    }

    /// Writes what the terminal takes of what it did not take at once; waits if there is nothing to write.
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

struct State {
    painter: Painter,
    /// The client's terminal, if it is in our hands.
    terminal: Option<Arc<dyn Pty>>,
    /// What that terminal has not taken yet of the last frame.
    unpainted: Vec<u8>,
    /// What is to go to the terminal before the next frame.
    prepared: Vec<u8>,
    asides: Asides,
}

impl State {
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

    /// The bytes that are to go to the terminal.
    fn paint(&mut self, scene: &Scene, tracker: &DamageTracker, now: Instant) -> Vec<u8> {
        let painted = self.painter.paint(scene, tracker, now).unwrap_or_default();
        if self.prepared.is_empty() && self.asides.is_empty() {
            return painted;
        }
        let mut output = std::mem::take(&mut self.prepared);
        std::mem::take(&mut self.asides).write(&mut output);
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

    /// The terminal has taken so much of the frame. One that takes nothing any more is gone, which its
    /// client finds out by itself.
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
    /// The next frame answers a key: it neither waits for the frame clock nor counts for it.
    is_hurried: bool,
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

    /// No frame before this, unless it answers a key.
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
        let is_early = now < self.not_before() && !self.is_hurried;
        if !self.wants_to_paint() || is_early {
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
    fn paint(&mut self, scene: &Scene, tracker: &DamageTracker, now: Instant) -> Option<Vec<u8>> {
        self.is_dirty = false;
        let is_hurried = std::mem::take(&mut self.is_hurried);
        let (next, damage) = self.compose(scene, tracker);
        let mut bytes = Vec::with_capacity(ECHO);
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
        if !is_hurried {
            self.even_at = self.even_at.max(now) + FRAME;
        }
        Some(bytes)
    }

    /// The frame to be shown, and where it differs from the one shown. Most of it is in the spare frame already: that is the
    /// frame before the one shown, so what is to be drawn is what changed since then and what changed since now.
    fn compose(&mut self, scene: &Scene, tracker: &DamageTracker) -> (Frame, Damage) {
        let mut frame = self
            .spare
            .take()
            .unwrap_or_else(|| Frame::new(scene.size()));
        let is_other_scene = std::mem::take(&mut self.is_other_scene);
        let stale = self.stale.take().filter(|_| !is_other_scene);
        // An update that is given up half-way has taken what the tracker knew: where the frames differ is unknown then.
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
    use crate::panes::screen::{Screen, Watcher as _};

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
        let (mut painter, tracker) = (Painter::new(), DamageTracker::new());
        let mut frames = 0;
        for millisecond in 0..1000 {
            let letter = if millisecond % 2 == 0 { "a" } else { "b" };
            painter.show(Some(Arc::new(showing(letter))));
            // Another scene is no reason to paint sooner.
            if let Some(scene) = painter.due(Instant::now())
                && painter.paint(&scene, &tracker, Instant::now()).is_some()
            {
                frames += 1;
            }
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        let evenly = 1000 / FRAME.as_millis() as u32;
        assert!((100..=evenly + CREDIT).contains(&frames), "{frames} frames");
    }

    #[tokio::test(start_paused = true)]
    async fn answers_to_keys_are_painted_at_once_beside_a_flood_and_do_not_slow_it_down() {
        let (mut painter, tracker) = (Painter::new(), DamageTracker::new());
        let (mut answers, mut frames) = (0, 0);
        for millisecond in 0..1000 {
            // Other than that of any frame that may be shown.
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
        let evenly = 1000 / FRAME.as_millis() as u32;
        assert!((100..=evenly + CREDIT).contains(&frames), "{frames} frames");
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
