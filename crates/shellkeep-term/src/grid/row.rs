//! One row of cells. Only written cells are stored; the rest are blank in the default look, so an idle screen needs
//! little memory and clearing a row is free.

use std::borrow::Cow;

use super::cell::Cell;
use crate::view::{MARK_INPUT, MARK_PROMPT};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    cells: Vec<Cell>,
    /// The text continues in the next row, because the margin broke it and not the program.
    pub(crate) wrapped: bool,
    /// Marks of the shell's prompt (OSC 133) on this row.
    pub(crate) mark: u8,
    /// When something was last written to it, in seconds since 1970; 0 if that is not known.
    pub(crate) time: u32,
}

impl Row {
    /// The stored cells. The rest of the row is blank.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    #[inline]
    pub(crate) fn get(&self, col: usize) -> Cell {
        self.cells.get(col).copied().unwrap_or(Cell::BLANK)
    }

    /// The cells without default blanks at the end.
    pub(crate) fn trimmed(&self) -> &[Cell] {
        let end = self.cells.iter().rposition(|cell| *cell != Cell::BLANK);
        &self.cells[..end.map_or(0, |at| at + 1)]
    }

    /// A row of one column can hold only the left half of a wide character. This returns such a row with both halves.
    pub(crate) fn with_right_half(&self) -> Option<Self> {
        let wide = self.cells.last().filter(|last| last.is_wide())?;
        let mut whole = self.clone();
        whole.cells.push(Cell::spacer(wide.look));
        Some(whole)
    }

    /// Splits the row where a prompt begins, if there is text before it.
    pub(crate) fn split_prompt(&self, col: usize) -> (Option<Self>, Cow<'_, Self>) {
        if col == 0 {
            return (None, Cow::Borrowed(self));
        }
        let (before, after) = self.cells.split_at(col.min(self.cells.len()));
        let prompts = MARK_PROMPT | MARK_INPUT;
        let before = Self::from_cells(before.to_vec(), false, self.mark & !prompts, self.time);
        let after = Self::from_cells(after.to_vec(), self.wrapped, self.mark & prompts, self.time);
        (Some(before), Cow::Owned(after))
    }

    /// Clears the row: all cells become `blank`.
    pub(crate) fn clear(&mut self, blank: Cell, cols: usize) {
        self.cells.clear();
        self.wrapped = false;
        self.mark = 0;
        self.time = 0;
        if blank != Cell::BLANK {
            self.pad_to(cols, cols);
            self.cells.fill(blank);
        }
    }

    /// Replaces everything, as reflow and restore do.
    pub(crate) fn from_cells(cells: Vec<Cell>, wrapped: bool, mark: u8, time: u32) -> Self {
        Self {
            cells,
            wrapped,
            mark,
            time,
        }
    }

    /// Extends the stored cells to `len`, in a row of `cols`.
    #[inline]
    fn pad_to(&mut self, len: usize, cols: usize) {
        if self.cells.len() < len {
            self.reserve(cols);
            self.cells.resize(len, Cell::BLANK);
        }
    }

