//! How a window is divided into panes, exactly as in tmux.
//!
//! A layout is a tree of cells: a cell is a pane, or contains cells that are stacked ([`Axis::Rows`]) or side by side
//! ([`Axis::Columns`]), with a border of one row or column between two. In addition there is the order of the panes. It
//! mostly follows the tree, except for a pane joined with [`Layout::join`] across the whole window.
//!
//! The recording in `tests/recorded.txt` compares every rule with the real tmux.

mod border;
mod preset;
mod resize;
mod split;
mod text;
mod toward;
mod tree;

#[cfg(test)]
mod tests;

pub use border::{BorderCell, Lines};
pub use preset::{Preset, PresetOptions};
pub use split::{NoSpace, Side, Span, SplitOptions, SplitSize};
pub use text::{LayoutError, LayoutText};
pub use toward::{Direction, NamedPlace};

use crate::{PaneId, Rect, Size};
use tree::{Cell, Kind, Tree};

/// The direction in which cells are arranged, a split is made, or a size is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Stacked (`split-window -v`); the size is a number of rows.
    Rows,
    /// Side by side (`split-window -h`); the size is a number of columns.
    Columns,
}

/// Where the titles of panes are shown: the option `pane-border-status`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BorderStatus {
    /// Nowhere.
    #[default]
    Off,
    /// On the border above; panes at the top of the window lose their first row to it.
    Top,
    /// On the border below; panes at the bottom of the window lose their last row to it.
    Bottom,
}

/// The direction in which [`Layout::rotate`] moves the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// Each pane to the position before it (`rotate-window -U`).
    Up,
    /// Each pane to the position after it (`rotate-window -D`).
    Down,
}

/// The division of a window into panes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    tree: Tree,
    order: Vec<PaneId>,
}

impl Layout {
    /// One pane that fills the window.
    #[must_use]
    pub fn single(pane: PaneId, size: Size) -> Self {
        let root = Cell::leaf(pane, size.rows().into(), size.cols().into());
        Self {
            tree: Tree::new(root, BorderStatus::Off),
            order: vec![pane],
        }
    }

    /// A layout with only one of the panes, in a window of the same size. To zoom a pane, a caller uses this layout and
    /// keeps the other one.
    #[must_use]
    pub fn zoomed(&self, pane: PaneId) -> Self {
        let mut zoomed = Self::single(pane, self.size());
        zoomed.set_border_status(self.border_status());
        zoomed
    }

    /// The size of the window. It may be larger than requested, because each pane needs at least one cell.
    #[must_use]
    pub fn size(&self) -> Size {
        let root = self.tree.cell(self.tree.root());
        Size::new(narrow(root.rows), narrow(root.cols))
    }

    /// Where the titles of panes are shown.
    #[must_use]
    pub fn border_status(&self) -> BorderStatus {
        self.tree.status
    }

    /// Sets where the titles of panes are shown.
    pub fn set_border_status(&mut self, status: BorderStatus) {
        self.tree.status = status;
    }

    /// The panes in their order.
    #[must_use]
    pub fn panes(&self) -> &[PaneId] {
        &self.order
    }

    #[must_use]
    pub fn contains(&self, pane: PaneId) -> bool {
        self.order.contains(&pane)
    }

    /// A pane's position in [`Layout::panes`].
    #[must_use]
    pub fn index_of(&self, pane: PaneId) -> Option<usize> {
        self.order.iter().position(|other| *other == pane)
    }

    /// The position of a pane's screen in the window, without the row of its title.
    #[must_use]
    pub fn place_of(&self, pane: PaneId) -> Option<Rect> {
        self.tree.leaf_of(pane).map(|at| self.rect(at))
    }

    /// All panes in their order, and their positions.
    #[must_use]
    pub fn places(&self) -> Vec<(PaneId, Rect)> {
        let place = |pane: &PaneId| Some((*pane, self.place_of(*pane)?));
        self.order.iter().filter_map(place).collect()
    }

    fn rect(&self, at: usize) -> Rect {
        let rect = self.rect_under_title(at);
        // A pane of one row keeps it and has no title.
        match rect.rows {
            0 => Rect {
                row: narrow(self.tree.cell(at).row),
                rows: 1,
                ..rect
            },
            _ => rect,
        }
    }

    /// The part of a cell without the row of the title; may be empty.
    fn rect_under_title(&self, at: usize) -> Rect {
        let cell = self.tree.cell(at);
        let title = u16::from(self.tree.gives_title_row(at));
        Rect {
            row: narrow(cell.row)
                + match self.tree.status {
                    BorderStatus::Top => title,
                    BorderStatus::Off | BorderStatus::Bottom => 0,
                },
            col: narrow(cell.col),
            rows: narrow(cell.rows) - title,
            cols: narrow(cell.cols),
        }
    }

    /// Removes a pane and gives its space to a neighbour. `false`, without a change, if it is the only pane or not in
    /// this layout.
    pub fn remove(&mut self, pane: PaneId) -> bool {
        let Some(at) = self.tree.leaf_of(pane) else {
            return false;
        };
        if !self.tree.remove(at) {
            return false;
        }
        self.order.retain(|other| *other != pane);
        self.tree.settle();
        true
    }

    /// Replaces a pane by one that is not in this layout.
    pub fn replace(&mut self, old: PaneId, new: PaneId) {
        if let Some(at) = self.tree.leaf_of(old) {
            self.tree.cell_mut(at).kind = Kind::Pane(new);
        }
        for pane in self.order.iter_mut().filter(|pane| **pane == old) {
            *pane = new;
        }
    }

    /// Exchanges two panes.
    pub fn swap(&mut self, a: PaneId, b: PaneId) {
        let (Some(at_a), Some(at_b)) = (self.tree.leaf_of(a), self.tree.leaf_of(b)) else {
            return;
        };
        self.tree.cell_mut(at_a).kind = Kind::Pane(b);
        self.tree.cell_mut(at_b).kind = Kind::Pane(a);
        for pane in &mut self.order {
            match *pane {
                pane_a if pane_a == a => *pane = b,
                pane_b if pane_b == b => *pane = a,
                _ => {}
            }
        }
    }

    /// Moves every pane to the next position, and the one at the end to the other end. As in tmux, the position stays
    /// active and not the pane: afterwards the active pane is the one with the same index.
    pub fn rotate(&mut self, rotation: Rotation) {
        let old = self.order.clone();
        match rotation {
            Rotation::Up => self.order.rotate_left(1),
            Rotation::Down => self.order.rotate_right(1),
        }
        let cells: Vec<_> = old.iter().map(|pane| self.tree.leaf_of(*pane)).collect();
        for (at, pane) in cells.into_iter().zip(&self.order) {
            if let Some(at) = at {
                self.tree.cell_mut(at).kind = Kind::Pane(*pane);
            }
        }
    }
}

/// Sizes come from a [`Size`] and are far below the limit.
fn narrow(n: u32) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
