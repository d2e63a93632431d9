//! Searching: the jump to a match, and the matches that are lit.

use crate::command::{Direction, Pattern};
use crate::mode::{CopyMode, Remembered};
use crate::pattern::{Found, Matcher, meaning};
use crate::run::Run;
use crate::text::{Pos, Text, written};

/// Rows whose matches are counted; in a longer text the count is given as "more than".
const COUNT_ROWS: i64 = 100_000;

/// Which match each cell of the view belongs to; 0 for none.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    pub(crate) ids: Vec<u32>,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// The view's first row.
    first: i64,
}

impl Marks {
    /// The cell of a place, if it is in the view.
    pub(crate) fn cell(&self, at: Pos) -> Option<usize> {
        let row = usize::try_from(at.row - self.first).ok()?;
        (row < self.rows).then(|| row * self.cols + at.col)
    }

    pub(crate) fn id(&self, cell: usize) -> u32 {
        self.ids.get(cell).copied().unwrap_or(0)
    }

    /// The first and last cell of the match that a cell belongs to.
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

/// How many matches there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    Unknown,
    Exactly(usize),
    MoreThan(usize),
}

/// The state of searching.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// The direction `search-again` repeats; `None` if there was no search.
    pub(crate) kind: Option<Direction>,
    /// The direction of the search that ran last.
    pub(crate) direction: Direction,
    pub(crate) pattern: Pattern,
    pub(crate) wanted: Option<String>,
    pub(crate) marks: Option<Marks>,
    pub(crate) count: Count,
    /// Where an incremental search began: row in the view, column, scroll.
    pub(crate) origin: Option<(i64, usize, i64)>,
    /// Nothing was searched for yet, so the matches have never been counted.
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
}

/// Which matches are lit and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Those in sight; the count stays.
    View,
    /// All.
    Text,
}

