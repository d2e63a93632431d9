//! Panes by where they are: at an edge of the window, or beside another.

use shellkeep_core::{PaneId, Size};

use super::PaneBox;

/// The pane at an edge or corner: `top`, `bottom-left` …
pub(super) fn at_edge(name: &str, size: Size, panes: &[PaneBox]) -> Option<PaneId> {
    let (bottom, right) = (size.rows().saturating_sub(1), size.cols().saturating_sub(1));
    let (middle_row, middle_col) = (size.rows() / 2, size.cols() / 2);
    let (row, col) = match name {
        "top" => (0, middle_col),
        "bottom" => (bottom, middle_col),
        "left" => (middle_row, 0),
        "right" => (middle_row, right),
        "top-left" => (0, 0),
        "top-right" => (0, right),
        "bottom-left" => (bottom, 0),
        "bottom-right" => (bottom, right),
        _ => return None,
    };
    // A border counts to the pane on its left or above it.
    let holds = |from: u16, length: u16, at: u16| from <= at && at <= from.saturating_add(length);
    let mut panes = panes.iter();
    panes
        .find(|pane| {
            holds(pane.left, pane.size.cols(), col) && holds(pane.top, pane.size.rows(), row)
        })
        .map(|pane| pane.pane)
}

/// A stretch of rows or columns, end excluded.
#[derive(Clone, Copy)]
struct Span {
    from: u32,
    to: u32,
}

impl Span {
    fn rows(pane: &PaneBox) -> Self {
        let from = u32::from(pane.top);
        Self {
            from,
            to: from + u32::from(pane.size.rows()),
        }
    }

    fn cols(pane: &PaneBox) -> Self {
        let from = u32::from(pane.left);
        Self {
            from,
            to: from + u32::from(pane.size.cols()),
        }
    }

    /// Whether they meet; a border belongs to both sides.
    fn meets(self, other: Self) -> bool {
        self.from <= other.to && other.from <= self.to
    }
}

/// The pane beside another: `up-of`, `down-of`, `left-of`, `right-of`. At an edge it is looked for at the
/// opposite one; of several it is the one used last.
pub(super) fn beside(name: &str, size: Size, panes: &[PaneBox], from: PaneId) -> Option<PaneId> {
    let this = panes.iter().find(|pane| pane.pane == from)?;
    let (rows, cols) = (u32::from(size.rows()), u32::from(size.cols()));
    let (row_span, col_span) = (Span::rows(this), Span::cols(this));
    let before = |from: u32, end: u32| if from == 0 { end + 1 } else { from };
    let after = |to: u32, end: u32| if to + 1 >= end { 0 } else { to + 1 };
    let is_beside = |pane: &&PaneBox| {
        let (other_rows, other_cols) = (Span::rows(pane), Span::cols(pane));
        match name {
            "up-of" => {
                other_rows.to + 1 == before(row_span.from, rows) && other_cols.meets(col_span)
            }
            "down-of" => other_rows.from == after(row_span.to, rows) && other_cols.meets(col_span),
            "left-of" => {
                other_cols.to + 1 == before(col_span.from, cols) && other_rows.meets(row_span)
            }
            "right-of" => other_cols.from == after(col_span.to, cols) && other_rows.meets(row_span),
            _ => false,
        }
    };
    panes
        .iter()
        .filter(|pane| pane.pane != from)
        .filter(is_beside)
        .max_by_key(|pane| pane.used)
        .map(|pane| pane.pane)
}
