//! The search commands: to the next match, again, and while the user types.

use crate::command::{Direction, Pattern};
use crate::finder::{Count, Finder};
use crate::mode::CopyMode;
use crate::options::Remembered;
use crate::pattern::{Matcher, meaning};
use crate::run::Run;
use crate::search::Scope;
use crate::text::{Pos, Text, written};

impl Run<'_> {
    pub(crate) fn clear_marks(&mut self) {
        self.motion.mode.search.marks = None;
        self.motion.mode.search.count = Count::Unknown;
    }

    /// Highlights the visible matches, and counts all matches again.
    pub(crate) fn mark_matches(&mut self) {
        self.motion.highlight(Scope::Text);
    }

    pub(crate) fn begin_search(&mut self, direction: Direction, pattern: Pattern, wanted: &str) {
        let search = &mut self.motion.mode.search;
        search.wanted = Some(wanted.to_owned());
        search.kind = Some(direction);
        search.pattern = pattern;
    }

    pub(crate) fn search_incremental(&mut self, direction: Direction, argument: &str) {
        let mut chars = argument.chars();
        let sign = chars.next();
        let wanted = chars.as_str();
        match self.motion.mode.search.origin {
            None => {
                self.motion.mode.search.origin = Some((
                    self.motion.mode.row,
                    self.motion.mode.col,
                    self.motion.mode.scroll,
                ));
            }
            Some(origin) => {
                let last = self.motion.mode.search.wanted.as_deref();
                if last.is_some_and(|last| last != wanted) {
                    (
                        self.motion.mode.row,
                        self.motion.mode.col,
                        self.motion.mode.scroll,
                    ) = origin;
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
        let Some(wanted) = self.motion.mode.search.wanted.clone() else {
            return false;
        };
        let pattern = meaning(&wanted, pattern);
        let now = Remembered {
            text: wanted,
            pattern,
        };
        let search = &mut self.motion.mode.search;
        search.direction = direction;
        let same = !search.fresh && search.remembered.as_ref() == Some(&now);
        search.fresh = false;
        let matcher = Matcher::new(&now.text, pattern);
        self.motion.mode.search.remembered = Some(now);
        let Some(mut matcher) = matcher else {
            return false;
        };
        let from = self.search_start(direction);
        if !self.jump_to_match(&mut matcher, from, direction) {
            return false;
        }
        self.motion
            .highlight(if same { Scope::View } else { Scope::Text });
        match direction {
            Direction::Forward => self.after_forward(&mut matcher),
            Direction::Backward => self.rewind_to_match(),
        }
        true
    }

    /// The cell at which a search begins: next to the cursor, or after the match under it.
    fn search_start(&self, direction: Direction) -> Pos {
        let at = self.motion.at();
        match direction {
            Direction::Backward => self.finder().cell_before(at),
            Direction::Forward if !self.motion.is_vi() => at,
            // In vi the cursor is on the first character of a match, and the next match is after it.
            Direction::Forward if self.motion.mode.search.marks.is_some() => self.behind_match(at),
            Direction::Forward => self.finder().cell_behind(at),
        }
    }

    /// The cell after the highlighted match at a position; the position itself if there is none.
    fn behind_match(&self, at: Pos) -> Pos {
        let Some(marks) = &self.motion.mode.search.marks else {
            return at;
        };
        let id_at = |at: Pos| marks.cell(at).map(|cell| marks.id(cell));
        let id = id_at(at);
        let mut at = at;
        if id.is_none_or(|id| id == 0) {
            return at;
        }
        while id_at(at) == id {
            let next = self.finder().cell_behind(at);
            if next == at || next.is_before(at) {
                return next;
            }
            at = next;
        }
        at
    }

    fn after_forward(&mut self, matcher: &mut Matcher) {
        let at = self.motion.at();
        if let Some(marks) = &self.motion.mode.search.marks
            && let Some(cell) = marks.cell(at)
            && cell > 0
            && marks.id(cell) != 0
            && marks.id(cell) == marks.id(cell - 1)
        {
            // Inside a match, the next match comes after it.
            let from = self.behind_match(at);
            self.jump_to_match(matcher, from, Direction::Forward);
            self.motion.update_highlights();
        }
        if !self.motion.is_vi() {
            let at = self.behind_match(self.motion.at());
            self.motion.mode.col = at.col;
            self.motion.mode.row =
                (at.row + self.motion.mode.scroll).clamp(0, self.motion.last_row());
        }
    }

    fn rewind_to_match(&mut self) {
        let at = self.motion.at();
        let Some(marks) = &self.motion.mode.search.marks else {
            return;
        };
        let Some(cell) = marks.cell(at).filter(|cell| marks.id(*cell) != 0) else {
            return;
        };
        let (start, _) = marks.extent(cell);
        self.motion.mode.row = (start / marks.cols) as i64;
        self.motion.mode.col = start % marks.cols;
    }

    fn finder(&self) -> Finder<'_> {
        Finder {
            text: self.motion.text,
            is_wrapping: self.motion.options.wrap_search,
        }
    }

    /// Moves to the first match from a position on. False if there is none.
    fn jump_to_match(&mut self, matcher: &mut Matcher, from: Pos, direction: Direction) -> bool {
        let found = self.finder().first(matcher, from, direction);
        if let Some(at) = found {
            self.motion.show_quietly(at);
        }
        found.is_some()
    }
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
