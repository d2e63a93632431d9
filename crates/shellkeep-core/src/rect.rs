//! A part of a screen.

use crate::Size;

/// A part of a screen or a window. It may be empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    pub row: u16,
    pub col: u16,
    pub rows: u16,
    pub cols: u16,
}

impl Rect {
    /// The whole of a screen of this size.
    #[must_use]
    pub fn whole(size: Size) -> Self {
        Self {
            row: 0,
            col: 0,
            rows: size.rows(),
            cols: size.cols(),
        }
    }

    /// The part that both have in common; empty if there is none.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let row = self.row.max(other.row);
        let col = self.col.max(other.col);
        Self {
            row,
            col,
            rows: self.bottom().min(other.bottom()).saturating_sub(row),
            cols: self.right().min(other.right()).saturating_sub(col),
        }
    }

    /// The row after the last.
    #[must_use]
    pub fn bottom(self) -> u16 {
        self.row.saturating_add(self.rows)
    }

    /// The column after the last.
    #[must_use]
    pub fn right(self) -> u16 {
        self.col.saturating_add(self.cols)
    }

    #[must_use]
    pub fn contains(self, row: u16, col: u16) -> bool {
        (self.row..self.bottom()).contains(&row) && (self.col..self.right()).contains(&col)
    }

    /// Its rows and columns, at least one of each, as in every [`Size`].
    #[must_use]
    pub fn size(self) -> Size {
        Size::new(self.rows, self.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intersection_of_parts() {
        let a = Rect {
            row: 2,
            col: 3,
            rows: 10,
            cols: u16::MAX,
        };
        let whole = Rect::whole(Size::new(5, 10));
        let both = Rect {
            row: 2,
            col: 3,
            rows: 3,
            cols: 7,
        };
        assert_eq!(a.intersection(whole), both);
        let beside = Rect { row: 9, ..a };
        assert_eq!(beside.intersection(whole).rows, 0);
    }

    #[test]
    fn contains_ends_before_the_far_edges() {
        let rect = Rect {
            row: 1,
            col: 2,
            rows: 1,
            cols: 2,
        };
        assert!(rect.contains(1, 2) && rect.contains(1, 3));
        assert!(!rect.contains(1, 4) && !rect.contains(2, 2) && !rect.contains(0, 2));
    }
}
