//! The cursor: its position and its look.

use shellkeep_core::CursorShape;

use super::pen::Pen;

/// A cell of the screen, and whether a wrap is pending behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CursorPosition {
    pub(crate) row: u16,
    pub(crate) col: u16,
    /// The last column was just written, so the next character wraps first.
    pub(crate) pending: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SavedCursor {
    pub(crate) position: CursorPosition,
    pub(crate) pen: Pen,
    pub(crate) origin: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CursorStyle {
    pub(crate) shape: CursorShape,
    pub(crate) is_visible: bool,
    pub(crate) blinks: bool,
}

impl Default for CursorStyle {
    fn default() -> Self {
        Self {
            shape: CursorShape::Default,
            is_visible: true,
            blinks: false,
        }
    }
}
