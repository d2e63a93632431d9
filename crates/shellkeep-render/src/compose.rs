//! Composes the frame of a client from panes and pictures in their places.

use shellkeep_core::{Attrs, Color, Size, Style};
use shellkeep_term::{CellView, Emulator, Modes, MouseProtocol, RowView};

use crate::canvas::{Canvas, Rect};
use crate::cell::Pen;
use crate::frame::{Frame, FrameCursor, MouseReports, OuterModes};

/// Draws one pane in the top left corner of a frame of this size. If the pane is smaller, because another client is
/// smaller, the rest is marked as outside.
///
/// The title stays empty: whether a program may set the outer terminal's title is an option.
pub fn compose_pane(pane: &Emulator, size: Size, frame: &mut Frame) {
    frame.reset(size);
    let area = Rect::whole(size);
    let rect = Rect::whole(pane.size()).intersection(area);
    draw_pane(pane, Style::default(), &mut Canvas::new(frame, rect));
    draw_outside(frame, area, rect);
    frame.set_cursor(pane_cursor(pane, rect));
    frame.modes = outer_modes(pane.modes());
}

/// Draws a pane's screen from its top left corner. `look` is the style of cells for which the program has set none.
pub fn draw_pane(pane: &Emulator, look: Style, canvas: &mut Canvas<'_>) {
    draw_pane_rows(pane, look, 0..pane.size().rows(), canvas);
}

/// Draws some rows of a pane's screen over the old ones, because a key in a shell changes one row of many.
pub fn draw_pane_rows(
    pane: &Emulator,
    look: Style,
    rows: impl Iterator<Item = u16>,
    canvas: &mut Canvas<'_>,
) {
    let recolor = Recolor::new(pane, look);
    let blank = recolor.apply(Style::default());
    let rect = canvas.rect();
    let cols = rect.cols;
    // Adjacent cells mostly have the same look, so the last converted look is kept.
    let mut before: Option<CellView<'_>> = None;
    let (mut pen, mut link) = (Pen::pack(&blank), None);
    for row in rows.filter(|row| *row < rect.rows.min(pane.size().rows())) {
        canvas.fill(row, 0, cols, blank);
        let view = pane.row(row);
        for (col, cell) in (0..view.used().min(cols)).zip(view.cells()) {
            if cell.width() == 0 {
                continue;
            }
            if !before.is_some_and(|before| before.looks_like(&cell)) {
                pen = Pen::pack(&recolor.apply(cell.style()));
                link = cell.link();
                before = Some(cell);
            }
            match cell.ascii() {
                Some(byte) if link.is_none() => canvas.put_ascii_on_filled(row, col, byte, pen),
                _ => canvas.put_on_filled(row, col, &cell.text(), cell.width(), pen, link),
            }
        }
    }
}

/// Draws rows of a pane that are not on its screen now: rows of the history, or of an earlier screen.
pub struct RowPainter<'a> {
    recolor: Recolor<'a>,
}

impl<'a> RowPainter<'a> {
    /// A painter for rows of this pane; `look` is as in [`draw_pane`].
    #[must_use]
    pub fn new(pane: &'a Emulator, look: Style) -> Self {
        Self {
            recolor: Recolor::new(pane, look),
        }
    }

    pub fn blank(&self, row: u16, canvas: &mut Canvas<'_>) {
        let blank = self.recolor.apply(Style::default());
        canvas.fill(row, 0, canvas.rect().cols, blank);
    }

    /// Draws a row into a row of the canvas that was filled before.
    pub fn draw(&self, row: u16, view: &RowView<'_>, canvas: &mut Canvas<'_>) {
        let cols = canvas.rect().cols;
        for (col, cell) in (0..view.used().min(cols)).zip(view.cells()) {
            if cell.width() > 0 {
                let style = self.recolor.apply(cell.style());
                canvas.put(row, col, &cell.text(), cell.width(), style, cell.link());
            }
        }
    }
}

