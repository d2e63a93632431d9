//! The bounded queue of a client that scrolls natively: a pane's history, its screen, and from then on the program's
//! output byte for byte, so that the outer terminal's scrollback has all of it.
//!
//! A terminal that does not keep up takes at most [`MAX_KEPT_BYTES`]: beyond that output is dropped and the screen is
//! painted anew.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shellkeep_core::{PaneId, Size};
use shellkeep_render::{Canvas, Caps, Frame, FrameCursor, Rect, Under};
use shellkeep_term::{Emulator, RowView};
use tokio::sync::Notify;

use crate::panes::screen::Screen;
use crate::panes::tap::Tap;

/// How many bytes are kept for a terminal that does not keep up.
const MAX_KEPT_BYTES: usize = 4 << 20;

/// How many rows of history are printed first. More would delay the prompt noticeably.
const MAX_HISTORY_ROWS: usize = 5000;

pub(crate) struct NativeFeed {
    screen: Arc<Screen>,
    inner: Mutex<Inner>,
    grown: Notify,
}

struct Inner {
    caps: Caps,
    bytes: Vec<u8>,
    /// Output was dropped.
    is_behind: bool,
    /// The history was printed.
    has_begun: bool,
    /// What the terminal has below the frames that are painted over it.
    covered: Option<Covered>,
    /// How much the terminal had been sent before the pane was resized, until the reason of the resize is known.
    given: Option<Given>,
}

/// The state of the terminal when it was painted over.
#[derive(Clone, Copy)]
struct Covered {
    under: Under,
    given: Given,
}

/// How much of a pane the terminal was sent: its history, and its screen at that size.
#[derive(Clone, Copy)]
struct Given {
    size: Size,
    history: Length,
}

impl Given {
    fn of(emulator: &Emulator) -> Self {
        Self {
            size: emulator.size(),
            history: Length::of(emulator),
        }
    }
}

/// The end of a history.
#[derive(Clone, Copy)]
struct Length {
    /// The number of its newest line.
    last_line: Option<u64>,
    /// How many rows that line has; it may get more.
    last_rows: usize,
}

impl Length {
    fn of(emulator: &Emulator) -> Self {
        let end_line = emulator.first_history_line() + emulator.history_lines() as u64;
        let last_line = end_line.checked_sub(1);
        Self {
            last_line,
            last_rows: last_line.map_or(0, |line| rows_from(emulator, line, 1)),
        }
    }

    /// By how many rows the history has grown since, [`MAX_HISTORY_ROWS`] at most; none if it was cleared. Only lines that
    /// came since are read, however long the history is.
    fn growth(self, emulator: &Emulator) -> usize {
        let first_line = emulator.first_history_line();
        let end_line = first_line + emulator.history_lines() as u64;
        // Lines that came since may have been dropped again.
        let (from, known) = match self.last_line {
            Some(line) if line >= first_line => (line, self.last_rows),
            _ => (first_line, 0),
        };
        // A line has at least one row.
        if end_line.saturating_sub(from) > MAX_HISTORY_ROWS as u64 {
            return MAX_HISTORY_ROWS;
        }
        let rows = rows_from(emulator, from, MAX_HISTORY_ROWS as u32);
        rows.saturating_sub(known).min(MAX_HISTORY_ROWS)
    }
}

/// How many rows these lines have.
fn rows_from(emulator: &Emulator, line: u64, count: u32) -> usize {
    let cols = emulator.size().cols();
    emulator.history_line_rows(line, count, cols).len()
}

impl NativeFeed {
    pub(crate) fn new(screen: Arc<Screen>, caps: Caps) -> Arc<Self> {
        let inner = Inner {
            caps,
            bytes: Vec::new(),
            is_behind: false,
            has_begun: false,
            covered: None,
            given: None,
        };
        Arc::new(Self {
            screen,
            inner: Mutex::new(inner),
            grown: Notify::new(),
        })
    }

    /// A feed for a terminal that shows painted frames.
    pub(crate) fn new_covered(screen: Arc<Screen>, caps: Caps) -> Arc<Self> {
        let covered = {
            let emulator = screen.lock();
            Covered {
                under: Under::Main,
                given: Given::of(&emulator),
            }
        };
        let feed = Self::new(screen, caps);
        feed.lock().covered = Some(covered);
        feed
    }

