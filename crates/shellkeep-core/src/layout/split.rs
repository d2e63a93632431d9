//! Makes space for a new pane.

use std::fmt;

use super::tree::{Cell, LEAST, MAX_DEPTH, Tree};
use super::{Axis, Layout};
use crate::PaneId;

/// A size as it is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SplitSize {
    /// Rows or columns.
    Cells(u32),
    Percent(u32),
}

impl SplitSize {
    /// The rows or columns, out of `whole`.
    #[must_use]
    pub fn of(self, whole: u32) -> u32 {
        match self {
            Self::Cells(cells) => cells,
            Self::Percent(percent) => {
                let cells = u64::from(whole) * u64::from(percent) / 100;
                u32::try_from(cells).unwrap_or(u32::MAX)
            }
        }
    }
}

/// The side of the existing cell on which a new pane is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// Above or left.
    Before,
    /// Below or right.
    #[default]
    After,
}

/// What a split divides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Span {
    #[default]
    Pane,
    /// The whole window (`split-window -f`).
    FullWindow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitOptions {
    /// Whether the new pane is stacked or beside.
    pub direction: Axis,
    /// Its size; `None` for half.
    pub size: Option<SplitSize>,
    pub side: Side,
    /// What is divided.
    pub span: Span,
}

impl SplitOptions {
    /// Half of the pane, with the new one after the old one.
    #[must_use]
    pub fn new(direction: Axis) -> Self {
        Self {
            direction,
            size: None,
            side: Side::After,
            span: Span::Pane,
        }
    }
}

/// There is no space for another pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSpace;

impl fmt::Display for NoSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no space for new pane")
    }
}

impl std::error::Error for NoSpace {}

impl Layout {
    /// Splits off space for a new pane. If it spans the whole window, it becomes the first or the last in the order of
    /// panes.
    ///
    /// # Errors
    /// When one of the two would be smaller than one cell. Nothing is changed then.
    pub fn split(&mut self, at: PaneId, new: PaneId, options: SplitOptions) -> Result<(), NoSpace> {
        let index = self.make_room(at, new, options, options.span)?;
        let position = match (options.span, options.side) {
            (Span::Pane, Side::Before) => index,
            (Span::Pane, Side::After) => index + 1,
            (Span::FullWindow, Side::Before) => 0,
            (Span::FullWindow, Side::After) => self.order.len(),
        };
        self.order.insert(position, new);
        Ok(())
    }

    /// As [`Layout::split`], for an existing pane as in `join-pane`: it comes next to the named pane in the order, and
    /// a percentage is of that pane, even if the new one spans the whole window.
    ///
    /// # Errors
    /// As [`Layout::split`].
    pub fn join(&mut self, at: PaneId, new: PaneId, options: SplitOptions) -> Result<(), NoSpace> {
        let index = self.make_room(at, new, options, Span::Pane)?;
        let position = match options.side {
            Side::Before => index,
            Side::After => index + 1,
        };
        self.order.insert(position, new);
        Ok(())
    }

    /// Inserts the new pane into the tree, and returns the index of the old one in the order. A percentage is of
    /// `whole_is`.
    fn make_room(
        &mut self,
        at: PaneId,
        new: PaneId,
        options: SplitOptions,
        whole_is: Span,
    ) -> Result<usize, NoSpace> {
        let index = self.index_of(at).ok_or(NoSpace)?;
        let leaf = self.tree.leaf_of(at).ok_or(NoSpace)?;
        let axis = options.direction;
        let target = match options.span {
            Span::Pane => leaf,
            Span::FullWindow => self.tree.root(),
        };
        let depth = match options.span {
            Span::Pane => self.tree.depth(leaf),
            // A new root moves every pane one level down.
            Span::FullWindow => self.tree.deepest(),
        };
        let whole = self.tree.cell(target).extent(axis);
        let title = axis == Axis::Rows && self.tree.gives_title_row(target);
        if whole < LEAST * 2 + 1 + u32::from(title) || self.contains(new) || depth >= MAX_DEPTH {
            return Err(NoSpace);
        }
        let size = options.size.map(|size| {
            size.of(match whole_is {
                Span::FullWindow => whole,
                // A percentage is of the pane's screen, without the row of its title.
                Span::Pane => {
                    let rect = self.rect(leaf);
                    u32::from(match axis {
                        Axis::Rows => rect.rows,
                        Axis::Columns => rect.cols,
                    })
                }
            })
        });
        let (first, second) = shares(whole, size, options.side);
        let (old_size, new_size) = match options.side {
            Side::Before => (second, first),
            Side::After => (first, second),
        };
        if options.span == Span::FullWindow && !self.tree.fits(target, axis, old_size) {
            return Err(NoSpace);
        }
        self.tree
            .divide(target, axis, options.side, old_size, new_size, new);
        self.tree.settle();
        Ok(index)
    }
}

