//! The search text, and the highlighted matches.

use crate::command::{Direction, Pattern};
use crate::finder::{Count, Finder};
use crate::options::Remembered;
use crate::pattern::{Matcher, meaning};
use crate::text::{Pos, Text};

/// The match to which each cell of the view belongs; 0 for none.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    pub(crate) ids: Vec<u32>,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// The view's first row.
    first: i64,
}

impl Marks {
    /// The index of a position's cell, if it is in the view.
    pub(crate) fn cell(&self, at: Pos) -> Option<usize> {
        let row = usize::try_from(at.row - self.first).ok()?;
        (row < self.rows).then(|| row * self.cols + at.col)
    }

    pub(crate) fn id(&self, cell: usize) -> u32 {
        self.ids.get(cell).copied().unwrap_or(0)
    }

    /// The first and last cell of the match to which a cell belongs.
    pub(crate) fn extent(&self, cell: usize) -> (usize, usize) {
        let id = self.id(cell);
        let mut start = cell;
        while start > 0 && self.id(start - 1) == id {
            start -= 1;
        }
        let mut end = cell;
        while end + 1 < self.ids.len() && self.id(end + 1) == id {
            end += 1;
        }
        (start, end)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// The direction that `search-again` repeats; `None` before the first search.
    pub(crate) kind: Option<Direction>,
    /// The direction of the last search.
    pub(crate) direction: Direction,
    pub(crate) pattern: Pattern,
    pub(crate) wanted: Option<String>,
    pub(crate) marks: Option<Marks>,
    pub(crate) count: Count,
    /// Where an incremental search began: row in the view, column, scroll.
    pub(crate) origin: Option<(i64, usize, i64)>,
    /// There was no search yet, so matches were never counted.
    pub(crate) fresh: bool,
    pub(crate) remembered: Option<Remembered>,
}

impl Search {
    pub(crate) fn new(remembered: Option<Remembered>) -> Self {
        Self {
            kind: remembered.as_ref().map(|_| Direction::Backward),
            direction: Direction::Backward,
            pattern: remembered
                .as_ref()
                .map_or(Pattern::Literal, |last| last.pattern),
            wanted: remembered.as_ref().map(|last| last.text.clone()),
            marks: None,
            count: Count::Unknown,
            origin: None,
            fresh: true,
            remembered,
        }
    }

    /// Highlights the matches in `rows` rows of the view from `first` on.
    pub(crate) fn highlight(&mut self, scope: Scope, text: &dyn Text, first: i64, rows: usize) {
        let wanted = self.wanted.clone().unwrap_or_default();
        let pattern = meaning(&wanted, self.pattern);
        let Some(mut matcher) = Matcher::new(&wanted, pattern) else {
            return;
        };
        let cols = text.width();
        let mut marks = Marks {
            ids: vec![0; rows * cols],
            rows,
            cols,
            first,
        };
        let mut start = first;
        while start > text.top() && text.is_wrapped(start - 1) {
            start -= 1;
        }
        let mut next_id = 1;
        for row in start..first + rows as i64 {
            let mut col = 0;
            matcher.load(text, row);
            while let Some(found) = matcher.forward(col, cols) {
                mark(
                    &mut marks,
                    Pos::new(row, found.col),
                    found.cells,
                    &mut next_id,
                );
                col = found.col + found.cells.max(1);
            }
        }
        self.marks = Some(marks);
        if scope == Scope::Text {
            let finder = Finder {
                text,
                is_wrapping: false,
            };
            self.count = finder.count(&mut matcher);
        }
    }
}

/// Which matches are highlighted and counted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The visible ones are highlighted; the count stays.
    View,
    Text,
}

/// Gives the cells of a match a new number; cells that have one keep it.
fn mark(marks: &mut Marks, at: Pos, cells: usize, next_id: &mut u32) {
    let Some(start) = marks.cell(at) else {
        return;
    };
    let end = (start + cells).min(marks.ids.len());
    for id in marks.ids.get_mut(start..end).unwrap_or_default() {
        if *id == 0 {
            *id = *next_id;
        }
    }
    *next_id += 1;
}
