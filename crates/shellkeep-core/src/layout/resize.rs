//! Changes sizes: of the window, of a pane, by dragging a border, and evenly.

use super::{Axis, BorderStatus, Direction, Layout};
use crate::{PaneId, Size};

/// Whether a growing cell may take space from the cells before it when those after it have none to spare.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ResizeSource {
    FromAfter,
    FromBoth,
}

impl Layout {
    /// Gives the window another size. It stays larger where the panes cannot all have one cell.
    pub fn resize(&mut self, size: Size) {
        for (axis, wanted) in [(Axis::Columns, size.cols()), (Axis::Rows, size.rows())] {
            let root = self.tree.root();
            let change = i64::from(wanted) - i64::from(self.tree.cell(root).extent(axis));
            let spare = i64::from(self.tree.spare(root, axis));
            self.tree.adjust(root, axis, change.max(-spare));
        }
        self.tree.settle();
    }

    /// Moves a pane's border: the one after it, or before it if the pane is the last.
    pub fn resize_pane(&mut self, pane: PaneId, direction: Direction, amount: u16) {
        let (axis, change) = match direction {
            Direction::Up => (Axis::Rows, -i64::from(amount)),
            Direction::Down => (Axis::Rows, i64::from(amount)),
            Direction::Left => (Axis::Columns, -i64::from(amount)),
            Direction::Right => (Axis::Columns, i64::from(amount)),
        };
        if let Some((cell, Last(_))) = self.movable(pane, axis) {
            self.shift(cell, axis, change, ResizeSource::FromBoth);
        }
    }

    /// Gives a pane this many rows or columns, as far as possible.
    pub fn resize_pane_to(&mut self, pane: PaneId, axis: Axis, cells: u32) {
        let Some((cell, Last(last))) = self.movable(pane, axis) else {
            return;
        };
        let Some(leaf) = self.tree.leaf_of(pane) else {
            return;
        };
        // The requested size is the pane's, and the cell includes the title.
        let title = match axis {
            Axis::Rows => u32::from(self.title_row_is_taken(leaf)),
            Axis::Columns => 0,
        };
        let wanted = i64::from(cells.saturating_add(title));
        let sized = last.unwrap_or(cell);
        let change = wanted - i64::from(self.tree.cell(sized).extent(axis));
        let change = if last.is_some() { -change } else { change };
        self.shift(cell, axis, change, ResizeSource::FromBoth);
    }

    fn title_row_is_taken(&self, leaf: usize) -> bool {
        let rect = self.rect(leaf);
        match self.border_status() {
            BorderStatus::Off => false,
            BorderStatus::Top => rect.row == 1,
            BorderStatus::Bottom => rect.bottom() + 1 == self.size().rows(),
        }
    }

    /// The cell whose border moves to resize a pane. Also the cell of the pane itself if it is the one after the
    /// border.
    fn movable(&self, pane: PaneId, axis: Axis) -> Option<(usize, Last)> {
        let mut at = self.tree.leaf_of(pane)?;
        loop {
            let (parent, position) = self.tree.position(at)?;
            let cell = self.tree.cell(parent);
            if cell.axis() == Some(axis) {
                let children = cell.children();
                return Some(match position + 1 == children.len() {
                    true => (*children.get(position.checked_sub(1)?)?, Last(Some(at))),
                    false => (at, Last(None)),
                });
            }
            at = parent;
        }
    }

    /// Moves the border after a cell.
    fn shift(&mut self, cell: usize, axis: Axis, change: i64, take: ResizeSource) {
        let mut left = change;
        while left != 0 {
            let moved = match left > 0 {
                true => self.grow(cell, axis, left, take),
                false => -self.shrink(cell, axis, -left),
            };
            if moved == 0 {
                break;
            }
            left -= moved;
        }
        self.tree.settle();
    }

    /// Moves up to `needed` to a cell from the nearest cell after it that has space to spare, or before it.
    fn grow(&mut self, cell: usize, axis: Axis, needed: i64, take: ResizeSource) -> i64 {
        let Some((parent, position)) = self.tree.position(cell) else {
            return 0;
        };
        let children = self.tree.cell(parent).children();
        let after = children[position + 1..].iter();
        let before = children[..position].iter().rev();
        let giver = match take {
            ResizeSource::FromAfter => self.first_with_spare(after, axis),
            ResizeSource::FromBoth => self.first_with_spare(after.chain(before), axis),
        };
        let Some((giver, spare)) = giver else {
            return 0;
        };
        self.hand_over(giver, cell, axis, spare.min(needed))
    }

