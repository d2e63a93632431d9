//! Finds the matches of a pattern in the text.

use crate::command::Direction;
use crate::pattern::{MatchedCells, Matcher};
use crate::text::{Pos, Text};

/// Matches are counted only in this many rows; in a longer text the count is shown as "more than".
const COUNT_ROWS: i64 = 100_000;

/// How many matches a search has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    Unknown,
    Exactly(usize),
    MoreThan(usize),
}

/// A text to search.
pub(crate) struct Finder<'a> {
    pub(crate) text: &'a dyn Text,
    /// Whether a search continues at the other end of the text.
    pub(crate) is_wrapping: bool,
}

impl Finder<'_> {
    /// The first match from a position on, continuing at the other end if that is wanted.
    pub(crate) fn first(
        &self,
        matcher: &mut Matcher,
        from: Pos,
        direction: Direction,
    ) -> Option<Pos> {
        let found = match direction {
            Direction::Forward => self.find_down(matcher, from, self.text.bottom()),
            Direction::Backward => self.find_up(matcher, from, None),
        };
        if found.is_some() || !self.is_wrapping {
            return found;
        }
        match direction {
            Direction::Forward => {
                self.text.count_history();
                self.find_down(matcher, Pos::new(self.text.top(), 0), from.row)
            }
            Direction::Backward => {
                let last = self.text.width().saturating_sub(1);
                self.find_up(matcher, Pos::new(self.text.bottom(), last), Some(from.row))
            }
        }
    }

    pub(crate) fn cell_before(&self, at: Pos) -> Pos {
        let last = self.text.width().saturating_sub(1);
        if at.col > 0 {
            Pos::new(at.row, at.col - 1)
        } else if at.row > self.text.top() {
            Pos::new(at.row - 1, last)
        } else if self.is_wrapping {
            Pos::new(self.text.bottom(), last)
        } else {
            at
        }
    }

    pub(crate) fn cell_behind(&self, at: Pos) -> Pos {
        if at.col + 1 < self.text.width() {
            Pos::new(at.row, at.col + 1)
        } else if at.row < self.text.bottom() {
            Pos::new(at.row + 1, 0)
        } else if self.is_wrapping {
            Pos::new(self.text.top(), 0)
        } else {
            at
        }
    }

    fn find_down(&self, matcher: &mut Matcher, from: Pos, last: i64) -> Option<Pos> {
        let (mut row, mut col) = (from.row, from.col);
        while row <= last {
            if let Some(rows) = matcher.rows_without_match(self.text, row) {
                row = rows.end() + 1;
            } else {
                matcher.load(self.text, row);
                if let Some(found) = matcher.forward(col, self.text.width()) {
                    return Some(Pos::new(row, found.col));
                }
                row += 1;
            }
            col = 0;
        }
        None
    }

    fn find_up(&self, matcher: &mut Matcher, from: Pos, last: Option<i64>) -> Option<Pos> {
        let mut end = from.col + 1;
        let mut row = from.row;
        let width = self.text.width();
        // The top of the text may change while history is counted on the way.
        while row >= last.unwrap_or(i64::MIN).max(self.text.top()) {
            if let Some(rows) = matcher.rows_without_match(self.text, row) {
                (row, end) = (rows.start() - 1, width);
                continue;
            }
            matcher.load(self.text, row);
            if let Some(found) = matcher.backward(end, width) {
                return Some(self.whole_match(matcher, row, found));
            }
            end = width;
            row -= 1;
        }
        None
    }

    /// A match at the beginning of a row may have begun in the rows before it.
    fn whole_match(&self, matcher: &mut Matcher, row: i64, found: MatchedCells) -> Pos {
        let width = self.text.width();
        let mut best = Pos::new(row, found.col);
        let end = row * width as i64 + (found.col + found.cells) as i64;
        let mut row = row;
        while best.col == 0 && row > self.text.top() && self.text.is_wrapped(row - 1) {
            row -= 1;
            matcher.load(self.text, row);
            let Some(found) = matcher.backward(width, width) else {
                break;
            };
            if row * width as i64 + (found.col + found.cells) as i64 != end {
                break;
            }
            best = Pos::new(row, found.col);
        }
        best
    }

    pub(crate) fn count(&self, matcher: &mut Matcher) -> Count {
        let cols = self.text.width();
        let last = self.text.bottom();
        let first = self.text.top().max(last - COUNT_ROWS);
        let (mut count, mut row) = (0, first);
        while row <= last {
            if let Some(rows) = matcher.rows_without_match(self.text, row) {
                row = rows.end() + 1;
                continue;
            }
            matcher.load(self.text, row);
            let mut col = 0;
            while let Some(found) = matcher.forward(col, cols) {
                count += 1;
                col = found.col + found.cells.max(1);
            }
            row += 1;
        }
        if first == self.text.top() {
            return Count::Exactly(count);
        }
        match [1000, 100, 10].into_iter().find(|most| count > *most) {
            Some(most) => Count::MoreThan(most),
            None => Count::Unknown,
        }
    }
}