/// Draws a picture that was composed before from its top left corner.
pub fn draw_picture(picture: &Frame, canvas: &mut Canvas<'_>) {
    let rect = canvas.rect();
    for row in 0..rect.rows.min(picture.size().rows()) {
        for col in 0..rect.cols.min(picture.size().cols()) {
            let width = picture.width(row, col);
            if width > 0 {
                let style = picture.style(row, col);
                canvas.put(
                    row,
                    col,
                    picture.text(row, col),
                    width,
                    style,
                    picture.link(row, col),
                );
            }
        }
    }
}

/// Marks the part of `area` to the right of and below `inside`, which has the same top left corner: a border along the
/// inside, then dots, as in tmux.
pub fn draw_outside(frame: &mut Frame, area: Rect, inside: Rect) {
    let mut canvas = Canvas::new(frame, area);
    for row in 0..area.rows {
        let first = if row < inside.rows { inside.cols } else { 0 };
        for col in first..area.cols {
            let text = match (row.cmp(&inside.rows), col.cmp(&inside.cols)) {
                (std::cmp::Ordering::Less, std::cmp::Ordering::Equal) => "│",
                (std::cmp::Ordering::Equal, std::cmp::Ordering::Less) => "─",
                (std::cmp::Ordering::Equal, std::cmp::Ordering::Equal) => "┘",
                _ => "·",
            };
            canvas.put(row, col, text, 1, Style::default(), None);
        }
    }
}

/// The cursor of a pane whose screen is drawn in `rect`; hidden if it would be outside.
#[must_use]
pub fn pane_cursor(pane: &Emulator, rect: Rect) -> FrameCursor {
    let cursor = pane.cursor();
    FrameCursor {
        row: rect.row.saturating_add(cursor.row),
        col: rect.col.saturating_add(cursor.col),
        visible: cursor.visible && cursor.row < rect.rows && cursor.col < rect.cols,
        shape: cursor.shape,
    }
}

/// The modes of the outer terminal for a program with these modes. Pastes and focus are always reported, whether the
/// program wants them or not: a paste must not be read as keys of ours, and the focus shows which client is in use.
#[must_use]
pub fn outer_modes(modes: Modes) -> OuterModes {
    OuterModes {
        mouse: match modes.mouse {
            MouseProtocol::Off => MouseReports::Off,
            MouseProtocol::X10 | MouseProtocol::Buttons => MouseReports::Buttons,
            MouseProtocol::Drag => MouseReports::Drag,
            MouseProtocol::Motion => MouseReports::Motion,
        },
        bracketed_paste: true,
        focus_events: true,
        extended_keys: false,
    }
}

/// A program's changes to the colours of its whole screen. Other panes and clients share the outer terminal, so its
/// palette is not changed, and the cells are coloured instead.
struct Recolor<'a> {
    pane: &'a Emulator,
    palette: bool,
    fg: Option<Color>,
    bg: Option<Color>,
    reverse: bool,
}

impl<'a> Recolor<'a> {
    fn new(pane: &'a Emulator, look: Style) -> Self {
        let rgb = |(r, g, b)| Color::Rgb(r, g, b);
        let set = |color: Color| (color != Color::Default).then_some(color);
        let [fg, bg, _] = pane.dynamic_colors();
        Self {
            pane,
            palette: pane.has_palette_overrides(),
            fg: fg.map(rgb).or(set(look.fg)),
            bg: bg.map(rgb).or(set(look.bg)),
            reverse: pane.modes().reverse_screen,
        }
    }

