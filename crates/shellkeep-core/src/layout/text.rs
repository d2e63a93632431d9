//! Layouts as text: `b25d,80x24,0,0,0`, a checksum and then the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fmt::Write as _;

use super::tree::{Cell, Kind, MAX_DEPTH, Tree};
use super::{Axis, BorderStatus, Layout};
use crate::{PaneId, Size};

/// The most cells in a text from a user. Closing surplus cells takes time in the square of their number.
const MAX_CELLS: usize = 10_000;

/// The number of a cell without a number in its text.
const NO_PANE: PaneId = PaneId(u32::MAX);

/// A parsed layout. Its cells have the numbers of the panes that were in them when the text was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutText {
    tree: Tree,
    panes: usize,
}

impl LayoutText {
    /// The number of panes that it has room for.
    #[must_use]
    pub fn panes(&self) -> usize {
        self.panes
    }
}

/// Why a layout cannot be used, in tmux's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// Not a layout, or a wrong checksum.
    Invalid,
    /// The window has more panes than the layout.
    TooFew {
        /// Panes in the window.
        have: usize,
        /// Panes in the layout.
        need: usize,
    },
    /// The sizes in it are inconsistent.
    SizeMismatch,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid => f.write_str("invalid layout"),
            Self::TooFew { have, need } => write!(f, "have {have} panes but need {need}"),
            Self::SizeMismatch => f.write_str("size mismatch after applying layout"),
        }
    }
}

impl std::error::Error for LayoutError {}

fn checksum(text: &str) -> u16 {
    text.bytes().fold(0u16, |sum, byte| {
        sum.rotate_right(1).wrapping_add(u16::from(byte))
    })
}

impl Layout {
    /// The layout in tmux's format.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.tree.write(self.tree.root(), &mut text);
        format!("{:04x},{text}", checksum(&text))
    }

    /// Parses a layout.
    ///
    /// # Errors
    /// When the text is not a layout.
    pub fn parse(text: &str) -> Result<LayoutText, LayoutError> {
        Self::parse_up_to(text, MAX_CELLS)
    }

    fn parse_up_to(text: &str, max_cells: usize) -> Result<LayoutText, LayoutError> {
        let (sum, rest) = text.split_once(',').ok_or(LayoutError::Invalid)?;
        let right = sum.len() == 4 && u16::from_str_radix(sum, 16) == Ok(checksum(rest));
        if !right {
            return Err(LayoutError::Invalid);
        }
        LayoutReader::new(rest, max_cells)
            .read()
            .ok_or(LayoutError::Invalid)
    }

    /// Restores a layout from the text of [`Layout::to_text`]: every pane gets the cell that has its number in the
    /// text. `panes` are in order, each with that number. Cells of other panes are closed.
    ///
    /// The second value has the panes without a cell in the text.
    ///
    /// # Errors
    /// When the text is not a layout, has no cell for any of the panes, or its sizes are inconsistent.
    pub fn restore(
        text: &str,
        panes: &[(u32, PaneId)],
    ) -> Result<(Self, Vec<PaneId>), LayoutError> {
        let LayoutText { mut tree, .. } = Self::parse_up_to(text, usize::MAX)?;
        tree.mend_root();
        // A window that grew for its panes may be larger than any terminal.
        if !tree.adds_up(tree.root(), u32::from(u16::MAX)) {
            return Err(LayoutError::SizeMismatch);
        }
        let mut wanted: BTreeMap<u32, PaneId> = panes.iter().copied().collect();
        let mut placed = BTreeSet::new();
        let mut closed = Vec::new();
        for (leaf, number) in tree.leaves() {
            // Removed, so that a number that occurs twice does not put a pane into two cells.
            match wanted.remove(&number.0) {
                Some(pane) => {
                    tree.cell_mut(leaf).kind = Kind::Pane(pane);
                    placed.insert(pane);
                }
                None => closed.push(leaf),
            }
        }
        if placed.is_empty() {
            return Err(LayoutError::Invalid);
        }
        for leaf in closed {
            tree.remove(leaf);
        }
        tree.settle();
        let all = panes.iter().map(|(_, pane)| *pane);
        let (order, left) = all.partition(|pane| placed.remove(pane));
        Ok((Self { tree, order }, left))
    }

    /// Arranges the panes, in their order, as in the text. Surplus cells are closed, starting at the bottom right. The
    /// window gets the layout's size; the caller may resize it afterwards.
    ///
    /// # Errors
    /// When the layout has too few cells or its sizes are inconsistent. Nothing is changed then.
    pub fn apply_text(&mut self, text: &LayoutText) -> Result<(), LayoutError> {
        let have = self.order.len();
        if have > text.panes {
            return Err(LayoutError::TooFew {
                have,
                need: text.panes,
            });
        }
        let mut tree = text.tree.clone();
        for _ in have..text.panes {
            if let Some((last, _)) = tree.leaves().last() {
                tree.remove(*last);
            }
        }
        tree.settle();
        tree.mend_root();
        if !tree.adds_up(tree.root(), u32::from(Size::MAX)) {
            return Err(LayoutError::SizeMismatch);
        }
        tree.status = self.tree.status;
        for ((leaf, _), pane) in tree.leaves().into_iter().zip(&self.order) {
            tree.cell_mut(leaf).kind = Kind::Pane(*pane);
        }
        tree.settle();
        self.tree = tree;
        Ok(())
    }
}

