//! The rows of one screen.

pub(crate) mod cell;
pub(crate) mod look;
pub(crate) mod reflow;
pub(crate) mod row;

use cell::Cell;
use row::Row;
use shellkeep_core::Size;

/// The rows of a screen. Rows stay where they are in memory. `order` maps each position to a row, so that scrolling a
/// region moves only two bytes per row.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    rows: Vec<Row>,
    order: Vec<u16>,
    cols: u16,
}

impl Grid {
    pub(crate) fn new(size: Size) -> Self {
        Self {
            rows: vec![Row::default(); usize::from(size.rows())],
            order: (0..size.rows()).collect(),
            cols: size.cols(),
        }
    }

    /// A grid of these rows, top first. Missing rows are blank, and extra ones are dropped.
    pub(crate) fn from_rows(mut rows: Vec<Row>, size: Size) -> Self {
        rows.resize_with(usize::from(size.rows()), Row::default);
        Self {
            rows,
            order: (0..size.rows()).collect(),
            cols: size.cols(),
        }
    }

    /// The rows, top first.
    pub(crate) fn into_rows(mut self) -> Vec<Row> {
        self.order
            .iter()
            .map(|&at| std::mem::take(&mut self.rows[usize::from(at)]))
            .collect()
    }

    pub(crate) fn height(&self) -> u16 {
        self.order.len() as u16
    }

    pub(crate) fn cols(&self) -> usize {
        usize::from(self.cols)
    }

    #[inline]
    pub(crate) fn row(&self, row: u16) -> &Row {
        &self.rows[usize::from(self.order[usize::from(row)])]
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, row: u16) -> &mut Row {
        &mut self.rows[usize::from(self.order[usize::from(row)])]
    }

    #[inline]
    pub(crate) fn cell(&self, row: u16, col: u16) -> Cell {
        self.row(row).get(usize::from(col))
    }

    /// Moves rows `top..=bottom` up by `count`; blank rows come in at the bottom.
    pub(crate) fn scroll_up(&mut self, top: u16, bottom: u16, count: u16, blank: Cell) {
        let count = count.min(bottom - top + 1);
        self.order[usize::from(top)..=usize::from(bottom)].rotate_left(usize::from(count));
        self.clear_rows(bottom + 1 - count, bottom, blank);
    }

    /// Moves rows `top..=bottom` down by `count`; blank rows come in at the top.
    pub(crate) fn scroll_down(&mut self, top: u16, bottom: u16, count: u16, blank: Cell) {
        let count = count.min(bottom - top + 1);
        self.order[usize::from(top)..=usize::from(bottom)].rotate_right(usize::from(count));
        self.clear_rows(top, top + count - 1, blank);
    }

    /// Clears rows `top..=bottom`, including their marks.
    pub(crate) fn clear_rows(&mut self, top: u16, bottom: u16, blank: Cell) {
        let cols = self.cols();
        for row in top..=bottom {
            self.row_mut(row).clear(blank, cols);
        }
    }

    /// Moves the part of rows `top..=bottom` within columns `left..right` up by `count`.
    pub(crate) fn scroll_box_up(&mut self, area: Area, count: u16, blank: Cell) {
        let cols = self.cols();
        let (left, right) = (usize::from(area.left), usize::from(area.right) + 1);
        for row in area.top..=area.bottom {
            match row.checked_add(count).filter(|from| *from <= area.bottom) {
                Some(from) => self.copy_part(from, row, left, right),
                None => self.row_mut(row).erase(left, right, blank, cols),
            }
        }
    }

    /// Moves the part of rows `top..=bottom` within columns `left..right` down by `count`.
    pub(crate) fn scroll_box_down(&mut self, area: Area, count: u16, blank: Cell) {
        let cols = self.cols();
        let (left, right) = (usize::from(area.left), usize::from(area.right) + 1);
        for row in (area.top..=area.bottom).rev() {
            match row.checked_sub(count).filter(|from| *from >= area.top) {
                Some(from) => self.copy_part(from, row, left, right),
                None => self.row_mut(row).erase(left, right, blank, cols),
            }
        }
    }

    fn copy_part(&mut self, from: u16, to: u16, left: usize, right: usize) {
        let cols = self.cols();
        let source = usize::from(self.order[usize::from(from)]);
        let target = usize::from(self.order[usize::from(to)]);
        let source = std::mem::take(&mut self.rows[source]);
        self.rows[target].copy_columns(&source, left, right, cols);
        let at = usize::from(self.order[usize::from(from)]);
        self.rows[at] = source;
    }

    pub(crate) fn for_each_mut(&mut self, mut change: impl FnMut(&mut Cell)) {
        for row in &mut self.rows {
            row.for_each_mut(&mut change);
        }
    }

    pub(crate) fn stored(&self) -> impl Iterator<Item = Cell> + '_ {
        self.rows.iter().flat_map(|row| row.cells().iter().copied())
    }

    /// Resizes without re-wrapping: rows are cut or extended at the right. Rows are removed at the top if the cursor
    /// would fall off the screen, otherwise at the bottom. Returns how many were removed at the top.
    pub(crate) fn resize_plain(&mut self, size: Size, cursor: u16) -> u16 {
        let old = std::mem::replace(self, Grid::new(Size::new(1, 1)));
        let old_cols = old.cols;
        let mut rows = old.into_rows();
        let above = (cursor + 1).saturating_sub(size.rows());
        rows.drain(..usize::from(above));
        if size.cols() != old_cols {
            for row in &mut rows {
                row.refit(usize::from(size.cols()));
            }
        }
        *self = Self::from_rows(rows, size);
        above
    }

    pub(crate) fn heap(&self) -> usize {
        let rows: usize = self.rows.iter().map(Row::heap).sum();
        rows + self.rows.capacity() * size_of::<Row>() + self.order.capacity() * 2
    }
}

/// A rectangle of cells; all four sides are inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) top: u16,
    pub(crate) left: u16,
    pub(crate) bottom: u16,
    pub(crate) right: u16,
}