    pub(crate) fn pane(&self) -> PaneId {
        self.screen.pane()
    }

    /// Whether frames are painted over the pane.
    pub(crate) fn is_covered(&self) -> bool {
        self.lock().covered.is_some()
    }

    /// The pane is about to be resized. If the reason is that frames will be painted, such as for a second pane, the
    /// terminal counts as having what it was sent before: rows that the resize moves into the pane's history are on its
    /// screen already.
    pub(crate) fn before_resize(&self) {
        let emulator = self.screen.lock();
        let mut inner = self.lock();
        if inner.covered.is_none() {
            inner.given.get_or_insert(Given::of(&emulator));
        }
    }

    /// The reason of the resize was the terminal's own size: it has reflowed its contents itself.
    pub(crate) fn has_resized(&self) {
        self.lock().given = None;
    }

    /// The terminal is ready, and its contents unknown. The first time it is sent the history, too.
    pub(crate) fn begin(&self) {
        let emulator = self.screen.lock();
        let mut inner = self.lock();
        inner.bytes.clear();
        inner.is_behind = false;
        inner.covered = None;
        self.print_all(&emulator, &mut inner);
    }

    fn print_all(&self, emulator: &Emulator, inner: &mut Inner) {
        let (caps, size) = (inner.caps, emulator.size());
        // Move what the terminal shows into its scrollback.
        scroll_off(size, size.rows(), &mut inner.bytes);
        if !std::mem::replace(&mut inner.has_begun, true) {
            let count = emulator.history_row_count_to(MAX_HISTORY_ROWS);
            print_history(emulator, count, &caps, &mut inner.bytes);
        }
        print_screen(emulator, Under::Main, &caps, &mut inner.bytes);
        self.grown.notify_one();
    }

    /// Frames are painted from now on. Returns the bytes that prepare the terminal for that.
    pub(crate) fn cover(&self) -> Vec<u8> {
        let emulator = self.screen.lock();
        let mut inner = self.lock();
        let under = screen_of(&emulator);
        // Output that was not sent yet goes first: the program's next bytes depend on it.
        let mut bytes = std::mem::take(&mut inner.bytes);
        let mut given = inner.given.take();
        if std::mem::take(&mut inner.is_behind) {
            print_screen(&emulator, under, &inner.caps, &mut bytes);
            given = None;
        }
        inner.covered = Some(Covered {
            under,
            given: given.unwrap_or_else(|| Given::of(&emulator)),
        });
        shellkeep_render::cover_natively(under, &inner.caps, &mut bytes);
        bytes
    }

    /// Frames are no longer painted: sends what has scrolled off meanwhile, and the screen.
    pub(crate) fn uncover(&self) {
        let emulator = self.screen.lock();
        let mut inner = self.lock();
        let Some(covered) = inner.covered.take() else {
            return;
        };
        inner.bytes.clear();
        inner.is_behind = false;
        let caps = inner.caps;
        if covered.under == Under::Alternate && emulator.is_alternate() {
            print_screen(&emulator, Under::Alternate, &caps, &mut inner.bytes);
            self.grown.notify_one();
            return;
        }
        shellkeep_render::show_main(&caps, &mut inner.bytes);
        if !inner.has_begun || covered.given.size != emulator.size() {
            self.print_all(&emulator, &mut inner);
            return;
        }
        let grown = covered.given.history.growth(&emulator);
        print_history(&emulator, grown, &caps, &mut inner.bytes);
        print_screen(&emulator, Under::Main, &caps, &mut inner.bytes);
        self.grown.notify_one();
    }

    /// Waits until there is something to take.
    pub(crate) async fn filled(&self) {
        loop {
            {
                let inner = self.lock();
                if inner.is_behind || !inner.bytes.is_empty() {
                    return;
                }
            }
            self.grown.notified().await;
        }
    }