    /// Moves up to `needed` to the next cell from a cell, or from the nearest one before it with space to spare.
    fn shrink(&mut self, cell: usize, axis: Axis, needed: i64) -> i64 {
        let Some((parent, position)) = self.tree.position(cell) else {
            return 0;
        };
        let children = self.tree.cell(parent).children();
        let Some(next) = children.get(position + 1).copied() else {
            return 0;
        };
        let givers = children[..=position].iter().rev();
        let Some((giver, spare)) = self.first_with_spare(givers, axis) else {
            return 0;
        };
        self.hand_over(giver, next, axis, spare.min(needed))
    }

    fn first_with_spare<'a>(
        &self,
        mut cells: impl Iterator<Item = &'a usize>,
        axis: Axis,
    ) -> Option<(usize, i64)> {
        cells.find_map(|cell| {
            let spare = self.tree.spare(*cell, axis);
            (spare > 0).then_some((*cell, i64::from(spare)))
        })
    }

    fn hand_over(&mut self, from: usize, to: usize, axis: Axis, amount: i64) -> i64 {
        self.tree.adjust(to, axis, amount);
        self.tree.adjust(from, axis, -amount);
        amount
    }

    /// Moves the border at `from` to the position of the mouse; positions are (row, column) in the window. Where
    /// borders meet, both move. `false` if there is no border.
    pub fn drag_border(&mut self, from: (u16, u16), to: (u16, u16)) -> bool {
        let (row, col) = (i64::from(from.0), i64::from(from.1));
        // The position itself, then those around it: a corner belongs to two borders.
        let around = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)];
        let mut cells = Vec::new();
        for (down, right) in around {
            if let Some(cell) = self.cell_before_border(row + down, col + right)
                && !cells.contains(&cell)
            {
                cells.push(cell);
            }
        }
        let rows = i64::from(to.0) - row;
        let cols = i64::from(to.1) - col;
        let mut moves = Vec::new();
        for cell in &cells {
            let axis = self
                .tree
                .position(*cell)
                .and_then(|(parent, _)| self.tree.cell(parent).axis());
            match axis {
                Some(Axis::Rows) if rows != 0 => moves.push((*cell, Axis::Rows, rows)),
                Some(Axis::Columns) if cols != 0 => moves.push((*cell, Axis::Columns, cols)),
                _ => {}
            }
        }
        // Settled cells keep their indices, so the second move applies to the right cell.
        for (cell, axis, change) in moves {
            self.shift(cell, axis, change, ResizeSource::FromAfter);
        }
        !cells.is_empty()
    }

    /// The cell that ends at the border at this position.
    fn cell_before_border(&self, row: i64, col: i64) -> Option<usize> {
        let mut at = self.tree.root();
        'down: loop {
            let node = self.tree.cell(at);
            let axis = node.axis()?;
            let mut last = None;
            for child in node.children() {
                let cell = self.tree.cell(*child);
                let (top, left) = (i64::from(cell.row), i64::from(cell.col));
                let (bottom, right) = (top + i64::from(cell.rows), left + i64::from(cell.cols));
                if (top..bottom).contains(&row) && (left..right).contains(&col) {
                    at = *child;
                    continue 'down;
                }
                let on_border = match axis {
                    Axis::Rows => row < top,
                    Axis::Columns => col < left,
                };
                let past_last = match axis {
                    Axis::Rows => row >= bottom,
                    Axis::Columns => col >= right,
                };
                if let (Some(last), true) = (last, on_border) {
                    return Some(last);
                }
                last = past_last.then_some(*child);
            }
            return None;
        }
    }

    /// Gives a pane and its neighbours equal sizes (`select-layout -E`). If they are equal already, the cells around
    /// them are made equal.
    pub fn spread(&mut self, pane: PaneId) {
        let mut at = self.tree.leaf_of(pane);
        while let Some(parent) = at.and_then(|at| self.tree.cell(at).parent) {
            if self.tree.spread(parent) {
                self.tree.settle();
                return;
            }
            at = Some(parent);
        }
    }
}

/// The cell that contains the pane, if it is the last of its row or column.
struct Last(Option<usize>);
