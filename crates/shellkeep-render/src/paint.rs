//! Paints cells: tracks the terminal's cursor and pen, and writes the shortest bytes that put a cell in its place.

use std::ops::Range;

use shellkeep_core::width::is_tone;
use shellkeep_core::{Attrs, Size};

use crate::caps::{Caps, Features};
use crate::cell::{Cell, Pen, reach};
use crate::drawing;
use crate::frame::Frame;
use crate::scroll::Scroll;
use crate::sgr::{self, number};

/// Blanks in the middle of a row from which on ECH and a move are shorter.
const MIN_ERASED_RUN: u16 = 14;
/// A gap of unchanged cells up to which writing them again is shorter than a move.
const MAX_REWRITTEN_GAP: u16 = 4;
/// Fewer blanks than this at the end of a row are written as spaces.
const MIN_ERASED_TAIL: u16 = 4;

/// The row that the terminal shows before painting: a row of a frame, or nothing.
#[derive(Clone, Copy)]
pub(crate) enum Shown<'a> {
    Row(&'a Frame, u16),
    Blank,
}

impl Shown<'_> {
    fn shows(&self, next: &Frame, cell: &Cell, col: u16) -> bool {
        match self {
            Self::Row(frame, row) => next.same(cell, frame, &frame.row(*row)[usize::from(col)]),
            Self::Blank => *cell == Cell::BLANK,
        }
    }

    /// Whether the row is already correct.
    pub(crate) fn shows_row(&self, next: &Frame, row: u16) -> bool {
        match self {
            Self::Row(frame, source) => next.same_row(row, frame, *source),
            Self::Blank => next.is_blank_row(row),
        }
    }

    /// As [`Self::shows`] for a cell and the skin tone after it, because a terminal may have drawn both as one glyph.
    fn shows_tinted(&self, next: &Frame, row: u16, col: u16) -> bool {
        let before = match self {
            Self::Row(frame, row) => tone_behind(frame, *row, col).map(|tone| (*frame, tone)),
            Self::Blank => None,
        };
        self.shows(next, &next.row(row)[usize::from(col)], col)
            && match (tone_behind(next, row, col), before) {
                (None, None) => true,
                (Some(tone), Some((frame, before))) => next.same(tone, frame, before),
                _ => false,
            }
    }

    /// The first and last column in which the row has to change, if any.
    fn changed(&self, next: &Frame, row: u16) -> Option<(u16, u16)> {
        let (first, last) = match self {
            Self::Row(frame, source) => next.difference(row, frame, *source)?,
            Self::Blank => {
                let is_seen = |cell: &Cell| *cell != Cell::BLANK;
                let cells = next.row(row);
                let last = cells.iter().rposition(is_seen)?;
                (cells.iter().position(is_seen)?, last)
            }
        };
        let (first, last) = (first as u16, last as u16);
        // If a skin tone changes, the emoji before it changes as well.
        let tinted = (1..=2)
            .filter_map(|width| first.checked_sub(width))
            .find(|col| !self.shows_tinted(next, row, *col));
        Some((tinted.unwrap_or(first), last))
    }
}

/// The skin tone directly after a cell that is not a letter, drawn with the same pen. Terminals with clusters draw both
/// as one glyph if they are written together; others draw them side by side.
fn tone_behind(frame: &Frame, row: u16, col: u16) -> Option<&Cell> {
    let cells = frame.row(row);
    let cell = cells.get(usize::from(col))?;
    let tone = cells.get(usize::from(col) + usize::from(cell.width()))?;
    let is_tone = cell.width() > 0
        && tone.is_risky()
        && cell.single_byte().is_none()
        && (tone.pen(), tone.link()) == (cell.pen(), cell.link())
        && frame.text_of(tone).starts_with(is_tone);
    is_tone.then_some(tone)
}

pub(crate) struct Painter<'a> {
    pub(crate) out: &'a mut Vec<u8>,
    caps: &'a Caps,
    size: Size,
    /// The cursor's position, if all terminals agree about it. After the last column, and after text of doubtful width,
    /// they do not.
    row: Option<u16>,
    col: Option<u16>,
    pen: Pen,
    link: u16,
    /// Whether the terminal is in its line drawing charset.
    is_drawing: bool,
    /// The last style and its reduced form.
    stepped: (Pen, Pen),
    /// Rows in which something was painted.
    pub(crate) rows_painted: u16,
}

