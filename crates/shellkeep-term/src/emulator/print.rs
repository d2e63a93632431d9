//! Writing text: runs of ASCII, single characters, clusters, and wrapping at the margin.

use shellkeep_core::width::{self, Tones};

use super::screen::Screen;
use crate::grid::cell::Cell;
use crate::parser::{Decoded, decode};

/// The most bytes of a cluster. No script needs more, and a cell must not grow without limit.
const MAX_CLUSTER: usize = 64;

impl Screen {
    /// Writes a run of printable ASCII.
    pub(crate) fn print_ascii(&mut self, run: &[u8]) {
        let Some(&last) = run.last() else { return };
        if self.writing.insert || !self.pen.charsets.is_ascii() {
            for &byte in run {
                let c = self.pen.charsets.next().map(byte);
                self.print(c);
            }
            return;
        }
        self.last_char = Some(char::from(last));
        let look = self.look();
        let cols = self.margins.cols();
        let mut rest = run;
        loop {
            if self.cursor.pending && self.writing.autowrap {
                self.wrap();
            }
            let col = usize::from(self.cursor.col);
            let room = usize::from(self.margins.limit(self.cursor.col)) + 1 - col;
            let row = self.cursor.row;
            self.canvas.dirty.row(row);
            let line = self.canvas.grid.row_mut(row);
            line.time = self.canvas.time;
            if rest.len() < room {
                line.write_ascii(col, rest, look, cols);
                self.cursor.col += rest.len() as u16;
                return;
            }
            if !self.writing.autowrap && rest.len() > room {
                // Without autowrap, text at the margin overwrites the last column, so only its last byte stays.
                line.write_ascii(col, &rest[..room - 1], look, cols);
                line.write_ascii(col + room - 1, &[last], look, cols);
                rest = &[];
            } else {
                line.write_ascii(col, &rest[..room], look, cols);
                rest = &rest[room..];
            }
            self.cursor.col += room as u16 - 1;
            self.cursor.pending = true;
            self.end_line();
            if rest.is_empty() {
                return;
            }
        }
    }

    /// Writes the start of `bytes`, as far as it fits into the row, joins no other cell and is complete. Returns the
    /// number of bytes written.
    pub(crate) fn print_plain(&mut self, bytes: &[u8]) -> usize {
        let wraps = self.cursor.pending && self.writing.autowrap;
        if wraps || self.writing.insert || !self.pen.charsets.is_ascii() {
            return 0;
        }
        let look = self.look();
        let cols = self.margins.cols();
        let end = usize::from(self.margins.limit(self.cursor.col)) + 1;
        let row = self.cursor.row;
        let start = usize::from(self.cursor.col);
        self.canvas.dirty.row(row);
        let line = self.canvas.grid.row_mut(row);
        let append = line.ends_at(start, cols);
        let (mut at, mut col, mut last) = (0, start, None);
        while let Some((c, used)) = plain_char(&bytes[at..]) {
            let width = match width::plain_width(c) {
                0 => width::lone_width(last, c),
                width => width,
            };
            let width = usize::from(width);
            if width == 0 || col + width > end {
                break;
            }
            match (width, append) {
                (1, true) => line.push(Cell::narrow(c, look)),
                (1, false) => line.put(col, Cell::narrow(c, look), cols),
                (_, true) => line.push_wide(c, look),
                (_, false) => {
                    line.put(col, Cell::wide(c, look), cols);
                    line.put(col + 1, Cell::spacer(look), cols);
                }
            }
            at += used;
            col += width;
            last = Some(c);
        }
        if last.is_some() {
            line.time = self.canvas.time;
            self.last_char = last;
            self.cursor.pending = col == end;
            self.cursor.col = col.min(end - 1) as u16;
            if col == end {
                self.end_line();
            }
        }
        at
    }

    /// Writes one character of any kind.
    pub(crate) fn print(&mut self, c: char) {
        let width = width::width(c);
        if width == 0 || (width::may_join(c) && self.joins_previous(c)) {
            return self.join(c);
        }
        self.last_char = Some(c);
        self.put(c, width);
    }