    fn apply(&self, mut style: Style) -> Style {
        if self.palette {
            for color in [&mut style.fg, &mut style.bg, &mut style.underline_color] {
                if let Color::Palette(index) = *color
                    && let Some((r, g, b)) = self.pane.palette_override(index)
                {
                    *color = Color::Rgb(r, g, b);
                }
            }
        }
        if let (Color::Default, Some(fg)) = (style.fg, self.fg) {
            style.fg = fg;
        }
        if let (Color::Default, Some(bg)) = (style.bg, self.bg) {
            style.bg = bg;
        }
        if self.reverse {
            style.attrs.toggle(Attrs::REVERSE);
        }
        style
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shellkeep_core::CursorShape;
    use shellkeep_term::Config;

    fn pane(rows: u16, cols: u16, bytes: &[u8]) -> Emulator {
        let mut pane = Emulator::new(Size::new(rows, cols), Config::default());
        pane.feed(bytes, &mut Vec::new());
        pane
    }

    fn compose(pane: &Emulator, rows: u16, cols: u16) -> Frame {
        let mut frame = Frame::new(Size::new(1, 1));
        compose_pane(pane, Size::new(rows, cols), &mut frame);
        frame
    }

    fn text(frame: &Frame) -> Vec<String> {
        (0..frame.size().rows())
            .map(|row| frame.row_text(row))
            .collect()
    }

    #[test]
    fn pane_fills_the_frame() {
        let pane = pane(
            2,
            6,
            "a\x1b[1m漢\x1b[m\r\n\x1b[4 q👨\u{200d}👩\u{200d}👧x".as_bytes(),
        );
        let frame = compose(&pane, 2, 6);
        assert_eq!(text(&frame), ["a漢", "👨\u{200d}👩\u{200d}👧x"]);
        assert_eq!(frame.style(0, 1).attrs, Attrs::BOLD);
        assert_eq!(frame.style(0, 2).attrs, Attrs::BOLD);
        let cursor = frame.cursor();
        assert_eq!((cursor.row, cursor.col, cursor.visible), (1, 3, true));
        assert_eq!(cursor.shape, CursorShape::UnderlineBar);
    }

    #[test]
    fn pane_smaller_than_the_screen_is_bordered_as_in_tmux() {
        let frame = compose(&pane(2, 3, b"abc"), 4, 6);
        assert_eq!(text(&frame), ["abc│··", "   │··", "───┘··", "······"]);
        let frame = compose(&pane(2, 3, b"abc"), 4, 3);
        assert_eq!(text(&frame), ["abc", "", "───", "···"]);
        let frame = compose(&pane(2, 3, b"abc"), 2, 5);
        assert_eq!(text(&frame), ["abc│·", "   │·"]);
    }

    #[test]
    fn pane_larger_than_the_screen_is_cut_and_its_cursor_hidden() {
        let frame = compose(&pane(3, 6, "ab漢\r\n\n".as_bytes()), 2, 3);
        assert_eq!(text(&frame), ["ab", ""]);
        assert!(!frame.cursor().visible);
    }

    #[test]
    fn colours_of_the_whole_screen_are_given_to_its_cells() {
        let frame = compose(
            &pane(1, 4, b"\x1b]4;1;#010203\x07\x1b]11;#0a0b0c\x07\x1b[31mx"),
            1,
            4,
        );
        assert_eq!(frame.style(0, 0).fg, Color::Rgb(1, 2, 3));
        for col in 0..4 {
            assert_eq!(frame.style(0, col).bg, Color::Rgb(10, 11, 12), "{col}");
        }
        let frame = compose(&pane(1, 2, b"\x1b[?5hx\x1b[7my"), 1, 2);
        assert_eq!(frame.style(0, 0).attrs, Attrs::REVERSE);
        assert_eq!(frame.style(0, 1).attrs, Attrs::empty());
    }

    #[test]
    fn modes_of_the_program_reach_the_outer_terminal() {
        let frame = compose(&pane(1, 2, b"\x1b[?1002h\x1b[?1006h"), 1, 2);
        assert_eq!(frame.modes.mouse, MouseReports::Drag);
        assert!(frame.modes.bracketed_paste);
    }
}