impl<'a> Painter<'a> {
    /// A painter for a terminal with a plain pen, and its cursor at a known position or not.
    pub(crate) fn new(
        out: &'a mut Vec<u8>,
        caps: &'a Caps,
        size: Size,
        cursor: Option<(u16, u16)>,
    ) -> Self {
        Self {
            out,
            caps,
            size,
            row: cursor.map(|cursor| cursor.0),
            col: cursor.map(|cursor| cursor.1),
            pen: Pen::PLAIN,
            link: 0,
            is_drawing: false,
            stepped: (Pen::PLAIN, Pen::PLAIN),
            rows_painted: 0,
        }
    }

    /// Paints the differences between the shown row and a row of `next`.
    pub(crate) fn paint_row(&mut self, shown: Shown<'_>, next: &Frame, row: u16) {
        let Some((first, last)) = shown.changed(next, row) else {
            return;
        };
        self.rows_painted += 1;
        let cells = next.row(row);
        let erase_from = self.erase_from(cells, shown, next, row, (first, last));
        let limit = erase_from.unwrap_or(last + 1);
        let mut col = first;
        // Cells up to here may have been overwritten by text of doubtful width.
        let mut doubtful = 0;
        while col < limit.max(doubtful.min(self.size.cols())) {
            let cell = &cells[usize::from(col)];
            // A right half is painted with its left half, and never changes alone.
            if cell.width() == 0 || col >= doubtful && shown.shows_tinted(next, row, col) {
                col += 1;
                continue;
            }
            self.bridge(cells, row, col);
            let run = col..limit.max(col + 1);
            let (end, doubt) = self.paint_run(shown, next, row, run);
            col = end;
            doubtful = doubtful.max(doubt);
        }
        if let Some(from) = erase_from {
            let pen = cells[cells.len() - 1].pen();
            self.set_link(next, 0);
            self.set_background(pen);
            self.move_to(row, from.max(col.min(self.size.cols() - 1)));
            self.out.extend_from_slice(b"\x1b[K");
        }
    }

    /// The column from which on the rest of the row should be erased, if it should.
    fn erase_from(
        &mut self,
        cells: &[Cell],
        shown: Shown<'_>,
        next: &Frame,
        row: u16,
        (first, last): (u16, u16),
    ) -> Option<u16> {
        // In the bottom right corner, erasing also saves the protection against scrolling.
        let enough = match row + 1 == self.size.rows() {
            true => 0,
            false => MIN_ERASED_TAIL - 1,
        };
        let end = cells[cells.len() - 1];
        // A key's echo is mostly shorter, and then the rest of the row need not be read.
        if last - first < enough || !self.is_erasable(end) {
            return None;
        }
        let tail = cells
            .iter()
            .rposition(|cell| *cell != end)
            .map_or(0, |at| at as u16 + 1);
        let from = (first.max(tail)..=last)
            .find(|&col| !shown.shows(next, &cells[usize::from(col)], col))?;
        (last - from >= enough).then_some(from)
    }

    /// Whether erasing leaves exactly this cell.
    fn is_erasable(&mut self, cell: Cell) -> bool {
        if !cell.is_erased() {
            return false;
        }
        let pen = self.step_down(cell.pen());
        !pen.marks_blanks() && (pen == Pen::PLAIN || self.caps.has(Features::BCE))
    }

    /// Moves to a cell. Across a small gap it writes the cells again.
    fn bridge(&mut self, cells: &[Cell], row: u16, col: u16) {
        if let (Some(at_row), Some(at)) = (self.row, self.col)
            && at_row == row
            && at < col
            && col - at <= MAX_REWRITTEN_GAP
        {
            let gap = &cells[usize::from(at)..usize::from(col)];
            if gap.iter().all(|cell| self.free_byte(cell).is_some()) {
                self.draw(false);
                let bytes = gap.iter().filter_map(|cell| cell.single_byte());
                self.out.extend(bytes);
                self.col = Some(col);
            }
        }
        self.move_to(row, col);
    }

    /// The single byte that draws a cell with the present pen, if there is one.
    fn free_byte(&mut self, cell: &Cell) -> Option<u8> {
        let byte = cell.single_byte()?;
        let pen = self.step_down(cell.pen());
        let suits = match cell.is_blank() {
            true => self.suits_blank(pen),
            false => pen == self.pen && !self.is_concealed(cell),
        };
        (suits && cell.link() == self.link).then_some(byte)
    }

