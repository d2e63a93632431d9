//! The tree of cells of a layout: their sizes, and how they change.
//!
//! Cells are in a vector, parents before children, and refer to each other by index, because the cell of a pane is
//! followed towards the root as often as from it, which boxes would not allow.

use super::{Axis, BorderStatus};
use crate::PaneId;

/// The smallest number of rows and columns of a pane.
pub(super) const LEAST: u32 = 1;

/// Deeper nesting is refused, so that recursion needs little stack.
pub(super) const MAX_DEPTH: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pane(PaneId),
    /// Cells that are stacked or side by side.
    Node(Axis, Vec<usize>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) parent: Option<usize>,
    pub(super) kind: Kind,
    pub(super) row: u32,
    pub(super) col: u32,
    pub(super) rows: u32,
    pub(super) cols: u32,
}

impl Cell {
    pub(super) fn leaf(pane: PaneId, rows: u32, cols: u32) -> Self {
        Self {
            parent: None,
            kind: Kind::Pane(pane),
            row: 0,
            col: 0,
            rows,
            cols,
        }
    }

    pub(super) fn node(axis: Axis, rows: u32, cols: u32) -> Self {
        Self {
            kind: Kind::Node(axis, Vec::new()),
            ..Self::leaf(PaneId(0), rows, cols)
        }
    }

    pub(super) fn children(&self) -> &[usize] {
        match &self.kind {
            Kind::Pane(_) => &[],
            Kind::Node(_, children) => children,
        }
    }

    /// The direction of its children; `None` for a pane.
    pub(super) fn axis(&self) -> Option<Axis> {
        match self.kind {
            Kind::Pane(_) => None,
            Kind::Node(axis, _) => Some(axis),
        }
    }

    pub(super) fn extent(&self, axis: Axis) -> u32 {
        match axis {
            Axis::Rows => self.rows,
            Axis::Columns => self.cols,
        }
    }

