//! Finds panes by their positions.

use super::{BorderStatus, Layout};
use crate::{PaneId, Rect};

/// A direction from a pane, or in which its border moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// A position in the window that a target can name, such as `{top-left}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedPlace {
    /// The middle of the top.
    Top,
    /// The middle of the bottom.
    Bottom,
    /// The middle of the left side.
    Left,
    /// The middle of the right side.
    Right,
    TopLeft,
    TopRight,
    BottomLeft,
    BottomRight,
}

impl Layout {
    /// The adjacent pane in a direction, wrapping around at the edge of the window. Of several, the most recently used
    /// one; `last_used` returns larger numbers for later use.
    #[must_use]
    pub fn neighbour(
        &self,
        pane: PaneId,
        direction: Direction,
        last_used: impl Fn(PaneId) -> u64,
    ) -> Option<PaneId> {
        // As in tmux, a pane of one row counts as being where it would be if its title had taken that row.
        let place = |pane| Some(self.rect_under_title(self.tree.leaf_of(pane)?));
        let from = place(pane)?;
        let edge = self.edge_of(from, direction);
        let mut best = None;
        for other in self.panes().iter().copied() {
            let Some(place) = place(other) else {
                continue;
            };
            if other == pane || !touches(place, direction, edge) || !faces(from, place, direction) {
                continue;
            }
            let used = last_used(other);
            if best.is_none_or(|(_, most)| used > most) {
                best = Some((other, used));
            }
        }
        best.map(|(pane, _)| pane)
    }

    /// Where a neighbour has to begin or, to the left and above, where it has to end with its border.
    fn edge_of(&self, from: Rect, direction: Direction) -> u32 {
        let size = self.size();
        let (rows, cols) = (u32::from(size.rows()), u32::from(size.cols()));
        let status = self.border_status();
        // Titles take a row at one end of the window, where no pane can begin or end.
        let top = u32::from(status == BorderStatus::Top);
        let bottom = u32::from(status == BorderStatus::Bottom);
        let wrap = |edge: u32, at: bool, to: u32| if at { to } else { edge };
        match direction {
            Direction::Up => {
                let edge = u32::from(from.row);
                wrap(edge, edge == top, rows + 1 - bottom)
            }
            Direction::Down => {
                let edge = u32::from(from.bottom()) + 1;
                wrap(edge, edge >= rows - bottom, top)
            }
            Direction::Left => {
                let edge = u32::from(from.col);
                wrap(edge, edge == 0, cols + 1)
            }
            Direction::Right => {
                let edge = u32::from(from.right()) + 1;
                wrap(edge, edge >= cols, 0)
            }
        }
    }

    /// The pane whose screen contains this position.
    #[must_use]
    pub fn pane_at(&self, row: u16, col: u16) -> Option<PaneId> {
        let places = self.places();
        let found = places.iter().find(|(_, place)| place.contains(row, col));
        found.map(|(pane, _)| *pane)
    }

    /// The pane that contains this position, including its border to the right and below.
    #[must_use]
    pub fn pane_near(&self, row: u16, col: u16) -> Option<PaneId> {
        let near = |(pane, place): (PaneId, Rect)| {
            let rows = place.row..=place.bottom();
            let cols = place.col..=place.right();
            (rows.contains(&row) && cols.contains(&col)).then_some(pane)
        };
        self.places().into_iter().find_map(near)
    }

    #[must_use]
    pub fn pane_in(&self, place: NamedPlace) -> Option<PaneId> {
        let size = self.size();
        let status = self.border_status();
        let top = u16::from(status == BorderStatus::Top);
        let bottom = (size.rows() - 1).saturating_sub(u16::from(status == BorderStatus::Bottom));
        let (middle, center) = (size.rows() / 2, size.cols() / 2);
        let right = size.cols() - 1;
        let (row, col) = match place {
            NamedPlace::Top => (top, center),
            NamedPlace::Bottom => (bottom, center),
            NamedPlace::Left => (middle, 0),
            NamedPlace::Right => (middle, right),
            NamedPlace::TopLeft => (top, 0),
            NamedPlace::TopRight => (top, right),
            NamedPlace::BottomLeft => (bottom, 0),
            NamedPlace::BottomRight => (bottom, right),
        };
        self.pane_near(row, col)
    }
}

fn touches(place: Rect, direction: Direction, edge: u32) -> bool {
    edge == match direction {
        Direction::Up => u32::from(place.bottom()) + 1,
        Direction::Down => u32::from(place.row),
        Direction::Left => u32::from(place.right()) + 1,
        Direction::Right => u32::from(place.col),
    }
}

/// Whether two panes overlap in this direction. As in tmux, the far end counts one cell more: a pane that begins just
/// behind the border is a neighbour too.
fn faces(from: Rect, other: Rect, direction: Direction) -> bool {
    let ((first, end), (other_first, other_end)) = match direction {
        Direction::Up | Direction::Down => ((from.col, from.right()), (other.col, other.right())),
        Direction::Left | Direction::Right => {
            ((from.row, from.bottom()), (other.row, other.bottom()))
        }
    };
    let other_last = other_end.saturating_sub(1);
    (other_first < first && other_last > end)
        || (first..=end).contains(&other_first)
        || (first..=end).contains(&other_last)
}