impl Run<'_> {
    pub(crate) fn clear_marks(&mut self) {
        self.mode.search.marks = None;
        self.mode.search.count = Count::Unknown;
    }

    /// Lights the matches of the view after it moved, if any are lit.
    pub(crate) fn relight(&mut self) {
        if self.mode.search.marks.is_some() {
            self.light(Scope::View);
        }
    }

    /// Lights and counts all matches anew.
    pub(crate) fn mark_matches(&mut self) {
        self.light(Scope::Text);
    }

    pub(crate) fn begin_search(&mut self, direction: Direction, pattern: Pattern, wanted: &str) {
        let search = &mut self.mode.search;
        search.wanted = Some(wanted.to_owned());
        search.kind = Some(direction);
        search.pattern = pattern;
    }

    pub(crate) fn search_incremental(&mut self, direction: Direction, argument: &str) {
        let mut chars = argument.chars();
        let sign = chars.next();
        let wanted = chars.as_str();
        match self.mode.search.origin {
            None => {
                self.mode.search.origin = Some((self.mode.row, self.mode.col, self.mode.scroll));
            }
            Some(origin) => {
                let last = self.mode.search.wanted.as_deref();
                if last.is_some_and(|last| last != wanted) {
                    (self.mode.row, self.mode.col, self.mode.scroll) = origin;
                }
            }
        }
        if wanted.is_empty() {
            self.clear_marks();
            return;
        }
        let direction = match sign {
            Some('=') => direction,
            Some('+') => Direction::Forward,
            Some('-') => Direction::Backward,
            _ => return,
        };
        self.begin_search(direction, Pattern::Literal, wanted);
        if !self.search(direction, Pattern::Literal) {
            self.clear_marks();
        }
    }

    /// Goes to the next match. False if there is none.
    pub(crate) fn search(&mut self, direction: Direction, pattern: Pattern) -> bool {
        let Some(wanted) = self.mode.search.wanted.clone() else {
            return false;
        };
        let pattern = meaning(&wanted, pattern);
        let now = Remembered {
            text: wanted,
            pattern,
        };
        let search = &mut self.mode.search;
        search.direction = direction;
        let same = !search.fresh && search.remembered.as_ref() == Some(&now);
        search.fresh = false;
        let matcher = Matcher::new(&now.text, pattern);
        self.mode.search.remembered = Some(now);
        let Some(mut matcher) = matcher else {
            return false;
        };
        let from = self.search_start(direction);
        if !self.jump_to_match(&mut matcher, from, direction) {
            return false;
        }
        self.light(if same { Scope::View } else { Scope::Text });
        match direction {
            Direction::Forward => self.after_forward(&mut matcher),
            Direction::Backward => self.rewind_to_match(),
        }
        true
    }

    /// Where to begin looking.
    fn search_start(&self, direction: Direction) -> Pos {
        let at = self.at();
        match direction {
            Direction::Backward => self.cell_before(at),
            Direction::Forward if !self.is_vi() => at,
            // In vi the cursor is on the first character of a match: the next one is behind it.
            Direction::Forward if self.mode.search.marks.is_some() => self.behind_match(at),
            Direction::Forward => self.cell_behind(at),
        }
    }

    fn cell_before(&self, at: Pos) -> Pos {
        let last = self.text.width().saturating_sub(1);
        if at.col > 0 {
            Pos::new(at.row, at.col - 1)
        } else if at.row > self.text.top() {
            Pos::new(at.row - 1, last)
        } else if self.options.wrap_search {
            Pos::new(self.text.bottom(), last)
        } else {
            at
        }
    }

    fn cell_behind(&self, at: Pos) -> Pos {
        if at.col + 1 < self.text.width() {
            Pos::new(at.row, at.col + 1)
        } else if at.row < self.text.bottom() {
            Pos::new(at.row + 1, 0)
        } else if self.options.wrap_search {
            Pos::new(self.text.top(), 0)
        } else {
            at
        }
    }

    /// The cell behind the lit match at a place; the place itself if there is none.
    fn behind_match(&self, at: Pos) -> Pos {
        let Some(marks) = &self.mode.search.marks else {
            return at;
        };
        let id_at = |at: Pos| marks.cell(at).map(|cell| marks.id(cell));
        let id = id_at(at);
        let mut at = at;
        if id.is_none_or(|id| id == 0) {
            return at;
        }
        while id_at(at) == id {
            let next = self.cell_behind(at);
            if next == at || next.is_before(at) {
                return next;
            }
            at = next;
        }
        at
    }

    fn after_forward(&mut self, matcher: &mut Matcher) {
        let at = self.at();
        if let Some(marks) = &self.mode.search.marks
            && let Some(cell) = marks.cell(at)
            && cell > 0
            && marks.id(cell) != 0
            && marks.id(cell) == marks.id(cell - 1)
        {
            // In the middle of a match that began earlier: the next one is meant.
            let from = self.behind_match(at);
            self.jump_to_match(matcher, from, Direction::Forward);
            self.relight();
        }
        if !self.is_vi() {
            let at = self.behind_match(self.at());
            self.mode.col = at.col;
            self.mode.row = (at.row + self.mode.scroll).clamp(0, self.last_row());
        }
    }

    fn rewind_to_match(&mut self) {
        let at = self.at();
        let Some(marks) = &self.mode.search.marks else {
            return;
        };
        let Some(cell) = marks.cell(at).filter(|cell| marks.id(*cell) != 0) else {
            return;
        };
        let (start, _) = marks.extent(cell);
        self.mode.row = (start / marks.cols) as i64;
        self.mode.col = start % marks.cols;
    }

    /// Moves to the first match from a place on, going round the end if that is wanted.
    fn jump_to_match(&mut self, matcher: &mut Matcher, from: Pos, direction: Direction) -> bool {
        let found = match direction {
            Direction::Forward => self.find_down(matcher, from, self.text.bottom()),
            Direction::Backward => self.find_up(matcher, from, None),
        };
        let found = found.or_else(|| {
            if !self.options.wrap_search {
                return None;
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
        });
        if let Some(at) = found {
            self.show_quietly(at);
        }
        found.is_some()
    }

    fn find_down(&self, matcher: &mut Matcher, from: Pos, last: i64) -> Option<Pos> {
        let (mut row, mut col) = (from.row, from.col);
        while row <= last {
            if let Some(rows) = matcher.barren(self.text, row) {
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
        // The top may turn out to be elsewhere while we go there.
        while row >= last.unwrap_or(i64::MIN).max(self.text.top()) {
            if let Some(rows) = matcher.barren(self.text, row) {
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
    fn whole_match(&self, matcher: &mut Matcher, row: i64, found: Found) -> Pos {
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

    fn light(&mut self, scope: Scope) {
        let search = &self.mode.search;
        let wanted = search.wanted.clone().unwrap_or_default();
        let pattern = meaning(&wanted, search.pattern);
        let Some(mut matcher) = Matcher::new(&wanted, pattern) else {
            return;
        };
        let rows = self.last_row() as usize + 1;
        let cols = self.text.width();
        let first = -self.mode.scroll;
        let mut marks = Marks {
            ids: vec![0; rows * cols],
            rows,
            cols,
            first,
        };
        let mut start = first;
        while start > self.text.top() && self.text.is_wrapped(start - 1) {
            start -= 1;
        }
        let mut next_id = 1;
        for row in start..first + rows as i64 {
            let mut col = 0;
            matcher.load(self.text, row);
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
        self.mode.search.marks = Some(marks);
        if scope == Scope::Text {
            self.mode.search.count = self.count_matches(&mut matcher);
        }
    }

    fn count_matches(&self, matcher: &mut Matcher) -> Count {
        let cols = self.text.width();
        let last = self.text.bottom();
        let first = self.text.top().max(last - COUNT_ROWS);
        let (mut count, mut row) = (0, first);
        while row <= last {
            if let Some(rows) = matcher.barren(self.text, row) {
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

/// Gives the cells of a match a number of their own; cells that have one keep it.
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

impl CopyMode {
    /// The text of the match under the cursor or just before it (`search_match`).
    #[must_use]
    pub fn match_text(&self, text: &dyn Text) -> Option<String> {
        let marks = self.search.marks.as_ref()?;
        let mut cell = marks.cell(self.cursor())?;
        if marks.id(cell) == 0 {
            cell = cell.checked_sub(1).filter(|cell| marks.id(*cell) != 0)?;
        }
        let (start, end) = marks.extent(cell);
        let mut out = String::new();
        for cell in start..=end {
            let row = (cell / marks.cols) as i64 - self.scroll;
            let col = cell % marks.cols;
            text.with_row(row, &mut |view| {
                if col < written(&view) || !view.is_wrapped() {
                    view.cell(col as u16).push_to(&mut out);
                }
            });
        }
        Some(out)
    }
}