    /// Takes all bytes.
    pub(crate) fn take(&self) -> Vec<u8> {
        let emulator = self.screen.lock();
        let mut inner = self.lock();
        if std::mem::take(&mut inner.is_behind) {
            let mut bytes = Vec::new();
            // Which screen the terminal is on is unknown, so the main one is assumed. On the alternate one it stays there.
            print_screen(&emulator, Under::Main, &inner.caps, &mut bytes);
            return bytes;
        }
        std::mem::take(&mut inner.bytes)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tap for NativeFeed {
    fn printed(&self, _pane: PaneId, bytes: &[u8]) {
        let mut inner = self.lock();
        if !inner.has_begun || inner.is_behind || inner.covered.is_some() {
            return;
        }
        if inner.bytes.len() + bytes.len() > MAX_KEPT_BYTES {
            inner.bytes = Vec::new();
            inner.is_behind = true;
        } else {
            inner.bytes.extend_from_slice(bytes);
        }
        self.grown.notify_one();
    }
}

/// The screen that the program writes to.
fn screen_of(emulator: &Emulator) -> Under {
    match emulator.is_alternate() {
        true => Under::Alternate,
        false => Under::Main,
    }
}

/// Scrolls this many rows off the top of the terminal, into its scrollback.
fn scroll_off(size: Size, rows: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("\x1b[m\x1b[r\x1b[{};1H", size.rows()).as_bytes());
    out.resize(out.len() + usize::from(rows), b'\n');
}

/// Prints the rows that have scrolled off a pane last, a screenful at a time: painted as a frame and then scrolled off.
fn print_history(emulator: &Emulator, count: usize, caps: &Caps, out: &mut Vec<u8>) {
    let size = emulator.size();
    // Lines that cannot be read leave a gap in the scrollback.
    let rows = emulator.history_rows(0, count);
    let rows: Vec<RowView<'_>> = rows.iter().collect();
    for page in rows.chunks(usize::from(size.rows())) {
        let frame = frame_of(page.iter(), size);
        repaint(&frame, caps, out);
        let drawn = u16::try_from(page.len()).unwrap_or(size.rows());
        scroll_off(size, drawn, out);
    }
}

fn frame_of<'a>(rows: impl Iterator<Item = &'a RowView<'a>>, size: Size) -> Frame {
    let mut frame = Frame::new(size);
    let mut canvas = Canvas::new(&mut frame, Rect::whole(size));
    for (at, row) in (0..size.rows()).zip(rows) {
        draw_row(row, at, &mut canvas);
    }
    frame
}

fn draw_row(row: &RowView<'_>, at: u16, canvas: &mut Canvas<'_>) {
    let mut text = String::new();
    for (col, cell) in (0..).zip(row.cells()) {
        if cell.width() > 0 {
            text.clear();
            cell.push_to(&mut text);
            canvas.put(at, col, &text, cell.width(), cell.style(), cell.link());
        }
    }
}

