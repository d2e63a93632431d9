//! Moving the cursor, tabs, and the line feeds that scroll.

use super::cursor::{CursorPosition, SavedCursor};
use super::pen::Pen;
use super::screen::Screen;

impl Screen {
    /// Moves the cursor, limited to the screen.
    pub(crate) fn go(&mut self, row: u16, col: u16) {
        self.cursor = CursorPosition {
            row: row.min(self.margins.last_row()),
            col: col.min(self.margins.last_col()),
            pending: false,
        };
        self.canvas.dirty.cursor();
    }

    /// CUU: stops at the top margin if it starts at or below it, and at the row `fence`.
    pub(crate) fn up(&mut self, count: u16, fence: Option<u16>) {
        let row = self.cursor.row;
        let top = if row >= self.margins.area.top {
            self.margins.area.top
        } else {
            0
        };
        let top = top.max(fence.unwrap_or(0));
        self.go(row.saturating_sub(count).max(top), self.cursor.col);
    }

    /// CUD: stops at the bottom margin if it starts at or above it.
    pub(crate) fn down(&mut self, count: u16) {
        let row = self.cursor.row;
        let bottom = if row <= self.margins.area.bottom {
            self.margins.area.bottom
        } else {
            self.margins.last_row()
        };
        self.go(row.saturating_add(count).min(bottom), self.cursor.col);
    }

    /// CUF: stops at the right margin if it starts at or left of it.
    pub(crate) fn forward(&mut self, count: u16) {
        let limit = self.margins.limit(self.cursor.col);
        self.go(
            self.cursor.row,
            self.cursor.col.saturating_add(count).min(limit),
        );
    }

    /// CUB and BS: stops at the left margin, or continues in the row above with reverse wrap.
    pub(crate) fn back(&mut self, count: u16) {
        // Once around the screen suffices; the limit keeps a huge count cheap on a narrow screen.
        let cells = u32::from(self.margins.size.rows()) * u32::from(self.margins.size.cols());
        let mut count = u32::from(count).min(cells + 1);
        let wraps = self.writing.autowrap
            && (self.writing.reverse_wrap || self.writing.extended_reverse_wrap);
        if wraps && self.cursor.pending {
            // With a wrap pending, users see the cursor one column after the one that it is in.
            self.cursor.pending = false;
            count -= 1;
        }
        loop {
            let left = if self.cursor.col >= self.margins.left() {
                self.margins.left()
            } else {
                0
            };
            let room = u32::from(self.cursor.col - left);
            let step = count.min(room);
            self.go(self.cursor.row, self.cursor.col - step as u16);
            count -= step;
            if count == 0 || !wraps || !self.back_to_previous_row() {
                return;
            }
            count -= 1;
        }
    }

    /// Goes from the left margin to the end of the row above. Returns false if there is no row above.
    fn back_to_previous_row(&mut self) -> bool {
        let (row, right) = (self.cursor.row, self.margins.right());
        if row == self.margins.area.top || row == 0 {
            if !self.writing.extended_reverse_wrap || row != self.margins.area.top {
                return false;
            }
            self.go(self.margins.area.bottom, right);
            return true;
        }
        if !self.writing.extended_reverse_wrap && !self.canvas.grid.row(row - 1).wrapped {
            return false;
        }
        self.go(row - 1, right);
        true
    }

    /// CR.
    pub(crate) fn carriage_return(&mut self) {
        let left = self.margins.left();
        let col = if self.margins.origin || self.cursor.col >= left {
            left
        } else {
            0
        };
        self.cursor.col = col;
        self.cursor.pending = false;
        self.canvas.dirty.cursor();
    }

    /// LF, IND: moves down a row, and scrolls at the bottom margin.
    #[inline]
    pub(crate) fn index(&mut self) {
        self.cursor.pending = false;
        // An empty line is printed by ending it.
        let line = self.canvas.grid.row_mut(self.cursor.row);
        if line.time == 0 {
            line.time = self.canvas.time;
        }
        if self.cursor.row == self.margins.area.bottom {
            if self.margins.has_column(self.cursor.col) {
                self.scroll_up(self.margins.region(), 1);
            }
        } else if self.cursor.row < self.margins.last_row() {
            self.cursor.row += 1;
        }
        self.canvas.dirty.cursor();
    }