/// The sizes of the two parts into which a border divides `whole`.
fn shares(whole: u32, size: Option<u32>, side: Side) -> (u32, u32) {
    let second = match (size, side) {
        (None, _) => whole.div_ceil(2) - 1,
        // In tmux a size larger than the whole wraps around, and the new pane gets the smallest size.
        (Some(size), Side::Before) => whole.wrapping_sub(size).wrapping_sub(1),
        (Some(size), Side::After) => size,
    };
    let second = second.clamp(LEAST, whole - LEAST - 1);
    (whole - 1 - second, second)
}

impl Tree {
    /// Inserts a new pane before or after a cell, and sets the sizes of both.
    fn divide(
        &mut self,
        at: usize,
        axis: Axis,
        side: Side,
        old_size: u32,
        new_size: u32,
        pane: PaneId,
    ) {
        let mut new = Cell::leaf(pane, self.cell(at).rows, self.cell(at).cols);
        *new.extent_mut(axis) = new_size;
        let whole = self.cell(at).extent(axis);
        *self.cell_mut(at).extent_mut(axis) = old_size;
        let beside = self
            .position(at)
            .filter(|(parent, _)| self.cell(*parent).axis() == Some(axis));
        if let Some((parent, position)) = beside {
            self.insert(parent, position + usize::from(side == Side::After), new);
        } else if self.cell(at).axis() == Some(axis) {
            // The window is already divided in this direction, so the pane is added to the others.
            self.fit_children(at);
            *self.cell_mut(at).extent_mut(axis) = whole;
            let end = self.cell(at).children().len();
            self.insert(at, if side == Side::After { end } else { 0 }, new);
        } else {
            let parent = self.wrap(at, axis);
            *self.cell_mut(parent).extent_mut(axis) = whole;
            self.insert(parent, usize::from(side == Side::After), new);
            self.fit_children(at);
        }
    }

    /// The size of a child when its node, which had `previous`, gets `size`, in proportion. `left` is the space of this
    /// child and those after it, `count` in all.
    fn share_of(
        &self,
        child: usize,
        axis: Axis,
        previous: u32,
        size: u32,
        count: u32,
        left: u32,
    ) -> u32 {
        if count == 1 {
            return left;
        }
        let cell = self.cell(child).extent(axis);
        let least = ((LEAST + 1) * (count - 1)).max(cell - self.spare(child, axis));
        let share = u64::from(cell) * u64::from(size) / u64::from(previous.max(1));
        u32::try_from(share)
            .unwrap_or(u32::MAX)
            .min(left.wrapping_sub(least))
            .max(LEAST)
    }

    /// Whether a cell and everything in it can have this size.
    fn fits(&self, at: usize, axis: Axis, size: u32) -> bool {
        let cell = self.cell(at);
        let Some(along) = cell.axis() else {
            return size >= LEAST;
        };
        let children = cell.children();
        if along != axis {
            return children.iter().all(|child| self.fits(*child, axis, size));
        }
        let count = children.len() as u32;
        if size < count * 2 - 1 {
            return false;
        }
        let mut left = size;
        for (index, child) in children.iter().enumerate() {
            let count = count - index as u32;
            let share = self.share_of(*child, axis, cell.extent(axis), size, count, left);
            let used = share.saturating_add(u32::from(count > 1));
            if used > left || !self.fits(*child, axis, share) {
                return false;
            }
            left -= used;
        }
        true
    }

    /// Sets the sizes of all cells below a cell so that they fill it, in proportion to their old sizes.
    fn fit_children(&mut self, at: usize) {
        let cell = self.cell(at);
        let Some(axis) = cell.axis() else {
            return;
        };
        let children = cell.children().to_vec();
        let (rows, cols, size) = (cell.rows, cell.cols, cell.extent(axis));
        let count = children.len() as u32;
        let used: u32 = children
            .iter()
            .map(|child| self.cell(*child).extent(axis))
            .sum();
        let previous = used + count - 1;
        let mut left = size;
        let mut shares = Vec::with_capacity(children.len());
        for (index, child) in children.iter().enumerate() {
            let count = count - index as u32;
            let share = self.share_of(*child, axis, previous, size, count, left);
            left = left.saturating_sub(share + 1);
            shares.push(share);
        }
        let fits = shares.iter().sum::<u32>() + count - 1 == size
            && children
                .iter()
                .zip(&shares)
                .all(|(child, share)| self.fits(*child, axis, *share));
        if !fits {
            // The shares above can be smaller than a child needs. In tmux 3.3a panes overlap then.
            *self.cell_mut(at).extent_mut(axis) = previous;
            self.adjust(at, axis, i64::from(size) - i64::from(previous));
            shares = children
                .iter()
                .map(|child| self.cell(*child).extent(axis))
                .collect();
        }
        for (child, share) in children.into_iter().zip(shares) {
            let cell = self.cell_mut(child);
            (cell.rows, cell.cols) = (rows, cols);
            *cell.extent_mut(axis) = share;
            self.fit_children(child);
        }
    }
}
