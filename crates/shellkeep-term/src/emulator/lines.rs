//! Logical lines by number, whether they are in the history, on the main screen, or partly in each.
//!
//! A line of the screen has the number that it will have in the history, as long as nothing above it is inserted or
//! deleted.

use std::ops::Range;

use super::canvas::Canvas;
use crate::emulator::Emulator;
use crate::grid::Grid;
use crate::grid::look::Tables;
use crate::grid::reflow::Line;
use crate::grid::row::Row;
use crate::history::read::HistoryRows;

impl Canvas {
    fn main_screen(&self) -> &Grid {
        match &self.other {
            Some(main) if self.alternate => main,
            _ => &self.grid,
        }
    }

    /// The number of the line in the main screen's first row.
    fn first_screen_line(&self) -> u64 {
        let history = &self.history;
        let end = history.first_line() + history.lines() as u64;
        end.saturating_sub(u64::from(history.open))
    }

    /// The number of the line in a row of the active screen. `None` on the alternate screen, and without a history,
    /// where lines are not counted.
    pub(crate) fn line_of_row(&self, row: u16) -> Option<u64> {
        let ends = |row: &u16| !self.grid.row(*row).wrapped;
        let is_counted = !self.alternate && self.history.limit > 0;
        is_counted.then(|| self.first_screen_line() + (0..row).filter(ends).count() as u64)
    }

    /// How many cells of its line are before this place of the screen shown.
    pub(crate) fn cells_before(&self, row: u16, col: u16) -> usize {
        let above = (0..row).rev().take_while(|row| self.grid.row(*row).wrapped);
        let rows = above.count();
        let is_from_history = rows == usize::from(row) && !self.alternate && self.history.open;
        let in_history = if is_from_history {
            self.history.open_cells
        } else {
            0
        };
        in_history + rows * self.grid.cols() + usize::from(col)
    }

    /// The rows of the main screen down to the last with text or a mark, and a first one that goes on with the history.
    fn used_rows(&self) -> impl Iterator<Item = &Row> {
        let grid = self.main_screen();
        let is_used = |row: &u16| {
            let row = grid.row(*row);
            !row.trimmed().is_empty() || row.mark != 0
        };
        let last = (0..grid.height()).rev().find(is_used);
        let used = last.map_or(u16::from(self.history.open), |last| last + 1);
        (0..used).map(move |row| grid.row(row))
    }
}

impl Emulator {
    /// The numbers of all lines: those of the history, and then those of the main screen down to the last with text or
    /// a mark.
    #[must_use]
    pub fn line_numbers(&self) -> Range<u64> {
        let canvas = &self.terminal.screen.canvas;
        let mut end = canvas.first_screen_line();
        let mut goes_on = false;
        for row in canvas.used_rows() {
            end += u64::from(!goes_on);
            goes_on = row.wrapped;
        }
        canvas.history.first_line()..end
    }

    /// The lines with these numbers, wrapped at `cols`, from the history and then from the main screen, even while the
    /// alternate one is shown. Lines that no longer exist are left out, and lines that cannot be read are empty
    /// ([`HistoryRows::missing`]).
    #[must_use]
    pub fn lines(&self, lines: Range<u64>, cols: u16) -> HistoryRows {
        let canvas = &self.terminal.screen.canvas;
        let first = canvas.first_screen_line();
        if lines.end <= first {
            let mut out = HistoryRows::of(Vec::new(), cols.max(1), &Tables::default());
            canvas.history.push_line_rows(lines, &mut out);
            return out;
        }
        let mut out = HistoryRows::of(Vec::new(), cols.max(1), &canvas.tables);
        canvas.history.push_line_rows(lines.start..first, &mut out);
        let mut number = first;
        let mut line = match canvas.history.open && lines.contains(&first) {
            true => out.line_of(&canvas.history, first),
            false => Line::default(),
        };
        let mut goes_on = false;
        for row in canvas.used_rows() {
            line.push_row(row, canvas.grid.cols());
            goes_on = row.wrapped;
            if !goes_on {
                let whole = std::mem::take(&mut line);
                if lines.contains(&number) {
                    out.push_line(whole);
                }
                number += 1;
            }
        }
        if goes_on && lines.contains(&number) {
            out.push_line(line);
        }
        out
    }
}