    /// RI: moves up a row, scrolls at the top margin, and stops at the row `fence`.
    pub(crate) fn reverse_index(&mut self, fence: Option<u16>) {
        self.cursor.pending = false;
        if fence == Some(self.cursor.row) {
            self.canvas.dirty.cursor();
        } else if self.cursor.row == self.margins.area.top {
            if self.margins.has_column(self.cursor.col) {
                self.scroll_down(self.margins.region(), 1);
            }
        } else if self.cursor.row > 0 {
            self.cursor.row -= 1;
        }
        self.canvas.dirty.cursor();
    }

    /// DECBI: moves left a column, and moves the text right at the left margin.
    pub(crate) fn back_index(&mut self) {
        if self.cursor.col == self.margins.left() {
            if self.margins.contains(self.cursor) {
                self.shift_right(self.margins.left(), 1);
            }
        } else if self.cursor.col > 0 {
            self.go(self.cursor.row, self.cursor.col - 1);
        }
    }

    /// DECFI: moves right a column, and moves the text left at the right margin.
    pub(crate) fn forward_index(&mut self) {
        if self.cursor.col == self.margins.right() {
            if self.margins.contains(self.cursor) {
                self.shift_left(self.margins.left(), 1);
            }
        } else if self.cursor.col < self.margins.last_col() {
            self.go(self.cursor.row, self.cursor.col + 1);
        }
    }

    /// CUP.
    pub(crate) fn position(&mut self, row: u16, col: u16) {
        self.go(self.margins.program_row(row), self.margins.program_col(col));
    }

    /// VPR.
    pub(crate) fn row_forward(&mut self, count: u16) {
        let last = if self.margins.origin {
            self.margins.area.bottom
        } else {
            self.margins.last_row()
        };
        self.go(
            self.cursor.row.saturating_add(count).min(last),
            self.cursor.col,
        );
    }

    /// HPR.
    pub(crate) fn column_forward(&mut self, count: u16) {
        let last = if self.margins.origin {
            self.margins.right()
        } else {
            self.margins.last_col()
        };
        self.go(
            self.cursor.row,
            self.cursor.col.saturating_add(count).min(last),
        );
    }

    /// HT and CHT. At the margin the cursor does not move, and a pending wrap stays pending.
    pub(crate) fn tab(&mut self, count: u16) {
        let limit = self.margins.limit(self.cursor.col);
        for _ in 0..count {
            if self.cursor.col >= limit {
                break;
            }
            self.cursor.col = self.tabs.next(self.cursor.col, limit);
        }
        self.canvas.dirty.cursor();
    }

    /// CBT.
    pub(crate) fn tab_back(&mut self, count: u16) {
        let first = if self.margins.origin {
            self.margins.left()
        } else {
            0
        };
        for _ in 0..count {
            if self.cursor.col <= first {
                break;
            }
            self.cursor.col = self.tabs.previous(self.cursor.col, first);
        }
        self.cursor.pending = false;
        self.canvas.dirty.cursor();
    }

    /// DECSC.
    pub(crate) fn save_cursor(&mut self) {
        self.saved[self.canvas.side()] = SavedCursor {
            position: self.cursor,
            pen: self.pen,
            origin: self.margins.origin,
        };
    }

    /// DECRC.
    pub(crate) fn restore_cursor(&mut self) {
        let saved = self.saved[self.canvas.side()];
        self.set_pen(saved.pen);
        self.margins.origin = saved.origin;
        self.go(saved.position.row, saved.position.col);
        self.cursor.pending = saved.position.pending && self.cursor.col == saved.position.col;
        if self.margins.origin {
            let area = self.margins.region();
            self.cursor.row = self.cursor.row.clamp(area.top, area.bottom);
            self.cursor.col = self.cursor.col.clamp(area.left, area.right);
        }
    }

    pub(crate) fn set_pen(&mut self, pen: Pen) {
        self.pen = pen;
        self.pen_stale = true;
    }
}