    /// Paints the cell at `col`, and following cells that are cheaper together with it. Returns the column after them,
    /// and the column up to which the terminal may have drawn too much.
    fn paint_run(
        &mut self,
        shown: Shown<'_>,
        next: &Frame,
        row: u16,
        run: Range<u16>,
    ) -> (u16, u16) {
        let cells = next.row(row);
        let col = run.start;
        let cell = cells[usize::from(col)];
        let tone = tone_behind(next, row, col);
        if cell.is_risky() || tone.is_some() {
            return self.paint_risky(next, &cell, tone, (row, col));
        }
        let changes = |col: &u16| !shown.shows(next, &cells[usize::from(*col)], *col);
        let same = 1
            + (col + 1..run.end)
                .take_while(|col| cells[usize::from(*col)] == cell && changes(col))
                .count() as u16;
        if same >= MIN_ERASED_RUN && self.caps.has(Features::ERASE_CHARS) && self.is_erasable(cell)
        {
            self.set_link(next, 0);
            self.set_background(cell.pen());
            self.csi(same, b'X');
            return (col + same, 0);
        }
        self.paint_cell(next, &cell, row, col);
        let mut end = col + u16::from(cell.width());
        if cell.width() == 1 {
            // `paint_cell` paints the corner, because it prevents scrolling.
            let stop = match row + 1 == self.size.rows() {
                true => run.end.min(self.size.cols() - 1),
                false => run.end,
            };
            end = self.paint_same(next, &cell, end..stop.min(col + same).max(end));
            end = self.paint_ascii(cells, end..stop.max(end), changes);
            self.advanced_to(row, end);
        }
        (end, 0)
    }

    /// Paints the last cell again, up to a column.
    fn paint_same(&mut self, next: &Frame, cell: &Cell, run: Range<u16>) -> u16 {
        let more = run.end - run.start;
        let bytes = usize::from(more) * next.text_of(cell).len().max(1);
        // Terminals disagree about the charset of repeated characters.
        if bytes > 6 && self.caps.has(Features::REPEAT) && !self.is_drawing {
            self.csi(more, b'b');
        } else {
            for _ in run.clone() {
                self.write_text(next, cell);
            }
        }
        run.end
    }

    /// Paints plain characters that have the present pen, which is the fast path for most of a screen.
    fn paint_ascii(
        &mut self,
        cells: &[Cell],
        run: Range<u16>,
        changes: impl Fn(&u16) -> bool,
    ) -> u16 {
        for col in run.clone() {
            let cell = &cells[usize::from(col)];
            // Two equal cells may begin a run to repeat or erase.
            let repeats = cells.get(usize::from(col) + 1) == Some(cell);
            if repeats || !changes(&col) {
                return col;
            }
            let Some(byte) = self.free_byte(cell) else {
                return col;
            };
            self.draw(false);
            self.out.push(byte);
        }
        run.end
    }

    fn paint_cell(&mut self, next: &Frame, cell: &Cell, row: u16, col: u16) {
        let end = col + u16::from(cell.width().max(1));
        let corner = row + 1 == self.size.rows() && end == self.size.cols();
        self.set_link(next, cell.link());
        self.set_pen_for(cell);
        if corner {
            self.out.extend_from_slice(b"\x1b[?7l");
        }
        self.write_text(next, cell);
        if corner {
            self.out.extend_from_slice(b"\x1b[?7h");
        }
        self.advanced_to(row, end);
    }

    /// Paints text whose width the terminal may see differently. If the terminal uses fewer columns, blanks show in the
    /// rest; if it uses more, the covered cells are painted again; and it can never wrap into the next row. Returns the
    /// column after it, and the column that it may have reached.
    fn paint_risky(
        &mut self,
        next: &Frame,
        cell: &Cell,
        tone: Option<&Cell>,
        (row, col): (u16, u16),
    ) -> (u16, u16) {
        let parts = || [Some(cell), tone].into_iter().flatten();
        let columns: u16 = parts().map(|part| u16::from(part.width())).sum();
        let end = col + columns;
        let reaches: u16 = parts().map(|part| reach(next.text_of(part))).sum();
        let doubtful = col.saturating_add(reaches);
        let guarded = doubtful >= self.size.cols();
        self.set_link(next, cell.link());
        self.set_pen_for(cell);
        if guarded {
            self.out.extend_from_slice(b"\x1b[?7l");
        }
        if columns > 1 {
            self.draw(false);
            self.out
                .extend(std::iter::repeat_n(b' ', usize::from(columns)));
            self.advanced_to(row, end);
            self.move_to(row, col);
        }
        for part in parts() {
            self.write_text(next, part);
        }
        if guarded {
            self.out.extend_from_slice(b"\x1b[?7h");
        }
        self.advanced_to(row, end);
        self.col = None;
        (end, doubtful)
    }

