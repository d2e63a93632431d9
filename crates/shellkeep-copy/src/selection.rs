//! The selection: its ends, and which of them moves with the cursor.

use crate::text::Pos;

/// Which end of the selection moves with the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    Neither,
    Start,
    End,
}

/// Whether whole lines are selected, and in which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    No,
    Downward,
    Upward,
}

/// The unit by which the selection grows.
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
    /// Where selecting by words or lines began; it is always selected.
    pub(crate) origin: Pos,
    pub(crate) least_start: Pos,
    pub(crate) least_end: Pos,
    /// The word separators at that time.
    pub(crate) separators: String,
}

impl Selection {
    pub(crate) fn new() -> Self {
        // Outside the text, because row 0 is a valid row.
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

/// The selection for formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectionState {
    pub start: Pos,
    pub end: Pos,
    /// Whether it grows with the cursor.
    pub active: bool,
}

/// Whether a selection by words or lines is extended to whole ones again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reset {
    Yes,
    No,
}
