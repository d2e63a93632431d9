//! Logical lines: rows joined where the margin broke them, and broken again at another width.

use super::cell::Cell;
use super::row::Row;

/// A line without a width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) cells: Vec<Cell>,
    /// The look of the erased cells between the end of the text and the right margin. They are not stored as cells, so
    /// that a coloured bar is one row high at every width.
    pub(crate) fill: u32,
    /// The prompt marks of all its rows.
    pub(crate) mark: u8,
    /// When its first row was written, or the next of which that is known; 0 if it is of none.
    pub(crate) time: u32,
}

impl Line {
    /// Appends a row of a screen `cols` wide.
    pub(crate) fn push_row(&mut self, row: &Row, cols: usize) {
        let whole = row.with_right_half();
        let row = whole.as_ref().unwrap_or(row);
        self.mark |= row.mark;
        if self.time == 0 {
            self.time = row.time;
        }
        let cells = row.cells();
        if row.wrapped {
            let end = match cells.last() {
                // The pad exists only at this width.
                Some(last) if last.is_pad() && cells.len() == cols => cols - 1,
                _ => cells.len(),
            };
            self.cells.extend_from_slice(&cells[..end]);
            if end == cells.len() && end < cols {
                let missing = cols - end;
                self.cells.extend(std::iter::repeat_n(Cell::BLANK, missing));
            }
            return;
        }
        let (text, fill) = split_fill(cells, cols);
        self.cells.extend_from_slice(text);
        self.fill = fill;
    }

    /// Breaks the line into rows of `cols`, at least one.
    pub(crate) fn into_rows(self, cols: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut start = 0;
        let mut mark = self.mark;
        loop {
            let end = row_end(&self.cells, start, cols);
            let mut cells = self.cells[start..end].to_vec();
            let last = end == self.cells.len();
            if last {
                if self.fill != 0 {
                    cells.resize(cols, Cell::blank(self.fill));
                }
            } else if cells.len() < cols {
                cells.push(Cell::pad(0));
            }
            // On a screen of one column, the left half of a wide character stands for the whole.
            cells.truncate(cols);
            rows.push(Row::from_cells(
                cells,
                !last,
                std::mem::take(&mut mark),
                self.time,
            ));
            start = end;
            if last {
                return rows;
            }
        }
    }
}

/// The end of the row that begins at `start`.
pub(crate) fn row_end(cells: &[Cell], start: usize, cols: usize) -> usize {
    let end = start + cols;
    if end >= cells.len() {
        return cells.len();
    }
    match cells[end].is_spacer() {
        // A wide character that would be cut goes to the next row. If it fits into no row, it has a row of its own.
        true if end - 1 > start => end - 1,
        true => end + 1,
        false => end,
    }
}

/// Splits a row's cells into the text and the look of erased cells that reach the margin.
pub(crate) fn split_fill(cells: &[Cell], cols: usize) -> (&[Cell], u32) {
    let fill = match cells.last() {
        Some(last) if last.is_empty() && cells.len() >= cols => last.look,
        _ => 0,
    };
    let blank = |cell: &Cell| cell.is_empty() && cell.look == fill;
    let end = cells
        .iter()
        .rposition(|cell| !blank(cell))
        .map_or(0, |at| at + 1);
    (&cells[..end], fill)
}
