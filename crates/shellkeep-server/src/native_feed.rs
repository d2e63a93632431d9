//! What goes to a client that scrolls natively: a pane's history, its screen, and from then on what its program prints, byte for
//! byte, so that the outer terminal's own scrollback holds it all.
//!
//! A terminal that does not keep up costs no more than [`MOST`] bytes: what is beyond is left out, and the screen is painted anew.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shellkeep_core::{PaneId, Size};
use shellkeep_render::{Canvas, Caps, Frame, Rect};
use shellkeep_term::{Emulator, RowView};
use tokio::sync::Notify;

use crate::screen::Screen;
use crate::tap::Tap;

/// So much is kept for a terminal that does not keep up.
const MOST: usize = 4 << 20;

/// So many rows of history are printed first. More would take longer than anybody wants to wait for the prompt.
const HISTORY_ROWS: usize = 5000;

/// The queue.
pub(crate) struct NativeFeed {
    screen: Arc<Screen>,
    inner: Mutex<Inner>,
    grown: Notify,
}

struct Inner {
    caps: Caps,
    bytes: Vec<u8>,
    /// Something was left out.
    is_behind: bool,
    /// The history has been printed.
    has_begun: bool,
}

impl NativeFeed {
    pub(crate) fn new(screen: Arc<Screen>, caps: Caps) -> Arc<Self> {
        let inner = Inner {
            caps,
            bytes: Vec::new(),
            is_behind: false,
            has_begun: false,
        };
        Arc::new(Self {
            screen,
            inner: Mutex::new(inner),
            grown: Notify::new(),
        })
    }

    /// The pane it is about.
    pub(crate) fn pane(&self) -> PaneId {
        self.screen.pane()
    }

    /// The terminal is ready, and what it shows unknown. The first time it gets the history as well.
    pub(crate) fn begin(&self) {
        let emulator = self.screen.lock();
        let mut inner = self.lock();
        inner.bytes.clear();
        inner.is_behind = false;
        let (caps, size) = (inner.caps, emulator.size());
        // What the terminal shows goes into its scrollback, where it belongs.
        scroll_off(size, size.rows(), &mut inner.bytes);
        if !std::mem::replace(&mut inner.has_begun, true) {
            print_history(&emulator, &caps, &mut inner.bytes);
        }
        print_screen(&emulator, &caps, &mut inner.bytes);
        self.grown.notify_one();
    }

    /// Waits until there is something to be taken.
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

    /// Takes all of it.
    pub(crate) fn take(&self) -> Vec<u8> {
        let emulator = self.screen.lock();
        let mut inner = self.lock();
        if std::mem::take(&mut inner.is_behind) {
            let mut bytes = Vec::new();
            print_screen(&emulator, &inner.caps, &mut bytes);
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
        if !inner.has_begun || inner.is_behind {
            return;
        }
        if inner.bytes.len() + bytes.len() > MOST {
            inner.bytes = Vec::new();
            inner.is_behind = true;
        } else {
            inner.bytes.extend_from_slice(bytes);
        }
        self.grown.notify_one();
    }
}

/// Moves so many rows off the top of the terminal, into its scrollback.
fn scroll_off(size: Size, rows: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("\x1b[m\x1b[{};1H", size.rows()).as_bytes());
    out.resize(out.len() + usize::from(rows), b'\n');
}

/// Prints what has scrolled off a pane, a screenful at a time: painted as any frame is, then scrolled off.
fn print_history(emulator: &Emulator, caps: &Caps, out: &mut Vec<u8>) {
    let size = emulator.size();
    let count = emulator.history_row_count().min(HISTORY_ROWS);
    // Lines that cannot be read leave a gap in the scrollback, no more.
    let rows = emulator.history_rows(0, count);
    let rows: Vec<RowView<'_>> = rows.iter().collect();
    for page in rows.chunks(usize::from(size.rows())) {
        let mut frame = Frame::new(size);
        let mut canvas = Canvas::new(&mut frame, Rect::whole(size));
        for (at, row) in (0..).zip(page) {
            draw_row(row, at, &mut canvas);
        }
        shellkeep_render::repaint(&frame, caps, out);
        let drawn = u16::try_from(page.len()).unwrap_or(size.rows());
        scroll_off(size, drawn, out);
    }
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

/// Prints what a pane shows, and leaves the terminal as its program believes it to be.
fn print_screen(emulator: &Emulator, caps: &Caps, out: &mut Vec<u8>) {
    if emulator.is_alternate() {
        out.extend_from_slice(b"\x1b[?1049h");
    }
    let mut frame = Frame::new(emulator.size());
    shellkeep_render::compose_pane(emulator, emulator.size(), &mut frame);
    shellkeep_render::repaint(&frame, caps, out);
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

    #[test]
    fn terminal_that_does_not_keep_up_gets_the_screen_as_it_is() {
        let feed = NativeFeed::new(screen("now"), caps());
        feed.begin();
        let _ = feed.take();
        for _ in 0..3 {
            feed.printed(PaneId(0), &vec![b'x'; MOST / 2]);
        }
        let bytes = feed.take();
        assert!(bytes.len() < 1000, "{}", bytes.len());
        assert_eq!(outer(&bytes), "now||");
    }
}
