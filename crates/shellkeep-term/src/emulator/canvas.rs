//! The cells of both screens, the history above them, and the tables that cells refer to.
//!
//! The canvas does not know the cursor or the margins: callers pass positions and areas.

use shellkeep_core::Size;

use super::dirty::DirtyRows;
use super::pen::Pen;
use crate::config::Config;
use crate::grid::cell::Cell;
use crate::grid::look::Tables;
use crate::grid::reflow::Line;
use crate::grid::row::Row;
use crate::grid::{Area, Grid};
use crate::history::History;
use crate::view::{MARK_END, MARK_OUTPUT, MARK_PROMPT};

/// The most lines, and the most rows, of a prompt that are searched in the history. Both are limited, because readline
/// breaks lines itself at times, so a prompt can have many of either.
const MAX_PROMPT_LINES: usize = 2000;
const MAX_PROMPT_ROWS: usize = 4000;

/// Whether an erase leaves protected cells alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protected {
    Spared,
    Erased,
}

/// All cells of a terminal, and which rows have changed since the changes were last taken.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    pub(crate) grid: Grid,
    /// The other one: the alternate while the main is shown (if it was ever used), or the main.
    pub(crate) other: Option<Grid>,
    pub(crate) alternate: bool,
    pub(crate) tables: Tables,
    pub(crate) history: History,
    pub(crate) dirty: DirtyRows,
    /// The present time, as far as it was told: seconds since 1970, or 0.
    pub(crate) time: u32,
}

impl Canvas {
    pub(crate) fn new(size: Size, config: &Config) -> Self {
        Self {
            grid: Grid::new(size),
            other: None,
            alternate: false,
            tables: Tables::default(),
            history: History::new(config),
            dirty: DirtyRows::new(size.rows()),
            time: 0,
        }
    }

    /// The row that text is written to now.
    #[inline]
    pub(crate) fn written_row(&mut self, row: u16) -> &mut Row {
        self.dirty.row(row);
        let line = self.grid.row_mut(row);
        line.time = self.time;
        line
    }

    /// The index of the active screen in arrays with an entry for each screen.
    pub(crate) fn side(&self) -> usize {
        usize::from(self.alternate)
    }

    fn last_col(&self) -> u16 {
        self.grid.cols() as u16 - 1
    }

    /// Shows the alternate or the main screen, which is empty if it was never used.
    pub(crate) fn show(&mut self, alternate: bool) {
        let size = Size::new(self.grid.height(), self.last_col() + 1);
        let other = self.other.take().unwrap_or_else(|| Grid::new(size));
        self.other = Some(std::mem::replace(&mut self.grid, other));
        self.alternate = alternate;
        self.dirty.all();
    }

    /// Drops table entries that no cell and no pen uses.
    pub(crate) fn collect(&mut self, mut pens: [&mut Pen; 3]) {
        let mut marks = self.tables.marks();
        let mut cells = 0;
        for cell in self
            .grid
            .stored()
            .chain(self.other.iter().flat_map(Grid::stored))
        {
            marks.mark(cell);
            cells += 1;
        }
        for pen in &pens {
            marks.mark_link(pen.link);
        }
        self.tables.sweep(&mut marks, cells);
        self.grid.for_each_mut(|cell| *cell = marks.moved(*cell));
        if let Some(other) = &mut self.other {
            other.for_each_mut(|cell| *cell = marks.moved(*cell));
        }
        for pen in &mut pens {
            pen.link = marks.moved_link(pen.link);
        }
    }

    /// Moves the region's text up. Rows that leave the top of the main screen go to the history.
    pub(crate) fn scroll_up(&mut self, area: Area, count: u16, blank: Cell) {
        self.dirty.rows(area.top, area.bottom);
        if area.left > 0 || area.right < self.last_col() {
            return self.grid.scroll_box_up(area, count, blank);
        }
        let count = count.min(area.bottom - area.top + 1);
        if area.top == 0 && !self.alternate {
            let cols = self.grid.cols();
            for row in 0..count {
                self.history
                    .push_row(self.grid.row(row), cols, &self.tables);
            }
        } else if area.top > 0 {
            // The row above no longer continues in this row.
            self.grid.row_mut(area.top - 1).wrapped = false;
        }
        self.grid.scroll_up(area.top, area.bottom, count, blank);
    }

    pub(crate) fn scroll_down(&mut self, area: Area, count: u16, blank: Cell) {
        self.dirty.rows(area.top, area.bottom);
        if area.left > 0 || area.right < self.last_col() {
            return self.grid.scroll_box_down(area, count, blank);
        }
        let count = count.min(area.bottom - area.top + 1);
        self.grid.scroll_down(area.top, area.bottom, count, blank);
        // What followed the last row that stays is gone, and the row above the region no longer continues in it.
        self.grid.row_mut(area.bottom).wrapped = false;
        match area.top.checked_sub(1) {
            Some(above) => self.grid.row_mut(above).wrapped = false,
            None if !self.alternate => self.history.close(),
            None => {}
        }
    }