    #[inline]
    fn reserve(&mut self, cols: usize) {
        if self.cells.capacity() < cols {
            self.cells.reserve_exact(cols - self.cells.len());
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, col: usize, cell: Cell, cols: usize) {
        self.pad_to(col + 1, cols);
        self.cells[col] = cell;
    }

    /// Writes one cell. Another wide character that this cuts in half becomes blank. The halves of a wide character
    /// have to be written one after the other, left first.
    #[inline]
    pub(crate) fn put(&mut self, col: usize, cell: Cell, cols: usize) {
        if col < self.cells.len() {
            let old = self.cells[col];
            if old.is_wide() || (old.is_spacer() && !cell.is_spacer()) {
                self.split_wide(col, col + 1);
            }
            self.cells[col] = cell;
            return;
        }
        self.pad_to(col, cols);
        self.reserve(cols);
        self.cells.push(cell);
    }

    /// Reserves memory for a whole row, and returns whether `col` is the end of the stored cells.
    pub(crate) fn ends_at(&mut self, col: usize, cols: usize) -> bool {
        self.reserve(cols);
        self.cells.len() == col
    }

    /// Appends a cell to the stored ones.
    #[inline]
    pub(crate) fn push(&mut self, cell: Cell) {
        self.cells.push(cell);
    }

    /// Appends both halves of a wide character.
    #[inline]
    pub(crate) fn push_wide(&mut self, c: char, look: u32) {
        self.cells
            .extend_from_slice(&[Cell::wide(c, look), Cell::spacer(look)]);
    }

    #[inline]
    pub(crate) fn write_ascii(&mut self, col: usize, run: &[u8], look: u32, cols: usize) {
        let end = col + run.len();
        self.split_wide(col, end);
        self.reserve(cols);
        if self.cells.len() < col {
            self.cells.resize(col, Cell::BLANK);
        }
        let cell = |&byte: &u8| Cell {
            content: u32::from(byte),
            look,
        };
        let over = (self.cells.len() - col).min(run.len());
        for (slot, byte) in self.cells[col..col + over].iter_mut().zip(run) {
            *slot = cell(byte);
        }
        self.cells.extend(run[over..].iter().map(cell));
    }

    /// To be called before `from..to` is overwritten: wide characters that either end cuts in half become blank.
    #[inline]
    pub(crate) fn split_wide(&mut self, from: usize, to: usize) {
        if self.get(from).is_spacer() {
            let look = self.cells[from].look;
            self.cells[from] = Cell::blank(look);
            if let Some(left) = from.checked_sub(1) {
                self.cells[left] = Cell::blank(look);
            }
        }
        if to > from && self.get(to).is_spacer() {
            let look = self.cells[to].look;
            self.cells[to] = Cell::blank(look);
            self.cells[to - 1] = Cell::blank(look);
        }
    }

    /// Erases `from..to` to `blank`.
    pub(crate) fn erase(&mut self, from: usize, to: usize, blank: Cell, cols: usize) {
        if from >= to {
            return;
        }
        self.split_wide(from, to);
        if to >= cols {
            self.wrapped = false;
        }
        if blank == Cell::BLANK {
            if to >= self.cells.len() {
                self.cells.truncate(from);
                return;
            }
        } else {
            self.pad_to(to, cols);
        }
        self.cells[from..to].fill(blank);
    }

    /// To be called before cells move: a pad has a meaning only in the last column.
    fn drop_pad(&mut self) {
        if let Some(last) = self.cells.last_mut().filter(|last| last.is_pad()) {
            *last = Cell::blank(last.look);
        }
    }

    /// Moves the cells of `col..right` to the right by `count`; blanks come in, the last fall out.
    pub(crate) fn insert(
        &mut self,
        col: usize,
        right: usize,
        count: usize,
        blank: Cell,
        cols: usize,
    ) {
        let count = count.min(right - col);
        self.drop_pad();
        self.split_wide(col, col);
        self.split_wide(right, right);
        if right >= cols {
            self.wrapped = false;
        }
        self.pad_to(right, cols);
        // A wide character whose left half falls on the last column is cut as well.
        self.split_wide(right - count, right - count);
        self.cells.copy_within(col..right - count, col + count);
        self.cells[col..col + count].fill(blank);
        self.trim();
    }

    /// Moves the cells of `col..right` to the left by `count`; blanks come in at the right.
    pub(crate) fn delete(
        &mut self,
        col: usize,
        right: usize,
        count: usize,
        blank: Cell,
        cols: usize,
    ) {
        let count = count.min(right - col);
        self.drop_pad();
        self.split_wide(col, col + count);
        self.split_wide(right, right);
        if right >= cols {
            self.wrapped = false;
        }
        self.pad_to(right, cols);
        self.cells.copy_within(col + count..right, col);
        self.cells[right - count..right].fill(blank);
        self.trim();
    }

    /// Copies `from..to` of another row over the same columns of this one.
    pub(crate) fn copy_columns(&mut self, other: &Row, from: usize, to: usize, cols: usize) {
        self.split_wide(from, to);
        self.pad_to(to, cols);
        self.time = self.time.max(other.time);
        for col in from..to {
            self.cells[col] = other.get(col).without_pad();
        }
        // Characters that straddle the edges of the copied part become blank.
        if self.cells[from].is_spacer() {
            self.cells[from] = Cell::blank(self.cells[from].look);
        }
        if self.cells[to - 1].is_wide() {
            self.cells[to - 1] = Cell::blank(self.cells[to - 1].look);
        }
        self.trim();
    }

    /// Cells `from..from + width`. Characters that reach beyond them become blank.
    pub(crate) fn part(&self, from: usize, width: usize) -> Vec<Cell> {
        let mut cells: Vec<Cell> = (from..from + width)
            .map(|col| self.get(col).without_pad())
            .collect();
        if let Some(first) = cells.first_mut().filter(|cell| cell.is_spacer()) {
            *first = Cell::blank(first.look);
        }
        if let Some(last) = cells.last_mut().filter(|cell| cell.is_wide()) {
            *last = Cell::blank(last.look);
        }
        cells
    }

    /// Writes cells as they are, from `col`.
    pub(crate) fn paste(&mut self, col: usize, cells: &[Cell], cols: usize) {
        let end = col + cells.len();
        self.split_wide(col, end);
        self.pad_to(end, cols);
        self.cells[col..end].copy_from_slice(cells);
        if end >= cols {
            self.wrapped = false;
        }
        self.trim();
    }

    /// Drops default blanks at the end, so that equal rows are stored equally.
    pub(crate) fn trim(&mut self) {
        while self.cells.last() == Some(&Cell::BLANK) {
            self.cells.pop();
        }
    }

    /// Fits the row to a width of `cols` without re-wrapping.
    pub(crate) fn refit(&mut self, cols: usize) {
        self.drop_pad();
        self.wrapped = false;
        if cols > 1
            && let Some(whole) = self.with_right_half()
        {
            *self = whole;
        }
        if self.cells.len() > cols {
            self.split_wide(cols, cols);
            self.cells.truncate(cols);
        }
    }

    /// Changes the look of every cell by `map`.
    pub(crate) fn for_each_mut(&mut self, mut change: impl FnMut(&mut Cell)) {
        self.cells.iter_mut().for_each(&mut change);
    }

    pub(crate) fn heap(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
    }
}
