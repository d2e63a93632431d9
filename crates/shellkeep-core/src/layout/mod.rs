//! How a window is divided into panes, exactly as tmux divides it.
//!
//! A layout is a tree of cells: a cell is a pane, or holds cells that lie below each other
//! ([`Axis::Rows`]) or beside each other ([`Axis::Columns`]), with a border of one row or column between
//! any two. Besides the tree there is the order in which the panes are counted. It mostly follows
//! the tree; a pane joined with [`Layout::join`] across the whole window is where they differ.
//!
//! The recording in `tests/recorded.txt` holds every rule here against what tmux really does.

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

/// Which way cells lie, a split goes, or a size counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Below each other (`split-window -v`); the size is a number of rows.
    Rows,
    /// Beside each other (`split-window -h`); the size is a number of columns.
    Columns,
}

/// Where panes have their titles: the option `pane-border-status`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BorderStatus {
    /// Nowhere.
    #[default]
    Off,
    /// On the border above; panes at the window's top give their first row for it.
    Top,
    /// On the border below; panes at the window's bottom give their last row for it.
    Bottom,
}

/// Which way [`Layout::rotate`] moves the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// Each to the place before it (`rotate-window -U`).
    Up,
    /// Each to the place after it (`rotate-window -D`).
    Down,
}

/// A window's division into panes.
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

    /// The layout that shows one of the panes alone, in a window of the same size. A caller that zooms a
    /// pane shows this one and keeps the other for later.
    #[must_use]
    pub fn zoomed(&self, pane: PaneId) -> Self {
        let mut zoomed = Self::single(pane, self.size());
        zoomed.set_border_status(self.border_status());
        zoomed
    }

    /// The size of the window. Panes cannot get smaller than one cell, so it may be larger than the
    /// size asked for.
    #[must_use]
    pub fn size(&self) -> Size {
        let root = self.tree.cell(self.tree.root());
        Size::new(narrow(root.rows), narrow(root.cols))
    }

    /// Where the panes have their titles.
    #[must_use]
    pub fn border_status(&self) -> BorderStatus {
        self.tree.status
    }

    /// Says where the panes have their titles.
    pub fn set_border_status(&mut self, status: BorderStatus) {
        self.tree.status = status;
    }

    /// The panes in the order in which they are counted.
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

    /// Where a pane's screen is in the window, the row given to its title not counted.
    #[must_use]
    pub fn place_of(&self, pane: PaneId) -> Option<Rect> {
        self.tree.leaf_of(pane).map(|at| self.rect(at))
    }

    /// All panes and where they are, in the order in which they are counted.
    #[must_use]
    pub fn places(&self) -> Vec<(PaneId, Rect)> {
        let place = |pane: &PaneId| Some((*pane, self.place_of(*pane)?));
        self.order.iter().filter_map(place).collect()
    }

    fn rect(&self, at: usize) -> Rect {
        let rect = self.rect_under_title(at);
        // A pane of a single row keeps it: better no title than no pane.
        match rect.rows {
            0 => Rect {
                row: narrow(self.tree.cell(at).row),
                rows: 1,
                ..rect
            },
            _ => rect,
        }
    }

    /// What the row of the title leaves of a cell, even if that is nothing.
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

    /// Takes a pane out and gives its room to a neighbour. `false` where it is the only one or not here;
    /// nothing has changed then.
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

    /// Puts a pane from elsewhere in the place of one that is here.
    pub fn replace(&mut self, old: PaneId, new: PaneId) {
        if let Some(at) = self.tree.leaf_of(old) {
            self.tree.cell_mut(at).kind = Kind::Pane(new);
        }
        for pane in self.order.iter_mut().filter(|pane| **pane == old) {
            *pane = new;
        }
    }

    /// Lets two panes change places.
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

    /// Moves every pane to the next place, and the one at the end to the other end. In tmux the place
    /// stays active, not the pane: the active pane is afterwards the one with the same index.
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