    /// Writes a character of width 1 or 2 into cells of its own.
    fn put(&mut self, c: char, width: u8) {
        if self.cursor.pending && self.writing.autowrap {
            self.wrap();
        }
        let look = self.look();
        let cols = self.margins.cols();
        if width == 2 && cols == 1 {
            return self.put_half(c, look);
        }
        if width == 2 && !self.make_room() {
            return;
        }
        if self.writing.insert {
            self.insert_cells(u16::from(width));
        }
        let row = self.cursor.row;
        let col = usize::from(self.cursor.col);
        let line = self.canvas.written_row(row);
        line.split_wide(col, col + usize::from(width));
        if width == 2 {
            line.set(col + 1, Cell::spacer(look), cols);
            line.set(col, Cell::wide(c, look), cols);
        } else {
            line.set(col, Cell::narrow(c, look), cols);
        }
        self.advance(u16::from(width));
    }

    /// Writes a wide character on a screen of one column: only its left half is stored, so that the character is whole
    /// when the screen gets wider.
    fn put_half(&mut self, c: char, look: u32) {
        let row = self.cursor.row;
        self.canvas.written_row(row).set(0, Cell::wide(c, look), 1);
        self.advance(1);
    }

    /// Moves the cursor behind the cells that were just written.
    fn advance(&mut self, width: u16) {
        let limit = self.margins.limit(self.cursor.col);
        let next = self.cursor.col + width;
        if next > limit {
            self.cursor.col = limit;
            self.cursor.pending = true;
            self.end_line();
        } else {
            self.cursor.col = next;
            self.cursor.pending = false;
        }
    }

    /// The last column was just written. The row continues below only if another character wraps.
    #[inline]
    fn end_line(&mut self) {
        if self.cursor.col == self.margins.last_col() {
            self.canvas.grid.row_mut(self.cursor.row).wrapped = false;
        }
    }

    /// Makes two columns free for a wide character, and wraps if necessary. Returns false if the character cannot be
    /// shown.
    fn make_room(&mut self) -> bool {
        let limit = self.margins.limit(self.cursor.col);
        if self.cursor.col < limit {
            return true;
        }
        let first = if self.cursor.col <= self.margins.right() {
            self.margins.left()
        } else {
            0
        };
        if limit == first {
            return false;
        }
        // Without autowrap the character is not shown at all, as in xterm.
        if !self.writing.autowrap {
            return false;
        }
        let (row, col, cols) = (self.cursor.row, usize::from(limit), self.margins.cols());
        let blank = self.blank();
        let line = self.canvas.grid.row_mut(row);
        line.split_wide(col, col + 1);
        line.set(col, Cell::pad(blank.look), cols);
        self.canvas.dirty.row(row);
        self.wrap();
        self.cursor.col < self.margins.limit(self.cursor.col)
    }

    /// Wraps: goes to the start of the next row, because the text reached the margin.
    pub(crate) fn wrap(&mut self) {
        // A row that was broken at a side margin cannot be joined again.
        if self.margins.is_full_width() {
            self.canvas.grid.row_mut(self.cursor.row).wrapped = true;
        }
        self.cursor.pending = false;
        let left = self.margins.left();
        self.cursor.col = if self.cursor.col >= left { left } else { 0 };
        self.index();
    }

    /// The column of the cell before the cursor, if this row has one.
    fn previous_col(&self) -> Option<u16> {
        let col = if self.cursor.pending {
            self.cursor.col
        } else {
            self.cursor.col.checked_sub(1)?
        };
        let cell = self.canvas.grid.cell(self.cursor.row, col);
        if cell.is_spacer() {
            col.checked_sub(1)
        } else {
            Some(col)
        }
    }

    /// Whether a character joins the cell before the cursor although it has a width itself.
    fn joins_previous(&self, c: char) -> bool {
        let Some(col) = self.previous_col() else {
            return false;
        };
        let cell = self.canvas.grid.cell(self.cursor.row, col);
        let tones = match self.writing.clusters {
            true => Tones::Joined,
            false => Tones::Apart,
        };
        match (cell.cluster(), cell.char()) {
            (Some(number), _) => width::joins_text(self.canvas.tables.cluster(number), c, tones),
            (None, Some(before)) => width::joins_text(before.encode_utf8(&mut [0; 4]), c, tones),
            (None, None) => false,
        }
    }