    /// Erases columns `from..to` of a row.
    pub(crate) fn erase_cells(
        &mut self,
        row: u16,
        from: u16,
        to: u16,
        blank: Cell,
        protected: Protected,
    ) {
        let cols = self.grid.cols();
        let (from, to) = (usize::from(from), usize::from(to).min(cols));
        self.dirty.row(row);
        if protected == Protected::Erased {
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

    /// Erases whole rows `from..to`.
    pub(crate) fn erase_rows(&mut self, from: u16, to: u16, blank: Cell, protected: Protected) {
        if from >= to {
            return;
        }
        if protected == Protected::Spared {
            for row in from..to {
                self.erase_cells(row, 0, self.last_col() + 1, blank, protected);
            }
            return;
        }
        self.dirty.rows(from, to - 1);
        self.grid.clear_rows(from, to - 1, blank);
        match from.checked_sub(1) {
            Some(above) => self.grid.row_mut(above).wrapped = false,
            None if !self.alternate => self.history.close(),
            None => {}
        }
    }

    /// Copies the screen to the history before all of it is erased, so that no text is lost.
    pub(crate) fn keep_erased(&mut self) {
        if self.alternate {
            return;
        }
        let is_used = |row: &u16| !self.grid.row(*row).trimmed().is_empty();
        let used = (0..self.grid.height()).rev().find(is_used);
        let cols = self.grid.cols();
        for row in 0..used.map_or(0, |last| last + 1) {
            self.history
                .push_row(self.grid.row(row), cols, &self.tables);
        }
        self.history.close();
    }

    /// Inserts blank columns in the rows of an area. The text from `col` on moves to the right.
    pub(crate) fn insert_columns(&mut self, area: Area, col: u16, count: u16, blank: Cell) {
        let cols = self.grid.cols();
        let (from, to) = (usize::from(col), usize::from(area.right) + 1);
        self.dirty.rows(area.top, area.bottom);
        for row in area.top..=area.bottom {
            let row = self.grid.row_mut(row);
            row.insert(from, to, usize::from(count), blank, cols);
        }
    }

    /// Deletes columns at `col` in the rows of an area. The text to their right moves to the left.
    pub(crate) fn delete_columns(&mut self, area: Area, col: u16, count: u16, blank: Cell) {
        let cols = self.grid.cols();
        let (from, to) = (usize::from(col), usize::from(area.right) + 1);
        self.dirty.rows(area.top, area.bottom);
        for row in area.top..=area.bottom {
            let row = self.grid.row_mut(row);
            row.delete(from, to, usize::from(count), blank, cols);
        }
    }

    /// Ends the line in the row above, so that this row starts a line.
    pub(crate) fn close_above(&mut self, row: u16) {
        match row.checked_sub(1) {
            Some(above) => self.grid.row_mut(above).wrapped = false,
            None if !self.alternate => self.history.close(),
            None => {}
        }
    }

    /// Drops the rows of a prompt from the history, from the line with a mark on. Returns false if there is no such
    /// line.
    pub(crate) fn forget_prompt(&mut self, wanted: u8, cols: usize) -> bool {
        self.take_prompt(wanted, cols).is_some()
    }

    /// Takes the rows of a prompt that are above the screen out of the history, from the line with a mark on. They are
    /// `cols` wide, which is passed because the grid is empty during a resize.
    pub(crate) fn take_prompt(&mut self, wanted: u8, cols: usize) -> Option<Vec<Row>> {
        let is_open = self.history.open;
        let mut lines: Vec<Line> = Vec::new();
        let mut rows = 0;
        let mut is_found = false;
        while !is_found && lines.len() < MAX_PROMPT_LINES && rows < MAX_PROMPT_ROWS {
            let Some(line) = self.history.pop_line(&mut self.tables) else {
                break;
            };
            let mark = line.mark;
            is_found = mark & wanted != 0;
            rows += 1 + line.cells.len() / cols;
            lines.push(line);
            if mark & (MARK_PROMPT | MARK_OUTPUT | MARK_END) != 0 {
                break;
            }
        }
        let lines = lines.into_iter().rev();
        let mut rows: Vec<Row> = lines.flat_map(|line| line.into_rows(cols)).collect();
        if let Some(last) = rows.last_mut() {
            last.wrapped = is_open;
        }
        if is_found {
            return Some(rows);
        }
        for row in &rows {
            self.history.put_row(row, cols, &self.tables);
        }
        None
    }
}
