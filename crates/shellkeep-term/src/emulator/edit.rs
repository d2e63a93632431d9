//! Erasing, inserting, deleting and scrolling.

use super::canvas::Protected;
use super::screen::{Protection, Screen};
use crate::grid::Area;
use crate::grid::cell::Cell;
use crate::grid::row::Row;
use crate::op::{Erase, Spare};

impl Screen {
    /// What an erase of this kind does to protected cells.
    pub(crate) fn protected(&self, spare: Spare) -> Protected {
        let is_spared = match self.protection {
            Protection::Off => false,
            Protection::Dec => spare == Spare::Protected,
            Protection::Iso => true,
        };
        if is_spared {
            Protected::Spared
        } else {
            Protected::Erased
        }
    }

    /// Erases columns `from..to` of a row.
    pub(crate) fn erase_cells(&mut self, row: u16, from: u16, to: u16, spare: Spare) {
        let (blank, protected) = (self.blank(), self.protected(spare));
        self.canvas.erase_cells(row, from, to, blank, protected);
    }

    fn erase_rows(&mut self, from: u16, to: u16, spare: Spare) {
        let (blank, protected) = (self.blank(), self.protected(spare));
        self.canvas.erase_rows(from, to, blank, protected);
    }

    /// EL, DECSEL.
    pub(crate) fn erase_line(&mut self, part: Erase, spare: Spare) {
        let (row, col, end) = (self.cursor.row, self.cursor.col, self.margins.size.cols());
        self.cursor.pending = false;
        match part {
            Erase::After => self.erase_cells(row, col, end, spare),
            Erase::Before => self.erase_cells(row, 0, col + 1, spare),
            Erase::All | Erase::History => self.erase_cells(row, 0, end, spare),
        }
    }

    /// ED, DECSED, without their part in the history.
    pub(crate) fn erase_display(&mut self, part: Erase, spare: Spare) {
        let row = self.cursor.row;
        self.cursor.pending = false;
        match part {
            Erase::After => {
                self.erase_line(part, spare);
                self.erase_rows(row + 1, self.margins.size.rows(), spare);
            }
            Erase::Before => {
                self.erase_rows(0, row, spare);
                self.erase_line(part, spare);
            }
            Erase::All => self.erase_rows(0, self.margins.size.rows(), spare),
            Erase::History => {}
        }
    }

    /// ECH.
    pub(crate) fn erase_chars(&mut self, count: u16) {
        let (row, col) = (self.cursor.row, self.cursor.col);
        self.cursor.pending = false;
        self.erase_cells(row, col, col.saturating_add(count), Spare::Nothing);
    }

    /// ICH, and text in insert mode: inserts blank cells at the cursor.
    pub(crate) fn insert_cells(&mut self, count: u16) {
        self.shift_cells(count, Row::insert);
    }

    /// ICH.
    pub(crate) fn insert_chars(&mut self, count: u16) {
        self.cursor.pending = false;
        self.insert_cells(count);
    }

    /// DCH.
    pub(crate) fn delete_chars(&mut self, count: u16) {
        self.cursor.pending = false;
        self.shift_cells(count, Row::delete);
    }

    /// Moves the cells from the cursor to the right margin.
    fn shift_cells(
        &mut self,
        count: u16,
        shift: fn(&mut Row, col: usize, right: usize, count: usize, blank: Cell, cols: usize),
    ) {
        if !self.margins.has_column(self.cursor.col) {
            return;
        }
        let blank = self.blank();
        let (row, cols) = (self.cursor.row, self.margins.cols());
        let (col, right) = (
            usize::from(self.cursor.col),
            usize::from(self.margins.right()) + 1,
        );
        self.canvas.dirty.row(row);
        let row = self.canvas.grid.row_mut(row);
        shift(row, col, right, usize::from(count), blank, cols);
    }

    /// The region from the cursor's row down, if the cursor is inside the margins.
    fn below(&self) -> Option<Area> {
        self.margins.contains(self.cursor).then(|| Area {
            top: self.cursor.row,
            ..self.margins.region()
        })
    }

    /// IL: the cursor goes to the left margin.
    pub(crate) fn insert_lines(&mut self, count: u16) {
        let Some(area) = self.below() else { return };
        self.scroll_down(area, count);
        self.go(self.cursor.row, area.left);
    }

    /// DL: the cursor goes to the left margin. Deleted rows do not go to the history, not even the top one.
    pub(crate) fn delete_lines(&mut self, count: u16) {
        let Some(area) = self.below() else { return };
        let blank = self.blank();
        if area.left > 0 || area.right < self.margins.last_col() || area.top > 0 {
            self.scroll_up(area, count);
        } else {
            self.canvas.dirty.rows(area.top, area.bottom);
            self.canvas
                .grid
                .scroll_up(area.top, area.bottom, count, blank);
            if !self.canvas.alternate {
                self.canvas.history.close();
            }
        }
        self.go(self.cursor.row, area.left);
    }

    /// Moves the text within the margins up. Rows that leave the top of the main screen go to the history.
    #[inline]
    pub(crate) fn scroll_up(&mut self, area: Area, count: u16) {
        let blank = self.blank();
        self.canvas.scroll_up(area, count, blank);
    }

    pub(crate) fn scroll_down(&mut self, area: Area, count: u16) {
        let blank = self.blank();
        self.canvas.scroll_down(area, count, blank);
    }

    /// Moves the text right of `col` within the margins to the right: DECIC, SR, DECBI.
    pub(crate) fn shift_right(&mut self, col: u16, count: u16) {
        let blank = self.blank();
        let area = self.margins.region();
        self.canvas.insert_columns(area, col, count, blank);
    }

    /// Moves the text right of `col` within the margins to the left: DECDC, SL, DECFI.
    pub(crate) fn shift_left(&mut self, col: u16, count: u16) {
        let blank = self.blank();
        let area = self.margins.region();
        self.canvas.delete_columns(area, col, count, blank);
    }

    /// DECALN: fills the screen with E.
    pub(crate) fn alignment_test(&mut self) {
        self.margins.reset();
        self.margins.origin = false;
        let cols = self.margins.cols();
        let run = vec![b'E'; cols];
        for row in 0..self.margins.size.rows() {
            let line = self.canvas.grid.row_mut(row);
            line.clear(Cell::BLANK, cols);
            line.write_ascii(0, &run, 0, cols);
            line.time = self.canvas.time;
        }
        self.canvas.dirty.all();
        if !self.canvas.alternate {
            self.canvas.history.close();
        }
        self.go(0, 0);
    }
}
