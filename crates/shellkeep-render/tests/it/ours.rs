//! The main property on our own emulator, with all attributes, links and clusters. Its screen is composed into a frame
//! again, which must equal the painted frame.

use proptest::collection::vec;
use proptest::prelude::*;
use shellkeep_core::{Size, Style};
use shellkeep_render::{
    Canvas, Caps, Colors, Features, Frame, Rect, compose_pane, diff, diff_rows, draw_pane_rows,
    enter, outer_modes, pane_cursor, repaint,
};
use shellkeep_term::{Config, Dirty, Emulator, Modes};

use crate::equation::{For, frames};
use crate::screen::readable;

fn all_caps() -> Caps {
    Caps {
        colors: Colors::True,
        features: Features::all(),
    }
}

struct Terminal {
    emulator: Emulator,
    caps: Caps,
    last: Vec<u8>,
}

impl Terminal {
    fn new(frame: &Frame, caps: Caps) -> Self {
        let mut terminal = Self {
            emulator: Emulator::new(frame.size(), Config::default()),
            caps,
            // It knows all clusters, as did the program whose frames these are.
            last: b"\x1b[?2027h\x1b[2;3r\x1b[41;4mold\r\nstuff".to_vec(),
        };
        terminal.feed();
        enter(&caps, &mut terminal.last);
        repaint(frame, &caps, &mut terminal.last);
        terminal.feed();
        terminal.assert_shows(frame);
        terminal
    }

    fn update(&mut self, prev: &Frame, next: &Frame) {
        self.last.clear();
        diff(prev, next, &self.caps, &mut self.last);
        self.feed();
        self.assert_shows(next);
    }

    fn feed(&mut self) {
        self.emulator.feed(&self.last, &mut Vec::new());
    }

    fn assert_shows(&self, frame: &Frame) {
        let context = || format!("after {}\nof {frame:?}", readable(&self.last));
        let mut shown = Frame::new(frame.size());
        compose_pane(&self.emulator, frame.size(), &mut shown);
        for row in 0..frame.size().rows() {
            for col in 0..frame.size().cols() {
                let at = || format!("at {row},{col} {}", context());
                assert_eq!(shown.text(row, col), frame.text(row, col), "{}", at());
                assert_eq!(shown.style(row, col), frame.style(row, col), "{}", at());
                assert_eq!(shown.link(row, col), frame.link(row, col), "{}", at());
                assert_eq!(shown.width(row, col), frame.width(row, col), "{}", at());
            }
        }
        assert_eq!(shown.cursor(), frame.cursor(), "{}", context());
        assert_eq!(shown.modes.mouse, frame.modes.mouse, "{}", context());
        assert_eq!(self.emulator.title(), frame.title(), "{}", context());
        let Modes {
            bracketed_paste,
            focus_events,
            synchronized_output,
            ..
        } = self.emulator.modes();
        assert_eq!(bracketed_paste, frame.modes.bracketed_paste);
        assert_eq!(focus_events, frame.modes.focus_events);
        assert!(!synchronized_output);
    }
}

fn check(frames: &[Frame], caps: Caps) {
    let mut terminal = Terminal::new(&frames[0], caps);
    for pair in frames.windows(2) {
        terminal.update(&pair[0], &pair[1]);
    }
}

