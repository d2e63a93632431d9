//! Erasing, inserting, deleting and scrolling.

use super::screen::{Protection, Screen, ShellPhase};
use crate::grid::Area;
use crate::grid::cell::Cell;
use crate::op::{Erase, Spare};

impl Screen {
    /// Whether an erase of this kind leaves protected cells alone.
    fn spares(&self, spare: Spare) -> bool {
        match self.protection {
            Protection::Off => false,
            Protection::Dec => spare == Spare::Protected,
            Protection::Iso => true,
        }
    }

    /// Erases columns `from..to` of a row.
    pub(crate) fn erase_cells(&mut self, row: u16, from: u16, to: u16, spare: Spare) {
        let blank = self.blank();
        let cols = self.cols();
        let (from, to) = (usize::from(from), usize::from(to).min(cols));
        self.touch(row);
        if !self.spares(spare) {
            return self.grid.row_mut(row).erase(from, to, blank, cols);
        }
        let mut start = from;
        for col in from..=to {
            let kept = col == to || {
                let cell = self.grid.row(row).get(col);
                self.tables.look(cell.look).is_protected()
            };
            if kept {
                self.grid.row_mut(row).erase(start, col, blank, cols);
                start = col + 1;
            }
        }
    }

    /// EL, DECSEL.
    pub(crate) fn erase_line(&mut self, part: Erase, spare: Spare) {
        let (row, col, end) = (self.place.row, self.place.col, self.size.cols());
        self.place.pending = false;
        match part {
            Erase::After => {
                // A shell that draws its prompt anew has nothing left of what went on in this row.
                if col == 0 && self.shell == ShellPhase::Redraw {
                    self.close_above(row);
                }
                self.erase_cells(row, col, end, spare);
            }
            Erase::Before => self.erase_cells(row, 0, col + 1, spare),
            Erase::All | Erase::History => self.erase_cells(row, 0, end, spare),
        }
    }

    /// ED, DECSED. The history's part is done by the caller, who can tell the world.
    pub(crate) fn erase_display(&mut self, part: Erase, spare: Spare) {
        let row = self.place.row;
        self.place.pending = false;
        let is_all = part == Erase::All
            || (part == Erase::After && (self.place.row, self.place.col) == (0, 0));
        if is_all && !self.spares(spare) && !self.is_all_prompt() {
            self.keep_erased();
        }
        match part {
            Erase::After => {
                self.erase_line(part, spare);
                self.erase_rows(row + 1, self.size.rows(), spare);
            }
            Erase::Before => {
                self.erase_rows(0, row, spare);
                self.erase_line(part, spare);
            }
            Erase::All => self.erase_rows(0, self.size.rows(), spare),
            Erase::History => {}
        }
    }

    /// The whole screen is about to be erased. What was shown must not be lost by that, so it goes into the history.
    pub(crate) fn keep_erased(&mut self) {
        if self.alternate {
            return;
        }
        let is_used = |row: &u16| !self.grid.row(*row).trimmed().is_empty();
        let used = (0..self.size.rows()).rev().find(is_used);
        let cols = self.cols();
        for row in 0..used.map_or(0, |last| last + 1) {
            self.history
                .push_row(self.grid.row(row), cols, &self.tables);
        }
        self.history.close();
    }

    /// Erases whole rows `from..to`.
    fn erase_rows(&mut self, from: u16, to: u16, spare: Spare) {
        if from >= to {
            return;
        }
        if self.spares(spare) {
            for row in from..to {
                self.erase_cells(row, 0, self.size.cols(), spare);
            }
            return;
        }
        let blank = self.blank();
        self.dirty.rows(from, to - 1);
        self.grid.clear_rows(from, to - 1, blank);
        match from.checked_sub(1) {
            Some(above) => self.grid.row_mut(above).wrapped = false,
            None if !self.alternate => self.history.close(),
            None => {}
        }
    }

