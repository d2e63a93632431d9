//! Paragraphs: rows with text between empty ones.

use crate::text::{Pos, Text};

/// The end of the paragraph that a row is in, or of the one below it.
pub(crate) fn end_below(text: &dyn Text, mut row: i64) -> Pos {
    let last = text.bottom();
    while row < last && text.length(row) == 0 {
        row += 1;
    }
    while row < last && text.length(row) > 0 {
        row += 1;
    }
    Pos::new(row, text.length(row))
}

/// The empty row above the paragraph that a row is in, or above the one before it.
pub(crate) fn start_above(text: &dyn Text, mut row: i64) -> Pos {
    let first = text.top();
    while row > first && text.length(row) == 0 {
        row -= 1;
    }
    while row > first && text.length(row) > 0 {
        row -= 1;
    }
    Pos::new(row, 0)
}
