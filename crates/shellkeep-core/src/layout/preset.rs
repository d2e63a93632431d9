//! tmux's named layouts.

use super::tree::{Cell, LEAST, Tree};
use super::{Axis, BorderStatus, Layout, SplitSize};

/// A named layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// All beside each other.
    EvenHorizontal,
    /// All below each other.
    EvenVertical,
    /// A large pane at the top, the others side by side below it.
    MainHorizontal,
    /// A large pane on the left, the others stacked beside it.
    MainVertical,
    /// A grid of equal panes.
    Tiled,
}

impl Preset {
    /// All of them, in the order of `next-layout`.
    pub const ALL: [Self; 5] = [
        Self::EvenHorizontal,
        Self::EvenVertical,
        Self::MainHorizontal,
        Self::MainVertical,
        Self::Tiled,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EvenHorizontal => "even-horizontal",
            Self::EvenVertical => "even-vertical",
            Self::MainHorizontal => "main-horizontal",
            Self::MainVertical => "main-vertical",
            Self::Tiled => "tiled",
        }
    }

    /// The layout with this name or unique prefix.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let exact = Self::ALL.into_iter().find(|preset| preset.name() == name);
        let mut begin = Self::ALL
            .into_iter()
            .filter(|preset| preset.name().starts_with(name));
        exact.or_else(|| match (begin.next(), begin.next()) {
            (found, None) => found,
            _ => None,
        })
    }

    /// The layout after this one, for `next-layout`.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// The layout before this one, for `previous-layout`.
    #[must_use]
    pub fn previous(self) -> Self {
        Self::ALL[(self as usize + Self::ALL.len() - 1) % Self::ALL.len()]
    }
}

/// The options that affect [`Preset::MainHorizontal`] and [`Preset::MainVertical`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresetOptions {
    pub main_pane_height: SplitSize,
    pub main_pane_width: SplitSize,
    /// `other-pane-height`; 0 leaves the space that the main pane does not need.
    pub other_pane_height: SplitSize,
    /// `other-pane-width`; as the height.
    pub other_pane_width: SplitSize,
}

impl Default for PresetOptions {
    fn default() -> Self {
        Self {
            main_pane_height: SplitSize::Cells(24),
            main_pane_width: SplitSize::Cells(80),
            other_pane_height: SplitSize::Cells(0),
            other_pane_width: SplitSize::Cells(0),
        }
    }
}

impl Layout {
    /// Applies a named layout. The window grows if the panes do not fit.
    pub fn apply(&mut self, preset: Preset, options: &PresetOptions) {
        if self.order.len() < 2 {
            return;
        }
        match preset {
            Preset::EvenHorizontal => self.apply_even(Axis::Columns),
            Preset::EvenVertical => self.apply_even(Axis::Rows),
            Preset::MainHorizontal => self.apply_main(
                Axis::Rows,
                options.main_pane_height,
                options.other_pane_height,
            ),
            Preset::MainVertical => self.apply_main(
                Axis::Columns,
                options.main_pane_width,
                options.other_pane_width,
            ),
            Preset::Tiled => self.apply_tiled(),
        }
        self.tree.settle();
    }

    /// Rows and columns of the window.
    fn extents(&self) -> (u32, u32) {
        let root = self.tree.cell(self.tree.root());
        (root.rows, root.cols)
    }

    /// The smallest space for some panes with their borders and titles.
    fn room_for(&self, axis: Axis, panes: usize) -> u32 {
        let panes = u32::try_from(panes).unwrap_or(u32::MAX / 4);
        let title = axis == Axis::Rows && self.border_status() != BorderStatus::Off;
        (panes * (LEAST + 1)).saturating_sub(1) + u32::from(title)
    }

    fn apply_even(&mut self, axis: Axis) {
        let (rows, cols) = self.extents();
        let mut root = Cell::node(axis, rows, cols);
        let needed = self.room_for(axis, self.order.len());
        *root.extent_mut(axis) = needed.max(root.extent(axis));
        let mut tree = Tree::new(root, self.tree.status);
        for pane in &self.order {
            tree.push(tree.root(), Cell::leaf(*pane, rows, cols));
        }
        tree.spread(tree.root());
        self.tree = tree;
    }

    /// The first pane before all others along `axis`, and the others across it.
    fn apply_main(&mut self, axis: Axis, main: SplitSize, other: SplitSize) {
        let (rows, cols) = self.extents();
        let across = match axis {
            Axis::Rows => Axis::Columns,
            Axis::Columns => Axis::Rows,
        };
        let [first, others @ ..] = self.order.as_slice() else {
            return;
        };
        let mut root = Cell::node(axis, rows, cols);
        let room = root.extent(axis).saturating_sub(1);
        let (main, other) = main_and_other(room, main, other);
        *root.extent_mut(axis) = main + other + 1;
        *root.extent_mut(across) = self.room_for(across, others.len()).max(root.extent(across));
        let (rows, cols) = (root.rows, root.cols);
        let sized = |mut cell: Cell, axis: Axis, size: u32| {
            *cell.extent_mut(axis) = size;
            cell
        };
        let mut tree = Tree::new(root, self.tree.status);
        let top = tree.root();
        tree.push(top, sized(Cell::leaf(*first, rows, cols), axis, main));
        if let [only] = others {
            tree.push(top, sized(Cell::leaf(*only, rows, cols), axis, other));
        } else {
            let node = tree.push(top, sized(Cell::node(across, rows, cols), axis, other));
            for pane in others {
                let leaf = sized(Cell::leaf(*pane, rows, cols), axis, other);
                tree.push(node, sized(leaf, across, LEAST));
            }
            tree.spread(node);
        }
        self.tree = tree;
    }

    fn apply_tiled(&mut self) {
        let (rows, cols) = self.extents();
        let count = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
        let (mut down, mut across) = (1, 1);
        while down * across < count {
            down += 1;
            if down * across < count {
                across += 1;
            }
        }
        let each = |whole: u32, parts: u32| (whole.saturating_sub(parts - 1) / parts).max(LEAST);
        let (height, width) = (each(rows, down), each(cols, across));
        let whole_rows = ((height + 1) * down - 1).max(rows);
        let whole_cols = ((width + 1) * across - 1).max(cols);
        let root = Cell::node(Axis::Rows, whole_rows, whole_cols);
        let mut tree = Tree::new(root, self.tree.status);
        let top = tree.root();
        let mut last = top;
        for panes in self.order.chunks(across as usize) {
            if let [only] = panes {
                last = tree.push(top, Cell::leaf(*only, height, whole_cols));
                continue;
            }
            last = tree.push(top, Cell::node(Axis::Columns, height, whole_cols));
            let mut at = last;
            for pane in panes {
                at = tree.push(last, Cell::leaf(*pane, height, width));
            }
            // The last pane of a row gets the rest of it.
            let used = panes.len() as u32 * (width + 1) - 1;
            tree.adjust(
                at,
                Axis::Columns,
                i64::from(whole_cols.saturating_sub(used)),
            );
        }
        let used = down * (height + 1) - 1;
        tree.adjust(last, Axis::Rows, i64::from(whole_rows.saturating_sub(used)));
        self.tree = tree;
    }
}

fn main_and_other(room: u32, main: SplitSize, other: SplitSize) -> (u32, u32) {
    let main = main.of(room).max(LEAST);
    if main.saturating_add(LEAST) >= room {
        return (room.saturating_sub(LEAST).max(LEAST), LEAST);
    }
    let other = other.of(room);
    match room.checked_sub(other) {
        Some(rest) if other > 0 && rest >= main => (rest, other),
        _ => (main, room - main),
    }
}
