//! Moving the cursor, tabs, and the line feeds that scroll.

use super::screen::{Pen, Saved, Screen, full};
use crate::grid::Area;

impl Screen {
    /// CUU: stops at the top margin if it starts at or below it.
    pub(crate) fn up(&mut self, count: u16) {
        let row = self.place.row;
        let top = if row >= self.margins.top {
            self.margins.top
        } else {
            0
        };
        let top = top.max(self.fence().unwrap_or(0));
        self.go(row.saturating_sub(count).max(top), self.place.col);
    }

    /// CUD: stops at the bottom margin if it starts at or above it.
    pub(crate) fn down(&mut self, count: u16) {
        let row = self.place.row;
        let bottom = if row <= self.margins.bottom {
            self.margins.bottom
        } else {
            self.last_row()
        };
        self.go(row.saturating_add(count).min(bottom), self.place.col);
    }

    /// CUF: stops at the right margin if it starts at or left of it.
    pub(crate) fn forward(&mut self, count: u16) {
        let limit = self.limit();
        self.go(
            self.place.row,
            self.place.col.saturating_add(count).min(limit),
        );
    }

    /// CUB and BS: stops at the left margin, or goes on in the row above with reverse wrap.
    pub(crate) fn back(&mut self, count: u16) {
        // Around the screen once is far enough, and keeps a huge count cheap on a narrow screen.
        let cells = u32::from(self.size.rows()) * u32::from(self.size.cols());
        let mut count = u32::from(count).min(cells + 1);
        let wraps =
            self.flags.autowrap && (self.flags.reverse_wrap || self.flags.extended_reverse_wrap);
        if wraps && self.place.pending {
            // The cursor stands, in the user's eyes, one column past where it is shown.
            self.place.pending = false;
            count -= 1;
        }
        loop {
            let left = if self.place.col >= self.left() {
                self.left()
            } else {
                0
            };
            let room = u32::from(self.place.col - left);
            let step = count.min(room);
            self.go(self.place.row, self.place.col - step as u16);
            count -= step;
            if count == 0 || !wraps || !self.back_to_previous_row() {
                return;
            }
            count -= 1;
        }
    }

    /// Goes from the left margin to the end of the row above; false if there is none to go to.
    fn back_to_previous_row(&mut self) -> bool {
        let (row, right) = (self.place.row, self.right());
        if row == self.margins.top || row == 0 {
            if !self.flags.extended_reverse_wrap || row != self.margins.top {
                return false;
            }
            self.go(self.margins.bottom, right);
            return true;
        }
        if !self.flags.extended_reverse_wrap && !self.grid.row(row - 1).wrapped {
            return false;
        }
        self.go(row - 1, right);
        true
    }

    /// CR.
    pub(crate) fn carriage_return(&mut self) {
        let left = self.left();
        let col = if self.flags.origin || self.place.col >= left {
            left
        } else {
            0
        };
        self.place.col = col;
        self.place.pending = false;
        self.dirty.cursor();
    }

    /// LF, IND: down a row, scrolling at the bottom margin.
    #[inline]
    pub(crate) fn index(&mut self) {
        self.place.pending = false;
        if self.place.row == self.margins.bottom {
            if self.in_columns() {
                self.scroll_up(self.region(), 1);
            }
        } else if self.place.row < self.last_row() {
            self.place.row += 1;
        }
        self.dirty.cursor();
    }

    /// RI: up a row, scrolling at the top margin.
    pub(crate) fn reverse_index(&mut self) {
        self.place.pending = false;
        if self.fence() == Some(self.place.row) {
            self.dirty.cursor();
        } else if self.place.row == self.margins.top {
            if self.in_columns() {
                self.scroll_down(self.region(), 1);
            }
        } else if self.place.row > 0 {
            self.place.row -= 1;
        }
        self.dirty.cursor();
    }

    /// LF as typed by a program: with LNM it returns the carriage too.
    #[inline]
    pub(crate) fn line_feed(&mut self) {
        self.index();
        if self.modes.newline {
            self.carriage_return();
        }
    }

    /// DECBI: left a column, moving the text right at the left margin.
    pub(crate) fn back_index(&mut self) {
        if self.place.col == self.left() {
            if self.in_margins() {
                self.shift_right(self.left(), 1);
            }
        } else if self.place.col > 0 {
            self.go(self.place.row, self.place.col - 1);
        }
    }