    /// ECH.
    pub(crate) fn erase_chars(&mut self, count: u16) {
        let (row, col) = (self.place.row, self.place.col);
        self.place.pending = false;
        self.erase_cells(row, col, col.saturating_add(count), Spare::Nothing);
    }

    /// ICH, and insert mode: makes room at the cursor.
    pub(crate) fn insert_cells(&mut self, count: u16) {
        if !self.in_columns() {
            return;
        }
        let blank = self.blank();
        let (row, cols) = (self.place.row, self.cols());
        let (col, right) = (usize::from(self.place.col), usize::from(self.right()) + 1);
        self.touch(row);
        self.grid
            .row_mut(row)
            .insert(col, right, usize::from(count), blank, cols);
    }

    /// ICH.
    pub(crate) fn insert_chars(&mut self, count: u16) {
        self.place.pending = false;
        self.insert_cells(count);
    }

    /// DCH.
    pub(crate) fn delete_chars(&mut self, count: u16) {
        self.place.pending = false;
        if !self.in_columns() {
            return;
        }
        let blank = self.blank();
        let (row, cols) = (self.place.row, self.cols());
        let (col, right) = (usize::from(self.place.col), usize::from(self.right()) + 1);
        self.touch(row);
        self.grid
            .row_mut(row)
            .delete(col, right, usize::from(count), blank, cols);
    }

    /// The region from the cursor's row down, if the cursor is inside the margins.
    fn below(&self) -> Option<Area> {
        self.in_margins().then(|| Area {
            top: self.place.row,
            ..self.region()
        })
    }

    /// IL: the cursor goes to the left margin.
    pub(crate) fn insert_lines(&mut self, count: u16) {
        let Some(area) = self.below() else { return };
        self.scroll_down(area, count);
        self.go(self.place.row, area.left);
    }

    /// DL: the cursor goes to the left margin. What is deleted is gone, also from the top row.
    pub(crate) fn delete_lines(&mut self, count: u16) {
        let Some(area) = self.below() else { return };
        let blank = self.blank();
        if area.left > 0 || area.right < self.last_col() || area.top > 0 {
            self.scroll_up(area, count);
        } else {
            self.dirty.rows(area.top, area.bottom);
            self.grid.scroll_up(area.top, area.bottom, count, blank);
            if !self.alternate {
                self.history.close();
            }
        }
        self.go(self.place.row, area.left);
    }

    /// Moves the text right of `col` within the margins to the right: DECIC, SR, DECBI.
    pub(crate) fn shift_right(&mut self, col: u16, count: u16) {
        let blank = self.blank();
        let area = self.region();
        let cols = self.cols();
        self.dirty.rows(area.top, area.bottom);
        for row in area.top..=area.bottom {
            self.grid.row_mut(row).insert(
                usize::from(col),
                usize::from(area.right) + 1,
                usize::from(count),
                blank,
                cols,
            );
        }
    }

    /// Moves the text right of `col` within the margins to the left: DECDC, SL, DECFI.
    pub(crate) fn shift_left(&mut self, col: u16, count: u16) {
        let blank = self.blank();
        let area = self.region();
        let cols = self.cols();
        self.dirty.rows(area.top, area.bottom);
        for row in area.top..=area.bottom {
            self.grid.row_mut(row).delete(
                usize::from(col),
                usize::from(area.right) + 1,
                usize::from(count),
                blank,
                cols,
            );
        }
    }

    /// DECALN: the screen full of E.
    pub(crate) fn alignment_test(&mut self) {
        self.reset_margins();
        self.flags.origin = false;
        let cols = self.cols();
        let run = vec![b'E'; cols];
        for row in 0..self.size.rows() {
            let line = self.grid.row_mut(row);
            line.clear(Cell::BLANK, cols);
            line.write_ascii(0, &run, 0, cols);
        }
        self.dirty.all();
        if !self.alternate {
            self.history.close();
        }
        self.go(0, 0);
    }
}