/// Typical output of programs.
const PIECES: [&str; 26] = [
    "hello world",
    "\r\n",
    "\r\n\r\n\r\n",
    "\x1b[H",
    "\x1b[2J",
    "\x1b[K",
    "\x1b[5;9H",
    "\x1b[9;20H",
    "\x1b[2;6r",
    "\x1b[r",
    "\x1b[3S",
    "\x1b[2T",
    "\x1b[2L",
    "\x1b[M",
    "\x1b[4P",
    "\x1b[3@",
    "\x1b[31;1m",
    "\x1b[48;5;20m",
    "\x1b[m",
    "\x1b[7;4:3m",
    "\x1b[9;53;58:2::1:2:3m",
    "漢字かな",
    "👨\u{200d}👩\u{200d}👧 e\u{301} ❤\u{fe0f}",
    "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
    "a long line that goes on and on until it wraps",
    "\x1b[?25l\x1b[5 q\x1b[?5h",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_emulator_shows_the_last_frame(frames in frames(For::Ours)) {
        check(&frames, all_caps());
    }

    #[test]
    fn our_emulator_shows_the_last_frame_without_shortcuts(frames in frames(For::Ours)) {
        let mut caps = all_caps();
        caps.features -= Features::BCE | Features::SCROLL | Features::REPEAT | Features::SYNC
            | Features::ABSOLUTE_AXES | Features::ERASE_CHARS | Features::ATTRS_OFF;
        check(&frames, caps);
    }

    #[test]
    fn updated_frame_equals_a_composed_one(
        steps in vec((vec(0..PIECES.len(), 1..5), any::<bool>()), 2..16),
        (rows, cols) in (1..12u16, 2..30u16),
    ) {
        let size = Size::new(rows, cols);
        let mut pane = Emulator::new(size, Config::default());
        let (mut kept, mut anew) = (Frame::new(size), Frame::new(size));
        compose_pane(&pane, size, &mut kept);
        let _ = pane.take_dirty();
        let (mut outer, mut seen) = (Emulator::new(size, Config::default()), Frame::new(size));
        let mut bytes = Vec::new();
        repaint(&kept, &all_caps(), &mut bytes);
        outer.feed(&bytes, &mut Vec::new());
        for (pieces, alternate) in steps {
            for piece in pieces {
                pane.feed(PIECES[piece].as_bytes(), &mut Vec::new());
            }
            if alternate {
                pane.feed(b"\x1b[?1049h\x1b]4;1;#123456\x1b\\", &mut Vec::new());
            }
            let shown = kept.clone();
            let rows = match pane.take_dirty() {
                Dirty::None => vec![],
                Dirty::Rows(rows) => rows,
                Dirty::All => (0..size.rows()).collect(),
            };
            if kept.is_plain() {
                let rect = Rect::whole(size);
                let rows = rows.iter().copied();
                draw_pane_rows(&pane, Style::default(), rows, &mut Canvas::new(&mut kept, rect));
                kept.set_cursor(pane_cursor(&pane, rect));
                kept.modes = outer_modes(pane.modes());
            } else {
                compose_pane(&pane, size, &mut kept);
            }
            compose_pane(&pane, size, &mut anew);
            prop_assert_eq!(&kept, &anew);
            let mut bytes = Vec::new();
            diff_rows(&shown, &kept, &rows, &all_caps(), &mut bytes);
            outer.feed(&bytes, &mut Vec::new());
            compose_pane(&outer, size, &mut seen);
            for row in 0..size.rows() {
                for col in 0..size.cols() {
                    let cell = |frame: &Frame| {
                        (frame.text(row, col).trim().to_owned(), frame.width(row, col), frame.style(row, col))
                    };
                    prop_assert_eq!(cell(&seen), cell(&kept), "row {} column {}", row, col);
                }
            }
        }
    }

    #[test]
    fn pane_within_shows_as_it_is(
        steps in vec(vec(0..PIECES.len(), 1..5), 2..12),
        (rows, cols) in (1..12u16, 2..30u16),
    ) {
        let size = Size::new(rows, cols);
        let mut pane = Emulator::new(size, Config::default());
        let frames: Vec<Frame> = steps
            .iter()
            .map(|pieces| {
                for piece in pieces {
                    pane.feed(PIECES[*piece].as_bytes(), &mut Vec::new());
                }
                let mut frame = Frame::new(size);
                compose_pane(&pane, size, &mut frame);
                frame
            })
            .collect();
        check(&frames, all_caps());
    }
}