    fn write_text(&mut self, next: &Frame, cell: &Cell) {
        let text = next.text_of(cell);
        let stand_in: &[u8] = if text.is_empty() || self.is_concealed(cell) {
            b"  "
        } else if text.is_ascii() || self.caps.has(Features::UTF8) {
            self.draw(false);
            return self.out.extend_from_slice(text.as_bytes());
        } else if let Some(byte) = self.drawn(text).filter(|_| cell.width() == 1) {
            self.draw(true);
            return self.out.push(byte);
        } else {
            b"__"
        };
        self.draw(false);
        let columns = usize::from(cell.width().clamp(1, 2));
        self.out.extend_from_slice(&stand_in[..columns]);
    }

    /// The byte that draws this text in the line drawing charset, if the terminal has it.
    fn drawn(&self, text: &str) -> Option<u8> {
        let has_charset = self.caps.has(Features::LINE_DRAWING);
        has_charset.then(|| drawing::byte_for(text)).flatten()
    }

    /// Switches to the line drawing charset or back. Only text depends on it.
    #[inline]
    fn draw(&mut self, on: bool) {
        if self.is_drawing != on {
            self.is_drawing = on;
            let switch = if on { drawing::ON } else { drawing::OFF };
            self.out.extend_from_slice(switch);
        }
    }

    /// Concealed text must not be shown on a terminal that cannot conceal.
    fn is_concealed(&self, cell: &Cell) -> bool {
        cell.pen().attrs().contains(Attrs::HIDDEN) && !self.caps.has(Features::HIDDEN)
    }

    /// Records that text was written up to `col`. In the last column terminals wrap at once, later or never, so the
    /// position is unknown from there on.
    fn advanced_to(&mut self, row: u16, col: u16) {
        let known = col < self.size.cols();
        self.row = known.then_some(row);
        self.col = known.then_some(col);
    }

    fn step_down(&mut self, pen: Pen) -> Pen {
        if pen == Pen::PLAIN {
            return pen;
        }
        if self.stepped.0 != pen {
            self.stepped = (pen, Pen::pack(&self.caps.step_down(pen.unpack())));
        }
        self.stepped.1
    }

    /// Whether a blank with this (reduced) pen looks right when drawn with the present pen.
    fn suits_blank(&self, pen: Pen) -> bool {
        pen == self.pen
            || !pen.marks_blanks() && !self.pen.marks_blanks() && pen.bg() == self.pen.bg()
    }

    fn set_pen_for(&mut self, cell: &Cell) {
        let pen = self.step_down(cell.pen());
        if !(cell.is_blank() && self.suits_blank(pen)) {
            self.set_pen(pen);
        }
    }

    /// Sets a pen that erases to this background. Attributes have no effect on erasing.
    fn set_background(&mut self, pen: Pen) {
        let pen = self.step_down(pen);
        if self.pen.bg() != pen.bg() || self.pen.marks_blanks() {
            self.set_pen(pen);
        }
    }

    fn set_pen(&mut self, pen: Pen) {
        sgr::write(self.pen, pen, self.caps, self.out);
        self.pen = pen;
    }

