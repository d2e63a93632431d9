//! The selection: its ends, and which of them follows the cursor.

use crate::text::Pos;

/// Which end of the selection goes with the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    Neither,
    Start,
    End,
}

/// Whether whole lines are selected, and which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    No,
    Downward,
    Upward,
}

/// By what the selection grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Char,
    Word,
    Line,
}

#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) exists: bool,
    pub(crate) start: Pos,
    pub(crate) end: Pos,
    pub(crate) drag: Drag,
    pub(crate) lines: Lines,
    pub(crate) unit: Unit,
    pub(crate) rectangle: bool,
    /// Where selecting by words or lines began, and what it takes at least.
    pub(crate) origin: Pos,
    pub(crate) least_start: Pos,
    pub(crate) least_end: Pos,
    /// What the words were separated by then.
    pub(crate) separators: String,
}

impl Selection {
    pub(crate) fn new() -> Self {
        // Out of the way: the first row of the screen is a place like any other.
        let nowhere = Pos::new(i64::MIN / 2, 0);
        Self {
            exists: false,
            start: nowhere,
            end: nowhere,
            drag: Drag::Neither,
            lines: Lines::No,
            unit: Unit::Char,
            rectangle: false,
            origin: nowhere,
            least_start: nowhere,
            least_end: nowhere,
            separators: String::new(),
        }
    }
}

/// What formats tell of the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectionState {
    pub start: Pos,
    pub end: Pos,
    /// Whether it grows with the cursor.
    pub active: bool,
}

/// Whether a selection by words or lines is stretched to whole ones again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reset {
    Yes,
    No,
}