/// Paints a frame. The screen is erased row by row first: many terminals move what is cleared as a whole into their
/// scrollback.
fn repaint(frame: &Frame, caps: &Caps, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[m\x1b[r");
    for row in 1..=frame.size().rows() {
        out.extend_from_slice(format!("\x1b[{row}H\x1b[2K").as_bytes());
    }
    shellkeep_render::repaint(frame, caps, out);
}

/// Prints a pane's screen on a terminal that is on this screen, and leaves the terminal in the state that the program
/// expects.
fn print_screen(emulator: &Emulator, at: Under, caps: &Caps, out: &mut Vec<u8>) {
    let size = emulator.size();
    if at == Under::Main
        && let Some(rows) = emulator.rows_under_alternate()
    {
        let rows: Vec<RowView<'_>> = rows.collect();
        let mut frame = frame_of(rows.iter(), size);
        let (row, col) = emulator.cursor_under_alternate().unwrap_or_default();
        let visible = true;
        frame.set_cursor(FrameCursor {
            row,
            col,
            visible,
            ..FrameCursor::default()
        });
        repaint(&frame, caps, out);
        shellkeep_render::show_alternate(caps, out);
    }
    let mut frame = Frame::new(size);
    shellkeep_render::compose_pane(emulator, size, &mut frame);
    repaint(&frame, caps, out);
    print_state(emulator, caps, out);
}

/// Prints the state that the program's next bytes depend on.
fn print_state(emulator: &Emulator, caps: &Caps, out: &mut Vec<u8>) {
    let modes = emulator.inner_modes();
    let cursor = emulator.cursor();
    let last = emulator.size().rows().saturating_sub(1);
    let mut row = cursor.row;
    if modes.region != (0, last) {
        let (top, bottom) = modes.region;
        out.extend_from_slice(format!("\x1b[{};{}r", top + 1, bottom + 1).as_bytes());
    }
    if modes.origin {
        out.extend_from_slice(b"\x1b[?6h");
        row = row.saturating_sub(modes.region.0);
    }
    // Setting either of them moves the cursor.
    if modes.origin || modes.region != (0, last) {
        out.extend_from_slice(format!("\x1b[{};{}H", row + 1, cursor.col + 1).as_bytes());
    }
    if modes.insert {
        out.extend_from_slice(b"\x1b[4h");
    }
    if !modes.autowrap {
        out.extend_from_slice(b"\x1b[?7l");
    }
    shellkeep_render::write_style(&emulator.pen(), caps, out);
    out.extend_from_slice(&emulator.unfinished());
}

#[cfg(test)]
mod tests {
    use super::*;
    use shellkeep_term::Config;

    fn screen(text: &str) -> Arc<Screen> {
        let mut emulator = Emulator::new(Size::new(3, 10), Config::default());
        emulator.feed(text.as_bytes(), &mut Vec::new());
        Screen::new(PaneId(0), emulator)
    }

    fn caps() -> Caps {
        Caps::detect(&shellkeep_render::Environment {
            term: "xterm-256color",
            ..shellkeep_render::Environment::default()
        })
    }

    /// What a terminal holds after these bytes: scrollback and screen.
    fn outer(bytes: &[u8]) -> String {
        let mut terminal = Emulator::new(Size::new(3, 10), Config::default());
        terminal.feed(b"mine", &mut Vec::new());
        terminal.feed(bytes, &mut Vec::new());
        let count = terminal.history_row_count();
        let history = terminal.history_rows(0, count);
        let mut rows: Vec<String> = history.iter().map(|row| row.text()).collect();
        rows.extend(terminal.rows().map(|row| row.text()));
        rows.join("|")
    }

    #[test]
    fn history_then_screen_end_up_in_the_terminal_below_what_it_showed() {
        let feed = NativeFeed::new(screen("a\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng"), caps());
        feed.begin();
        assert_eq!(outer(&feed.take()), "mine|||a|b|c|d|e|f|g");
    }

    #[test]
    fn output_goes_on_byte_for_byte_and_history_is_printed_once() {
        let feed = NativeFeed::new(screen("a\r\nb\r\nc\r\nd"), caps());
        feed.printed(PaneId(0), b"too early");
        feed.begin();
        let _ = feed.take();
        feed.printed(PaneId(0), b"\x1b[31mlive");
        assert_eq!(feed.take(), b"\x1b[31mlive");
        feed.begin();
        assert_eq!(outer(&feed.take()), "mine|||b|c|d");
    }

    /// A terminal that has got all these bytes after its own screen `mine`.
    fn terminal() -> Emulator {
        let mut terminal = Emulator::new(Size::new(3, 10), Config::default());
        terminal.feed(b"mine", &mut Vec::new());
        terminal
    }

    fn all_rows(terminal: &Emulator) -> String {
        let count = terminal.history_row_count();
        let history = terminal.history_rows(0, count);
        let mut rows: Vec<String> = history.iter().map(|row| row.text()).collect();
        rows.extend(terminal.rows().map(|row| row.text()));
        rows.join("|")
    }

    /// Feeds a pane as its task does.
    fn says(screen: &Screen, feed: &NativeFeed, text: &str) {
        let effects = &mut Vec::new();
        screen.lock().feed(text.as_bytes(), effects);
        feed.printed(PaneId(0), text.as_bytes());
    }

    #[test]
    fn output_while_something_is_painted_is_in_the_scrollback_afterwards_and_nothing_is_twice() {
        let screen = screen("a\r\nb\r\nc\r\nd");
        let feed = NativeFeed::new(screen.clone(), caps());
        let mut outer = terminal();
        feed.begin();
        outer.feed(&feed.take(), &mut Vec::new());
        outer.feed(&feed.cover(), &mut Vec::new());
        assert!(outer.is_alternate() && feed.is_covered());
        outer.feed(b"\x1b[H\x1b[2Jpainted\x1b[?1000h", &mut Vec::new());
        says(&screen, &feed, "!\r\ne\r\nf\r\ng\r\nh\x1b[1");
        assert!(feed.take().is_empty());
        feed.uncover();
        outer.feed(&feed.take(), &mut Vec::new());
        says(&screen, &feed, ";31mi");
        outer.feed(&feed.take(), &mut Vec::new());
        assert!(!outer.is_alternate() && !feed.is_covered());
        assert_eq!(all_rows(&outer), "mine|||a|b|c|d!|e|f|g|hi");
        assert_eq!(
            outer.row(2).cells().nth(1).map(|cell| cell.style()),
            Some(screen.lock().pen())
        );
    }

    #[test]
    fn lines_longer_than_a_row_are_all_in_the_scrollback() {
        let lines = |from: u32| -> String {
            let lines = (from..from + 800).map(|number| format!("{number:025}\r\n"));
            lines.collect()
        };
        let screen = screen(&lines(0));
        let feed = NativeFeed::new(screen.clone(), caps());
        let mut outer = terminal();
        feed.begin();
        outer.feed(&feed.take(), &mut Vec::new());
        let expected = |screen: &Screen| format!("mine|||{}", all_rows(&screen.lock()));
        assert_eq!(all_rows(&outer), expected(&screen));
        outer.feed(&feed.cover(), &mut Vec::new());
        says(&screen, &feed, &lines(800));
        feed.uncover();
        outer.feed(&feed.take(), &mut Vec::new());
        assert_eq!(all_rows(&outer), expected(&screen));
    }

    #[test]
    fn program_on_the_other_screen_is_there_again_and_the_main_one_is_as_it_left_it() {
        let screen = screen("a\r\nb");
        let feed = NativeFeed::new(screen.clone(), caps());
        let mut outer = terminal();
        feed.begin();
        outer.feed(&feed.take(), &mut Vec::new());
        let mut painted = feed.cover();
        painted.extend_from_slice(b"\x1b[H\x1b[2Jpainted");
        outer.feed(&painted, &mut Vec::new());
        // It switches to the alternate screen while frames are painted,
        says(&screen, &feed, "c\x1b[?1049h\x1b[Hvim");
        feed.uncover();
        outer.feed(&feed.take(), &mut Vec::new());
        assert!(outer.is_alternate());
        assert_eq!(all_rows(&outer), "mine|||vim||");
        // frames are painted again,
        outer.feed(&feed.cover(), &mut Vec::new());
        outer.feed(b"\x1b[H\x1b[2Jpainted", &mut Vec::new());
        feed.uncover();
        outer.feed(&feed.take(), &mut Vec::new());
        assert_eq!(all_rows(&outer), "mine|||vim||");
        // and it leaves the alternate screen.
        says(&screen, &feed, "\x1b[?1049l.");
        outer.feed(&feed.take(), &mut Vec::new());
        assert_eq!(all_rows(&outer), "mine|||a|bc.|");
    }

    #[test]
    fn program_that_left_the_other_screen_under_a_picture_is_found_on_the_main_one() {
        let screen = screen("a\r\nb\x1b[?1049hvim");
        let feed = NativeFeed::new(screen.clone(), caps());
        let mut outer = terminal();
        feed.begin();
        outer.feed(&feed.take(), &mut Vec::new());
        outer.feed(&feed.cover(), &mut Vec::new());
        outer.feed(b"\x1b[H\x1b[2Jpainted", &mut Vec::new());
        says(&screen, &feed, "\x1b[?1049l.\r\nc\r\nd\x1b[2;3r\x1b[3;1H");
        feed.uncover();
        outer.feed(&feed.take(), &mut Vec::new());
        says(&screen, &feed, "\n");
        outer.feed(&feed.take(), &mut Vec::new());
        assert_eq!(all_rows(&outer), "mine|||a|b.|d|", "by its scroll region");
    }

    #[test]
    fn terminal_that_does_not_keep_up_gets_the_screen_as_it_is() {
        let feed = NativeFeed::new(screen("now"), caps());
        feed.begin();
        let _ = feed.take();
        for _ in 0..3 {
            feed.printed(PaneId(0), &vec![b'x'; MAX_KEPT_BYTES / 2]);
        }
        let bytes = feed.take();
        assert!(bytes.len() < 1000, "{}", bytes.len());
        assert_eq!(outer(&bytes), "now||");
    }
}