impl Tree {
    fn write(&self, at: usize, text: &mut String) {
        let cell = self.cell(at);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{}x{},{},{}",
            cell.cols, cell.rows, cell.col, cell.row
        );
        match &cell.kind {
            Kind::Pane(pane) => {
                let _ = write!(text, ",{}", pane.0);
            }
            Kind::Node(axis, children) => {
                let (open, close) = match axis {
                    Axis::Rows => ('[', ']'),
                    Axis::Columns => ('{', '}'),
                };
                let mut before = open;
                for child in children {
                    text.push(before);
                    self.write(*child, text);
                    before = ',';
                }
                text.push(close);
            }
        }
    }

    /// Sets the size of the root to that of its children: old versions of tmux wrote a wrong one.
    fn mend_root(&mut self) {
        let root = self.cell(self.root());
        let Some(axis) = root.axis() else {
            return;
        };
        let (mut rows, mut cols) = (0, 0);
        for child in root.children() {
            let child = self.cell(*child);
            match axis {
                Axis::Rows => (rows, cols) = (rows + child.rows + 1, child.cols),
                Axis::Columns => (rows, cols) = (child.rows, cols + child.cols + 1),
            }
        }
        let root = self.cell_mut(self.root());
        (root.rows, root.cols) = (rows, cols);
        *root.extent_mut(axis) -= 1;
    }

    /// Whether all cells are filled by their children, and no size is above `limit`.
    fn adds_up(&self, at: usize, limit: u32) -> bool {
        let cell = self.cell(at);
        if cell.rows > limit || cell.cols > limit {
            return false;
        }
        let Some(axis) = cell.axis() else {
            return cell.rows > 0 && cell.cols > 0;
        };
        let mut used = 0;
        for child in cell.children() {
            let inner = self.cell(*child);
            let as_wide = match axis {
                Axis::Rows => inner.cols == cell.cols,
                Axis::Columns => inner.rows == cell.rows,
            };
            if !as_wide || !self.adds_up(*child, limit) {
                return false;
            }
            used += inner.extent(axis) + 1;
        }
        used == cell.extent(axis) + 1
    }
}

struct LayoutReader<'t> {
    rest: &'t str,
    max_cells: usize,
    cells: usize,
    panes: usize,
}

impl<'t> LayoutReader<'t> {
    fn new(rest: &'t str, max_cells: usize) -> Self {
        Self {
            rest,
            max_cells,
            cells: 0,
            panes: 0,
        }
    }

    fn read(mut self) -> Option<LayoutText> {
        let root = self.cell()?;
        let mut tree = Tree::new(root, BorderStatus::Off);
        let root = tree.root();
        self.children(&mut tree, root, 0)?;
        self.rest.is_empty().then_some(LayoutText {
            tree,
            panes: self.panes,
        })
    }

    /// The size and position of a cell, and its pane's number.
    fn cell(&mut self) -> Option<Cell> {
        self.cells += 1;
        if self.cells > self.max_cells {
            return None;
        }
        let cols = self.number()?;
        self.rest = self.rest.strip_prefix('x')?;
        let rows = self.number()?;
        self.rest = self.rest.strip_prefix(',')?;
        self.number()?;
        self.rest = self.rest.strip_prefix(',')?;
        self.number()?;
        let mut pane = NO_PANE;
        if let Some(after) = self.rest.strip_prefix(',') {
            // The pane follows, or the next of the cells around this one.
            let end = after.find(|c: char| !c.is_ascii_digit());
            let (digits, after) = after.split_at(end.unwrap_or(after.len()));
            if !after.starts_with('x') {
                self.rest = after;
                pane = digits.parse().map_or(NO_PANE, PaneId);
            }
        }
        Some(Cell::leaf(pane, rows, cols))
    }

    fn children(&mut self, tree: &mut Tree, at: usize, depth: usize) -> Option<()> {
        let (axis, close) = match self.rest.chars().next() {
            Some('[') => (Axis::Rows, ']'),
            Some('{') => (Axis::Columns, '}'),
            _ => {
                self.panes += 1;
                return Some(());
            }
        };
        if depth >= MAX_DEPTH {
            return None;
        }
        tree.cell_mut(at).kind = Kind::Node(axis, Vec::new());
        loop {
            self.rest = &self.rest[1..];
            let cell = self.cell()?;
            let child = tree.push(at, cell);
            self.children(tree, child, depth + 1)?;
            if !self.rest.starts_with(',') {
                break;
            }
        }
        self.rest = self.rest.strip_prefix(close)?;
        Some(())
    }

    fn number(&mut self) -> Option<u32> {
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        // Far above any size, and far below what could overflow in sums.
        digits.parse().ok().filter(|n| *n <= 100_000)
    }
}