    /// Adds a character to the cell before the cursor.
    fn join(&mut self, c: char) {
        let Some(col) = self.previous_col() else {
            return;
        };
        let (row, at, cols) = (self.cursor.row, usize::from(col), self.margins.cols());
        let cell = self.canvas.grid.cell(row, col);
        let mut text = String::new();
        match (cell.cluster(), cell.char()) {
            (Some(number), _) => text.push_str(self.canvas.tables.cluster(number)),
            (None, Some(before)) => text.push(before),
            // A combining mark on a blank cell is shown on a space.
            (None, None) => text.push(' '),
        }
        if text.len() + c.len_utf8() > MAX_CLUSTER {
            return;
        }
        let widens = !cell.is_wide() && width::widens(&text, c);
        text.push(c);
        if self.canvas.tables.is_full() {
            self.collect();
        }
        // Everything that may collect garbage has to come before the new number exists.
        let blank = self.blank();
        let cell = self
            .canvas
            .grid
            .cell(row, col)
            .with_cluster(self.canvas.tables.add_cluster(&text));
        self.canvas.written_row(row).set(at, cell, cols);
        if widens {
            self.widen(col, cell, blank);
        }
    }

    /// Gives a narrow cell before the cursor a second column.
    fn widen(&mut self, col: u16, cell: Cell, blank: Cell) {
        let (row, at, cols) = (self.cursor.row, usize::from(col), self.margins.cols());
        let right = self.margins.right();
        let limit = if col > right {
            self.margins.last_col()
        } else {
            right
        };
        if col < limit {
            let line = self.canvas.grid.row_mut(row);
            line.split_wide(at + 1, at + 2);
            line.set(at + 1, Cell::spacer(cell.look), cols);
            line.set(at, cell.widened(), cols);
            self.cursor.col = col;
            return self.advance(2);
        }
        if cols == 1 {
            return self.canvas.grid.row_mut(row).set(at, cell.widened(), cols);
        }
        // There is no room at the margin, so the whole cluster moves to the next row, as it would if it had come in one
        // piece.
        if !self.writing.autowrap || self.margins.left() >= limit {
            return;
        }
        self.canvas
            .grid
            .row_mut(row)
            .set(at, Cell::pad(blank.look), cols);
        self.cursor.col = col;
        self.wrap();
        let row = self.cursor.row;
        let at = usize::from(self.cursor.col);
        let line = self.canvas.written_row(row);
        line.split_wide(at, at + 2);
        line.set(at + 1, Cell::spacer(cell.look), cols);
        line.set(at, cell.widened(), cols);
        self.advance(2);
    }

    /// REP.
    pub(crate) fn repeat(&mut self, count: u16) {
        let Some(c) = self.last_char else { return };
        // More than one screen of the character would look the same.
        let most = u32::from(self.margins.size.rows()) * u32::from(self.margins.size.cols()) - 1;
        let count = u32::from(count).min(most.max(1));
        if c.is_ascii() && !self.writing.insert {
            let run = vec![c as u8; count as usize];
            // The character was already mapped when it was first printed.
            let charsets = std::mem::take(&mut self.pen.charsets);
            self.print_ascii(&run);
            self.pen.charsets = charsets;
        } else {
            let width = width::width(c).max(1);
            for _ in 0..count {
                self.put(c, width);
            }
        }
    }
}

/// The character at the start and its length, if it is complete and no control.
#[inline(always)]
fn plain_char(bytes: &[u8]) -> Option<(char, usize)> {
    match *bytes.first()? {
        byte @ 0x20..=0x7e => Some((char::from(byte), 1)),
        0..=0x7f => None,
        _ => match decode(bytes) {
            Decoded::Char(c, used) if c >= '\u{a0}' => Some((c, used)),
            _ => None,
        },
    }
}