    pub(super) fn extent_mut(&mut self, axis: Axis) -> &mut u32 {
        match axis {
            Axis::Rows => &mut self.rows,
            Axis::Columns => &mut self.cols,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    cells: Vec<Cell>,
    root: usize,
    pub(super) status: BorderStatus,
}

impl Tree {
    pub(super) fn new(root: Cell, status: BorderStatus) -> Self {
        Self {
            cells: vec![root],
            root: 0,
            status,
        }
    }

    pub(super) fn root(&self) -> usize {
        self.root
    }

    pub(super) fn cell(&self, at: usize) -> &Cell {
        &self.cells[at]
    }

    pub(super) fn cell_mut(&mut self, at: usize) -> &mut Cell {
        &mut self.cells[at]
    }

    /// Adds a cell as the last child of `parent`, which must be a node.
    pub(super) fn push(&mut self, parent: usize, cell: Cell) -> usize {
        let end = self.cell(parent).children().len();
        self.insert(parent, end, cell)
    }

    /// Adds a cell as the child of the node `parent` that will be at `position`.
    pub(super) fn insert(&mut self, parent: usize, position: usize, cell: Cell) -> usize {
        let new = self.cells.len();
        self.cells.push(Cell {
            parent: Some(parent),
            ..cell
        });
        if let Kind::Node(_, children) = &mut self.cells[parent].kind {
            children.insert(position.min(children.len()), new);
        }
        new
    }

    /// Replaces a cell by a new node that has the cell as its only child.
    pub(super) fn wrap(&mut self, at: usize, axis: Axis) -> usize {
        let new = self.cells.len();
        let old = &mut self.cells[at];
        let node = Cell {
            kind: Kind::Node(axis, vec![at]),
            ..old.clone()
        };
        let parent = old.parent.replace(new);
        self.cells.push(node);
        self.put_in_place_of(at, new, parent);
        new
    }

    fn put_in_place_of(&mut self, old: usize, new: usize, parent: Option<usize>) {
        self.cells[new].parent = parent;
        match parent {
            None => self.root = new,
            Some(parent) => {
                if let Kind::Node(_, children) = &mut self.cells[parent].kind
                    && let Some(child) = children.iter_mut().find(|child| **child == old)
                {
                    *child = new;
                }
            }
        }
    }

    /// The parent of a cell, and the cell's position in it.
    pub(super) fn position(&self, at: usize) -> Option<(usize, usize)> {
        let parent = self.cells[at].parent?;
        let children = self.cells[parent].children();
        Some((parent, children.iter().position(|child| *child == at)?))
    }

    pub(super) fn depth(&self, mut at: usize) -> usize {
        let mut depth = 0;
        while let Some(parent) = self.cells[at].parent {
            at = parent;
            depth += 1;
        }
        depth
    }

    pub(super) fn deepest(&self) -> usize {
        let leaves = self.leaves().into_iter();
        leaves.map(|(leaf, _)| self.depth(leaf)).max().unwrap_or(0)
    }

    pub(super) fn leaf_of(&self, pane: PaneId) -> Option<usize> {
        let wanted = Kind::Pane(pane);
        self.cells.iter().position(|cell| cell.kind == wanted)
    }

    /// The panes from the top left to the bottom right, with their cells.
    pub(super) fn leaves(&self) -> Vec<(usize, PaneId)> {
        let mut leaves = Vec::new();
        let mut todo = vec![self.root];
        while let Some(at) = todo.pop() {
            match &self.cells[at].kind {
                Kind::Pane(pane) => leaves.push((at, *pane)),
                Kind::Node(_, children) => todo.extend(children.iter().rev()),
            }
        }
        leaves
    }

    /// Computes all positions from the sizes, and sorts the cells so that equal trees are equal values.
    pub(super) fn settle(&mut self) {
        let mut cells: Vec<Cell> = Vec::with_capacity(self.cells.len());
        let mut todo = vec![(self.root, None::<usize>, 0, 0)];
        while let Some((at, parent, row, col)) = todo.pop() {
            let old = &self.cells[at];
            let new = cells.len();
            let kind = match &old.kind {
                Kind::Pane(pane) => Kind::Pane(*pane),
                Kind::Node(axis, children) => {
                    let first = todo.len();
                    let (mut row, mut col) = (row, col);
                    for child in children {
                        todo.push((*child, Some(new), row, col));
                        match axis {
                            Axis::Rows => row += self.cells[*child].rows + 1,
                            Axis::Columns => col += self.cells[*child].cols + 1,
                        }
                    }
                    todo[first..].reverse();
                    Kind::Node(*axis, Vec::with_capacity(children.len()))
                }
            };
            cells.push(Cell {
                parent,
                kind,
                row,
                col,
                ..*old
            });
            if let Some(parent) = parent
                && let Kind::Node(_, children) = &mut cells[parent].kind
            {
                children.push(new);
            }
        }
        self.cells = cells;
        self.root = 0;
    }

    /// Whether a cell loses a row to a title, as those at the edge of the window do, where there is no border for it.
    pub(super) fn gives_title_row(&self, mut at: usize) -> bool {
        if self.status == BorderStatus::Off {
            return false;
        }
        while let Some(parent) = self.cells[at].parent {
            if let Kind::Node(Axis::Rows, children) = &self.cells[parent].kind {
                let edge = match self.status {
                    BorderStatus::Bottom => children.last(),
                    _ => children.first(),
                };
                if edge != Some(&at) {
                    return false;
                }
            }
            at = parent;
        }
        true
    }

    /// By how much a cell can shrink.
    pub(super) fn spare(&self, at: usize, axis: Axis) -> u32 {
        let cell = &self.cells[at];
        match &cell.kind {
            Kind::Pane(_) => {
                let title = u32::from(axis == Axis::Rows && self.gives_title_row(at));
                cell.extent(axis).saturating_sub(LEAST + title)
            }
            Kind::Node(along, children) => {
                let spares = children.iter().map(|child| self.spare(*child, axis));
                if *along == axis {
                    spares.sum()
                } else {
                    spares.min().unwrap_or(0)
                }
            }
        }
    }

    /// Makes a cell larger or smaller. Its children along the axis change in turns, by one row or column each. The
    /// caller must have checked that the space can be spared.
    pub(super) fn adjust(&mut self, at: usize, axis: Axis, change: i64) {
        let extent = self.cells[at].extent_mut(axis);
        *extent = u32::try_from(i64::from(*extent) + change)
            .unwrap_or(LEAST)
            .max(LEAST);
        let Kind::Node(along, children) = &self.cells[at].kind else {
            return;
        };
        let children = children.clone();
        if *along != axis {
            for child in children {
                self.adjust(child, axis, change);
            }
            return;
        }
        let mut left = change;
        while left != 0 {
            let before = left;
            for child in &children {
                if left > 0 {
                    self.adjust(*child, axis, 1);
                    left -= 1;
                } else if left < 0 && self.spare(*child, axis) > 0 {
                    self.adjust(*child, axis, -1);
                    left += 1;
                }
            }
            if left == before {
                // No cell has a row or column to spare.
                break;
            }
        }
    }

    /// Removes a cell. Its space goes to the cell before it, or after it if it was the first. A node with a single
    /// child left is replaced by that child.
    ///
    /// `false` if the cell is the last one.
    pub(super) fn remove(&mut self, at: usize) -> bool {
        let Some((parent, position)) = self.position(at) else {
            return false;
        };
        let Kind::Node(axis, children) = &mut self.cells[parent].kind else {
            return false;
        };
        if children.len() == 1 {
            // A layout from text may have a node around a single cell.
            return self.remove(parent);
        }
        let axis = *axis;
        children.remove(position);
        let heir = children[position.saturating_sub(1)];
        let only = (children.len() == 1).then_some(heir);
        let room = self.cells[at].extent(axis) + 1;
        self.adjust(heir, axis, i64::from(room));
        if let Some(only) = only {
            let above = self.cells[parent].parent;
            self.put_in_place_of(parent, only, above);
        }
        true
    }

    /// Gives the children of a node equal sizes; the last one gets the rest. Returns whether anything changed.
    pub(super) fn spread(&mut self, parent: usize) -> bool {
        let Kind::Node(axis, children) = &self.cells[parent].kind else {
            return false;
        };
        let (axis, children) = (*axis, children.clone());
        let title = axis == Axis::Rows && self.gives_title_row(parent);
        let size = self.cells[parent].extent(axis) - u32::from(title);
        let Some(gaps) = u32::try_from(children.len() - 1).ok().filter(|n| *n > 0) else {
            return false;
        };
        let share = size.saturating_sub(gaps) / (gaps + 1);
        if share == 0 {
            return false;
        }
        let mut changes = Vec::with_capacity(children.len());
        for (index, child) in children.into_iter().enumerate() {
            let share = match index as u32 == gaps {
                true => size - (share + 1) * gaps,
                false => share,
            };
            let title = axis == Axis::Rows && self.gives_title_row(child);
            let wanted = i64::from(share) + i64::from(title);
            let change = wanted - i64::from(self.cells[child].extent(axis));
            // tmux 3.3a loops forever when it takes more than there is; here nothing changes.
            if -change > i64::from(self.spare(child, axis)) {
                return false;
            }
            changes.push((child, change));
        }
        let mut changed = false;
        for (child, change) in changes {
            self.adjust(child, axis, change);
            changed |= change != 0;
        }
        changed
    }
}
