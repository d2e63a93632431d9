//! The borders between panes, cell by cell.

use bitflags::bitflags;

use super::{BorderStatus, Layout};
use crate::{PaneId, Rect};

bitflags! {
    /// In which directions the line in a border cell continues.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Lines: u8 {
        const UP = 1 << 0;
        const DOWN = 1 << 1;
        const LEFT = 1 << 2;
        const RIGHT = 1 << 3;
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BorderCell {
    pub row: u16,
    pub col: u16,
    /// The lines to draw.
    pub lines: Lines,
    /// The panes that touch it, including at corners, in the order of panes.
    pub panes: Vec<PaneId>,
}

impl Layout {
    #[must_use]
    pub fn borders(&self) -> Vec<BorderCell> {
        let size = self.size();
        let (rows, cols) = (usize::from(size.rows()), usize::from(size.cols()));
        let places = self.places();
        // A flag for each cell of the window and of a frame around it, which counts as border.
        let width = cols + 2;
        let mut is_border = vec![true; (rows + 2) * width];
        for (_, place) in &places {
            for row in place.row..place.bottom() {
                let start = (usize::from(row) + 1) * width + usize::from(place.col) + 1;
                let end = start + usize::from(place.cols);
                if let Some(cells) = is_border.get_mut(start..end) {
                    cells.fill(false);
                }
            }
        }
        // A row of titles at the edge of the window ends there.
        match self.border_status() {
            BorderStatus::Off => {}
            BorderStatus::Top => is_border[..width].fill(false),
            BorderStatus::Bottom => is_border[(rows + 1) * width..].fill(false),
        }
        let mut borders = Vec::new();
        for row in 0..size.rows() {
            for col in 0..size.cols() {
                let at = (usize::from(row) + 1) * width + usize::from(col) + 1;
                if !is_border[at] {
                    continue;
                }
                let mut lines = Lines::empty();
                lines.set(Lines::UP, is_border[at - width]);
                lines.set(Lines::DOWN, is_border[at + width]);
                lines.set(Lines::LEFT, is_border[at - 1]);
                lines.set(Lines::RIGHT, is_border[at + 1]);
                let touching = places
                    .iter()
                    .filter(|(_, place)| self.is_border_of(*place, row, col));
                borders.push(BorderCell {
                    row,
                    col,
                    lines,
                    panes: touching.map(|(pane, _)| *pane).collect(),
                });
            }
        }
        borders
    }

    /// Whether a border cell belongs to the border of the pane in `place`. If titles are shown, a horizontal border
    /// belongs to the pane with its title on it.
    #[must_use]
    pub fn is_border_of(&self, place: Rect, row: u16, col: u16) -> bool {
        let above = place.row.checked_sub(1);
        let left = place.col.checked_sub(1);
        let in_rows = (above.unwrap_or(0)..=place.bottom()).contains(&row);
        let in_cols = (left.unwrap_or(0)..=place.right()).contains(&col);
        if place.contains(row, col) || !in_rows || !in_cols {
            return false;
        }
        let status = self.border_status();
        Some(col) == left
            || col == place.right()
            || (Some(row) == above && status != BorderStatus::Bottom)
            || (row == place.bottom() && status != BorderStatus::Top)
    }
}
