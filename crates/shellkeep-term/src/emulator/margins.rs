//! The screen's size and margins: where text can go, and how programs number rows and columns.

use shellkeep_core::Size;

use super::cursor::CursorPosition;
use crate::grid::Area;
use crate::parser::Csi;

/// Size, scroll region, side margins and origin mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Margins {
    pub(crate) size: Size,
    /// The scroll region, and the side margins even while they are not in effect.
    pub(crate) area: Area,
    /// DECLRMM: the side margins are in effect.
    pub(crate) has_sides: bool,
    /// DECOM: programs number rows and columns from the margins.
    pub(crate) origin: bool,
}

impl Margins {
    pub(crate) fn new(size: Size) -> Self {
        Self {
            size,
            area: full(size),
            has_sides: false,
            origin: false,
        }
    }

    pub(crate) fn reset(&mut self) {
        self.area = full(self.size);
    }

    pub(crate) fn last_row(&self) -> u16 {
        self.size.rows() - 1
    }

    pub(crate) fn last_col(&self) -> u16 {
        self.size.cols() - 1
    }

    pub(crate) fn cols(&self) -> usize {
        usize::from(self.size.cols())
    }

    /// The left margin if the side margins are in effect, else the first column.
    pub(crate) fn left(&self) -> u16 {
        if self.has_sides { self.area.left } else { 0 }
    }

    /// The right margin if the side margins are in effect, else the last column.
    pub(crate) fn right(&self) -> u16 {
        if self.has_sides {
            self.area.right
        } else {
            self.last_col()
        }
    }

    /// The last column that text can reach from a column.
    #[inline]
    pub(crate) fn limit(&self, col: u16) -> u16 {
        let right = self.right();
        if col > right { self.last_col() } else { right }
    }

    /// Whether the side margins are those of the screen.
    pub(crate) fn is_full_width(&self) -> bool {
        self.left() == 0 && self.right() == self.last_col()
    }

    /// Whether a column is between the side margins.
    pub(crate) fn has_column(&self, col: u16) -> bool {
        (self.left()..=self.right()).contains(&col)
    }

    /// Whether a cell is inside the scroll region and the side margins.
    pub(crate) fn contains(&self, at: CursorPosition) -> bool {
        self.has_column(at.col) && (self.area.top..=self.area.bottom).contains(&at.row)
    }

    /// The scroll region, with the side margins that are in effect.
    pub(crate) fn region(&self) -> Area {
        Area {
            left: self.left(),
            right: self.right(),
            ..self.area
        }
    }

    /// DECSTBM. Returns whether the margins were valid.
    pub(crate) fn set_rows(&mut self, top: u16, bottom: u16) -> bool {
        let rows = self.size.rows();
        let top = top.max(1);
        let bottom = if bottom == 0 { rows } else { bottom.min(rows) };
        if top < bottom {
            (self.area.top, self.area.bottom) = (top - 1, bottom - 1);
        }
        top < bottom
    }

    /// DECSLRM. Returns whether the margins were valid.
    pub(crate) fn set_sides(&mut self, left: u16, right: u16) -> bool {
        let cols = self.size.cols();
        let left = left.max(1);
        let right = if right == 0 { cols } else { right.min(cols) };
        if left < right {
            (self.area.left, self.area.right) = (left - 1, right - 1);
        }
        left < right
    }

    /// The screen row of a program's row `n`: from 1, and from the top margin in origin mode.
    pub(crate) fn program_row(&self, n: u16) -> u16 {
        let row = n.max(1) - 1;
        if self.origin {
            row.saturating_add(self.area.top).min(self.area.bottom)
        } else {
            row.min(self.last_row())
        }
    }

    /// The screen column of a program's column `n`.
    pub(crate) fn program_col(&self, n: u16) -> u16 {
        let col = n.max(1) - 1;
        if self.origin {
            col.saturating_add(self.left()).min(self.right())
        } else {
            col.min(self.last_col())
        }
    }

    /// The row and column of a cell as programs number them.
    pub(crate) fn reported(&self, at: CursorPosition) -> (u16, u16) {
        let (mut row, mut col) = (at.row, at.col);
        if self.origin {
            row = row.saturating_sub(self.area.top);
            col = col.saturating_sub(self.left());
        }
        (row + 1, col + 1)
    }

    /// The rectangle whose four sides begin at parameter `at`; `None` if it is empty.
    pub(crate) fn rectangle(&self, csi: &Csi, at: usize) -> Option<Area> {
        let (last_row, last_col) = if self.origin {
            (self.area.bottom, self.right())
        } else {
            (self.last_row(), self.last_col())
        };
        let end = |n: u16, given: u16, last: u16| if n == 0 { last } else { given };
        let area = Area {
            top: self.program_row(csi.raw(at)),
            left: self.program_col(csi.raw(at + 1)),
            bottom: end(csi.raw(at + 2), self.program_row(csi.raw(at + 2)), last_row),
            right: end(csi.raw(at + 3), self.program_col(csi.raw(at + 3)), last_col),
        };
        (area.top <= area.bottom && area.left <= area.right).then_some(area)
    }
}

/// Margins at the edges of the screen.
fn full(size: Size) -> Area {
    Area {
        top: 0,
        left: 0,
        bottom: size.rows() - 1,
        right: size.cols() - 1,
    }
}
