//! The main property: whatever frames follow each other, the terminal shows the last one.

use proptest::collection::vec;
use proptest::prelude::*;
use shellkeep_core::{Attrs, Color, CursorShape, Size, Style, Underline};
use shellkeep_render::{Caps, Colors, Features, Frame, FrameCursor, MouseReports};

use crate::screen::{Terminal, plain_caps};

/// One change of a frame.
#[derive(Clone, Debug)]
pub(crate) enum Draw {
    Put(u16, u16, usize, Style, usize),
    Line(u16, u16, &'static str, Style),
    Fill(u16, u16, u16, Style),
    /// Moves the rows from the first to the second by so many.
    Scroll(u16, u16, i8),
    /// The same for some columns only.
    ScrollColumns((u16, u16), (u16, u16), i8),
    Cursor(u16, u16, bool),
    Clear,
    Modes(bool),
}

const ROWS: u16 = 9;
const COLS: u16 = 24;

/// The emulator that shows the frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum For {
    /// `vt100`, which does not know all attributes and clusters.
    Vt100,
    /// Our own, which must know everything.
    Ours,
}

pub(crate) fn style(target: For) -> impl Strategy<Value = Style> {
    let color = prop_oneof![
        3 => Just(Color::Default),
        2 => (0..20u8).prop_map(Color::Palette),
        1 => (0..3u8).prop_map(|n| Color::Rgb(n * 100, 200, 10)),
    ];
    let known = match target {
        For::Vt100 => Attrs::BOLD | Attrs::DIM | Attrs::ITALIC | Attrs::REVERSE,
        For::Ours => Attrs::all(),
    };
    let attrs = prop_oneof![
        Just(Attrs::empty()),
        any::<u8>().prop_map(move |bits| Attrs::from_bits_truncate(bits) & known),
        (0..8u8).prop_map(move |bit| Attrs::from_bits_truncate(1u8 << bit) & known),
    ];
    let underline = prop_oneof![
        4 => Just(Underline::None),
        1 => Just(Underline::Single),
        1 => Just(Underline::Double),
        1 => Just(Underline::Curly),
        1 => Just(Underline::Dashed),
    ];
    let made = (color.clone(), color.clone(), color, attrs, underline).prop_map(
        move |(fg, bg, underline_color, mut attrs, underline)| {
            // In vt100 a cell is bold or dim, never both.
            if target == For::Vt100 && attrs.contains(Attrs::BOLD) {
                attrs -= Attrs::DIM;
            }
            Style {
                fg,
                bg,
                underline_color,
                attrs,
                underline,
            }
        },
    );
    prop_oneof![Just(Style::default()), made]
}

/// `vt100` knows the first eight as well.
const TEXTS: [(&str, u8); 13] = [
    ("a", 1),
    ("Z", 1),
    (" ", 1),
    ("é", 1),
    ("e\u{301}", 1),
    ("│", 1),
    ("漢", 2),
    ("😀", 2),
    ("❤\u{fe0f}", 2),
    ("👨\u{200d}👩\u{200d}👧\u{200d}👦", 2),
    ("👋🏽", 2),
    ("🇩🇪", 2),
    ("a\u{300}\u{301}\u{302}\u{303}\u{304}", 1),
];

const LINKS: [Option<&str>; 4] = [None, None, Some("http://one"), Some("http://two/?a=1;b")];

const LINES: [&str; 5] = [
    "the quick brown fox jumps",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "ls -l",
    "                               x",
    "a  b   c    d     e",
];

pub(crate) fn draw(target: For) -> impl Strategy<Value = Draw> {
    let texts = match target {
        For::Vt100 => 8,
        For::Ours => TEXTS.len(),
    };
    let style = || style(target);
    prop_oneof![
        6 => (0..ROWS, 0..COLS, 0..texts, style(), 0..LINKS.len())
            .prop_map(|(row, col, text, style, link)| Draw::Put(row, col, text, style, link)),
        6 => (0..ROWS, 0..COLS, 0..LINES.len(), style())
            .prop_map(|(row, col, line, style)| Draw::Line(row, col, LINES[line], style)),
        3 => (0..ROWS, 0..COLS, 1..COLS, style())
            .prop_map(|(row, col, cols, style)| Draw::Fill(row, col, cols, style)),
        4 => (0..ROWS, 0..ROWS, -3..4i8)
            .prop_map(|(a, b, by)| Draw::Scroll(a.min(b), a.max(b), by)),
        4 => (0..ROWS, 0..ROWS, 0..COLS, 0..COLS, -3..4i8).prop_map(|(a, b, c, d, by)| {
            Draw::ScrollColumns((a.min(b), a.max(b)), (c.min(d), c.max(d)), by)
        }),
        2 => (0..ROWS, 0..COLS, any::<bool>())
            .prop_map(|(row, col, on)| Draw::Cursor(row, col, on)),
        1 => Just(Draw::Clear),
        1 => any::<bool>().prop_map(Draw::Modes),
    ]
}

