//! A terminal that is not ours, and the part of a frame that it can confirm.

use shellkeep_core::{Attrs, Color, Style, Underline};
use shellkeep_render::{Caps, Colors, Environment, Features, Frame, diff, repaint};

/// The capabilities of `vt100`.
pub(crate) fn plain_caps() -> Caps {
    let mut caps = Caps::detect(&Environment {
        term: "xterm-256color",
        colorterm: Some("truecolor"),
        ..Environment::default()
    });
    assert_eq!(caps.colors, Colors::True);
    caps.features -= Features::STYLED_UNDERLINE | Features::STRIKE | Features::REPEAT;
    caps
}

pub(crate) fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\x1b', "␛")
}

fn color(color: vt100::Color) -> Color {
    match color {
        vt100::Color::Default => Color::Default,
        vt100::Color::Idx(index) => Color::Palette(index),
        vt100::Color::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

/// The visible part of a cell's style: of a blank only the background, unless it has a line.
pub(crate) fn seen(blank: bool, style: Style) -> Style {
    let over = Attrs::REVERSE | Attrs::STRIKE | Attrs::OVERLINE;
    if !blank || style.underline != Underline::None || style.attrs.intersects(over) {
        return style;
    }
    Style {
        bg: style.bg,
        ..Style::default()
    }
}

fn style(cell: &vt100::Cell) -> Style {
    let mut attrs = Attrs::empty();
    attrs.set(Attrs::BOLD, cell.bold());
    attrs.set(Attrs::DIM, cell.dim());
    attrs.set(Attrs::ITALIC, cell.italic());
    attrs.set(Attrs::REVERSE, cell.inverse());
    Style {
        fg: color(cell.fgcolor()),
        bg: color(cell.bgcolor()),
        underline: match cell.underline() {
            true => Underline::Single,
            false => Underline::None,
        },
        attrs,
        ..Style::default()
    }
}

/// A `vt100` terminal that is painted on.
pub(crate) struct Terminal {
    pub(crate) parser: vt100::Parser,
    pub(crate) caps: Caps,
    pub(crate) last: Vec<u8>,
}

impl Terminal {
    pub(crate) fn new(frame: &Frame, caps: Caps) -> Self {
        let size = frame.size();
        let mut terminal = Self {
            parser: vt100::Parser::new(nonzero(size.rows()), nonzero(size.cols()), 0),
            caps,
            last: Vec::new(),
        };
        // Content to be painted over.
        terminal.parser.process(b"\x1b[2;3r\x1b[41;4mold\r\nstuff");
        repaint(frame, &caps, &mut terminal.last);
        terminal.parser.process(&terminal.last);
        terminal.assert_shows(frame);
        terminal
    }

    pub(crate) fn update(&mut self, prev: &Frame, next: &Frame) {
        self.last.clear();
        diff(prev, next, &self.caps, &mut self.last);
        self.parser.process(&self.last);
        self.assert_shows(next);
    }

    pub(crate) fn assert_shows(&self, frame: &Frame) {
        let screen = self.parser.screen();
        let context = || format!("after {}\nof {frame:?}", readable(&self.last));
        for row in 0..frame.size().rows() {
            for col in 0..frame.size().cols() {
                let cell = screen.cell(row, col).expect("a cell inside the screen");
                let at = || format!("at {row},{col} {}", context());
                if frame.width(row, col) == 0 {
                    assert!(cell.is_wide_continuation(), "{}", at());
                    continue;
                }
                let text = match cell.contents() {
                    "" => " ",
                    text => text,
                };
                assert_eq!(text, frame.text(row, col), "{}", at());
                assert_eq!(cell.is_wide(), frame.width(row, col) == 2, "{}", at());
                let blank = text == " ";
                let expected = self.caps.step_down(frame.style(row, col));
                assert_eq!(seen(blank, style(cell)), seen(blank, expected), "{}", at());
            }
        }
        let cursor = frame.cursor();
        assert_eq!(
            screen.cursor_position(),
            (cursor.row, cursor.col),
            "{}",
            context()
        );
        assert_eq!(screen.hide_cursor(), !cursor.visible, "{}", context());
        assert_eq!(
            screen.bracketed_paste(),
            frame.modes.bracketed_paste,
            "{}",
            context()
        );
    }
}

fn nonzero(n: u16) -> std::num::NonZeroU16 {
    std::num::NonZeroU16::new(n).expect("a size is never zero")
}