    fn set_link(&mut self, next: &Frame, link: u16) {
        if link == self.link || !self.caps.has(Features::LINKS) {
            return;
        }
        self.link = link;
        self.out.extend_from_slice(b"\x1b]8;");
        if let Some(uri) = next.link_by_id(link) {
            // The id joins the parts of a link that is painted in several pieces.
            let hash = uri.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
                (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
            });
            self.out
                .extend_from_slice(format!("id=sk{hash:08x};{uri}").as_bytes());
        } else {
            self.out.push(b';');
        }
        self.out.extend_from_slice(b"\x1b\\");
    }

    /// Resets the pen and the charset, as the next painter expects.
    pub(crate) fn put_down(&mut self, next: &Frame) {
        self.draw(false);
        self.set_link(next, 0);
        self.set_pen(Pen::PLAIN);
    }

    /// Erases from the start of a row to the end of the screen, to the default background.
    pub(crate) fn erase_below(&mut self, row: u16) {
        self.set_pen(Pen::PLAIN);
        self.move_to(row, 0);
        self.out.extend_from_slice(b"\x1b[J");
        self.rows_painted += 1;
    }

    /// Scrolls columns `left` to `right` of rows `top` to `bottom` and nothing else. New cells are blank.
    pub(crate) fn scroll_columns(&mut self, scroll: Scroll, (left, right): (u16, u16)) {
        self.set_pen(Pen::PLAIN);
        self.out.extend_from_slice(b"\x1b[?69h");
        self.csi_pair(left + 1, right + 1, b's');
        self.csi_pair(scroll.top + 1, scroll.bottom + 1, b'r');
        let count = scroll.lines.unsigned_abs() as u16;
        self.csi(count, if scroll.lines > 0 { b'S' } else { b'T' });
        self.out.extend_from_slice(b"\x1b[r\x1b[?69l");
        (self.row, self.col) = (None, None);
        self.rows_painted += count.max(2);
    }

    /// Scrolls rows `top` to `bottom`, up if `lines` is positive. New rows are blank, because the pen is plain.
    pub(crate) fn scroll(&mut self, top: u16, bottom: u16, lines: i32) {
        self.set_pen(Pen::PLAIN);
        let whole = top == 0 && bottom + 1 == self.size.rows();
        if !whole {
            self.csi_pair(top + 1, bottom + 1, b'r');
            // Setting the region moves the cursor to a corner that depends on origin mode.
            (self.row, self.col) = (None, None);
        }
        let count = lines.unsigned_abs() as u16;
        if self.caps.has(Features::SCROLL) {
            self.csi(count, if lines > 0 { b'S' } else { b'T' });
        } else if lines > 0 {
            self.move_to(bottom, 0);
            self.out
                .extend(std::iter::repeat_n(b'\n', usize::from(count)));
        } else {
            self.move_to(top, 0);
            for _ in 0..count {
                self.out.extend_from_slice(b"\x1bM");
            }
        }
        if !whole {
            self.out.extend_from_slice(b"\x1b[r");
            (self.row, self.col) = (None, None);
        }
        self.rows_painted += count;
    }

    /// Moves the cursor in the shortest way.
    pub(crate) fn move_to(&mut self, row: u16, col: u16) {
        match (self.row, self.col) {
            (Some(r), Some(c)) if (r, c) == (row, col) => {}
            (Some(r), at) if r == row => self.move_in_row(row, col, at),
            (Some(r), _) if r + 1 == row && col == 0 => self.out.extend_from_slice(b"\r\n"),
            (Some(r), Some(c)) if c == col => {
                if row > r {
                    self.csi(row - r, b'B');
                } else {
                    self.csi(r - row, b'A');
                }
            }
            _ => self.move_absolutely(row, col),
        }
        (self.row, self.col) = (Some(row), Some(col));
    }

    fn move_in_row(&mut self, row: u16, col: u16, at: Option<u16>) {
        if col == 0 {
            return self.out.push(b'\r');
        }
        let absolute = match self.caps.has(Features::ABSOLUTE_AXES) {
            true => 3 + digits(col + 1),
            false => 4 + digits(row + 1) + digits(col + 1),
        };
        match at {
            Some(at) if at > col && usize::from(at - col) <= 3 => {
                self.out
                    .extend(std::iter::repeat_n(8, usize::from(at - col)));
            }
            Some(at) if at > col && 3 + digits(at - col) <= absolute => self.csi(at - col, b'D'),
            Some(at) if at < col && 3 + digits(col - at) <= absolute => self.csi(col - at, b'C'),
            _ if self.caps.has(Features::ABSOLUTE_AXES) => self.csi(col + 1, b'G'),
            _ => self.move_absolutely(row, col),
        }
    }

    fn move_absolutely(&mut self, row: u16, col: u16) {
        if col == 0 {
            self.csi(row + 1, b'H');
        } else {
            self.csi_pair(row + 1, col + 1, b'H');
        }
    }

    /// A control sequence with one number, which is omitted if it is 1, the default.
    fn csi(&mut self, count: u16, end: u8) {
        self.out.extend_from_slice(b"\x1b[");
        if count != 1 {
            number(self.out, count);
        }
        self.out.push(end);
    }

    fn csi_pair(&mut self, first: u16, second: u16, end: u8) {
        self.out.extend_from_slice(b"\x1b[");
        number(self.out, first);
        self.out.push(b';');
        number(self.out, second);
        self.out.push(end);
    }
}

const fn digits(value: u16) -> usize {
    match value {
        0..=9 => 1,
        10..=99 => 2,
        100..=999 => 3,
        1_000..=9_999 => 4,
        _ => 5,
    }
}