fn copy_cell(from: &Frame, to: &mut Frame, (row, col): (u16, u16), source: u16) {
    let width = from.width(source, col);
    if width > 0 {
        let text = from.text(source, col);
        to.put(
            row,
            col,
            text,
            width,
            from.style(source, col),
            from.link(source, col),
        );
    }
}

fn scroll(frame: &mut Frame, (top, bottom): (u16, u16), (left, right): (u16, u16), by: i8) {
    let before = frame.clone();
    for row in top..=bottom {
        frame.fill(row, left, right - left + 1, Style::default());
        let source = i32::from(row) + i32::from(by);
        if (i32::from(top)..=i32::from(bottom)).contains(&source) {
            for col in left..=right {
                copy_cell(&before, frame, (row, col), source as u16);
            }
        }
    }
}

pub(crate) fn apply(frame: &mut Frame, draw: &Draw) {
    match draw {
        Draw::Put(row, col, text, style, link) => {
            let (text, width) = TEXTS[*text];
            frame.put(*row, *col, text, width, *style, LINKS[*link]);
        }
        Draw::Line(row, col, line, style) => {
            for (at, c) in line.chars().enumerate() {
                let text = c.to_string();
                frame.put(*row, col + at as u16, &text, 1, *style, None);
            }
        }
        Draw::Fill(row, col, cols, style) => frame.fill(*row, *col, *cols, *style),
        Draw::Scroll(top, bottom, by) => scroll(frame, (*top, *bottom), (0, COLS - 1), *by),
        Draw::ScrollColumns(rows, cols, by) => scroll(frame, *rows, *cols, *by),
        Draw::Cursor(row, col, visible) => frame.set_cursor(FrameCursor {
            row: *row,
            col: *col,
            visible: *visible,
            shape: CursorShape::from_number(row % 7).unwrap_or_default(),
        }),
        Draw::Clear => {
            let size = frame.size();
            frame.reset(size);
        }
        Draw::Modes(on) => {
            frame.modes.bracketed_paste = *on;
            frame.modes.mouse = match on {
                true => MouseReports::Drag,
                false => MouseReports::Off,
            };
            frame.set_title(if *on { "one" } else { "two" });
        }
    }
}

/// Frames, each made from the last by a few changes.
pub(crate) fn frames(target: For) -> impl Strategy<Value = Vec<Frame>> {
    vec(vec(draw(target), 1..6), 2..8).prop_map(|steps| {
        let mut frame = Frame::new(Size::new(ROWS, COLS));
        steps
            .iter()
            .map(|draws| {
                draws.iter().for_each(|draw| apply(&mut frame, draw));
                frame.clone()
            })
            .collect()
    })
}

fn check(frames: &[Frame], caps: Caps) {
    let mut terminal = Terminal::new(&frames[0], caps);
    for pair in frames.windows(2) {
        terminal.update(&pair[0], &pair[1]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn vt100_shows_the_last_frame(frames in frames(For::Vt100)) {
        check(&frames, plain_caps());
    }

    #[test]
    fn vt100_shows_the_last_frame_without_most_features(frames in frames(For::Vt100)) {
        let mut caps = plain_caps();
        caps.colors = Colors::Ansi16;
        caps.features = Features::ADDRESSING | Features::UTF8 | Features::PASTE;
        check(&frames, caps);
    }

    #[test]
    fn vt100_shows_the_last_frame_with_synchronized_output(frames in frames(For::Vt100)) {
        let mut caps = plain_caps();
        caps.colors = Colors::Palette256;
        caps.features |= Features::SYNC;
        caps.features -= Features::BCE | Features::SCROLL | Features::ERASE_CHARS;
        check(&frames, caps);
    }
}