    /// DECFI: right a column, moving the text left at the right margin.
    pub(crate) fn forward_index(&mut self) {
        if self.place.col == self.right() {
            if self.in_margins() {
                self.shift_left(self.left(), 1);
            }
        } else if self.place.col < self.last_col() {
            self.go(self.place.row, self.place.col + 1);
        }
    }

    /// Row `n` as a program counts it (from 1, from the top margin under origin mode).
    pub(crate) fn program_row(&self, n: u16) -> u16 {
        let row = n.max(1) - 1;
        if self.flags.origin {
            row.saturating_add(self.margins.top)
                .min(self.margins.bottom)
        } else {
            row.min(self.last_row())
        }
    }

    /// Column `n` as a program counts it.
    pub(crate) fn program_col(&self, n: u16) -> u16 {
        let col = n.max(1) - 1;
        if self.flags.origin {
            col.saturating_add(self.left()).min(self.right())
        } else {
            col.min(self.last_col())
        }
    }

    /// CUP.
    pub(crate) fn position(&mut self, row: u16, col: u16) {
        self.expect_no_redraw();
        self.go(self.program_row(row), self.program_col(col));
    }

    /// The top left corner, of the margins under origin mode.
    pub(crate) fn home(&mut self) {
        self.position(1, 1);
    }

    /// VPR.
    pub(crate) fn row_forward(&mut self, count: u16) {
        let last = if self.flags.origin {
            self.margins.bottom
        } else {
            self.last_row()
        };
        self.go(
            self.place.row.saturating_add(count).min(last),
            self.place.col,
        );
    }

    /// HPR.
    pub(crate) fn column_forward(&mut self, count: u16) {
        let last = if self.flags.origin {
            self.right()
        } else {
            self.last_col()
        };
        self.go(
            self.place.row,
            self.place.col.saturating_add(count).min(last),
        );
    }

    /// HT and CHT. At the margin nothing moves, and a wrap that is due stays due.
    pub(crate) fn tab(&mut self, count: u16) {
        let limit = self.limit();
        for _ in 0..count {
            if self.place.col >= limit {
                break;
            }
            self.place.col = self.tabs.next(self.place.col, limit);
        }
        self.dirty.cursor();
    }

    /// CBT.
    pub(crate) fn tab_back(&mut self, count: u16) {
        let first = if self.flags.origin { self.left() } else { 0 };
        for _ in 0..count {
            if self.place.col <= first {
                break;
            }
            self.place.col = self.tabs.previous(self.place.col, first);
        }
        self.place.pending = false;
        self.dirty.cursor();
    }

    /// DECSTBM.
    pub(crate) fn set_margins(&mut self, top: u16, bottom: u16) {
        let rows = self.size.rows();
        let top = top.max(1);
        let bottom = if bottom == 0 { rows } else { bottom.min(rows) };
        if top >= bottom {
            return;
        }
        self.margins = Area {
            top: top - 1,
            bottom: bottom - 1,
            ..self.margins
        };
        self.home();
    }

    /// DECSLRM.
    pub(crate) fn set_side_margins(&mut self, left: u16, right: u16) {
        let cols = self.size.cols();
        let left = left.max(1);
        let right = if right == 0 { cols } else { right.min(cols) };
        if left >= right {
            return;
        }
        self.margins = Area {
            left: left - 1,
            right: right - 1,
            ..self.margins
        };
        self.home();
    }

    /// Margins that leave the whole screen free.
    pub(crate) fn reset_margins(&mut self) {
        self.margins = full(self.size);
    }

    /// DECSC.
    pub(crate) fn save_cursor(&mut self) {
        self.saved[self.side()] = Saved {
            place: self.place,
            pen: self.pen,
            origin: self.flags.origin,
        };
    }

    /// DECRC.
    pub(crate) fn restore_cursor(&mut self) {
        let saved = self.saved[self.side()];
        self.set_pen(saved.pen);
        self.flags.origin = saved.origin;
        self.go(saved.place.row, saved.place.col);
        self.place.pending = saved.place.pending && self.place.col == saved.place.col;
        if self.flags.origin {
            let area = self.region();
            self.place.row = self.place.row.clamp(area.top, area.bottom);
            self.place.col = self.place.col.clamp(area.left, area.right);
        }
    }

    pub(crate) fn set_pen(&mut self, pen: Pen) {
        self.pen = pen;
        self.pen_stale = true;
    }
}
