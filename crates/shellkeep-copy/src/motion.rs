//! Moves the cursor and the view over the text. Selection and highlighted matches follow.

use shellkeep_term::view::MARK_PROMPT;

use crate::command::{Direction, Land};
use crate::mode::CopyMode;
use crate::options::{CopyOptions, ModeKeys};
use crate::search::Scope;
use crate::selection::{Lines, Reset};
use crate::text::{Pos, Text, WHITESPACE};
use crate::walker::{Reach, Stay, StopAtEnd, Walker, Wrap};
use crate::{paragraphs, prompts};

/// Whether only the view moves, and the cursor keeps its position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScrollOnly {
    Yes,
    No,
}

/// A half or a whole page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Yes,
    No,
}

/// Moves the cursor and the view. Also updates the selection, and highlights the visible matches.
pub(crate) struct Motion<'a> {
    pub(crate) mode: &'a mut CopyMode,
    pub(crate) text: &'a dyn Text,
    pub(crate) options: &'a CopyOptions,
}

impl Motion<'_> {
    pub(crate) fn is_vi(&self) -> bool {
        self.options.mode_keys == ModeKeys::Vi
    }

    pub(crate) fn last_row(&self) -> i64 {
        self.text.bottom().max(0)
    }

    pub(crate) fn at_row(&self) -> i64 {
        self.mode.row - self.mode.scroll
    }

    pub(crate) fn at(&self) -> Pos {
        self.mode.cursor()
    }

    pub(crate) fn times(&mut self, repeat: u32, step: impl Fn(&mut Self)) {
        for _ in 0..repeat {
            let before = (self.mode.row, self.mode.col, self.mode.scroll);
            step(self);
            // If a step changes nothing, repeating it changes nothing either.
            if before == (self.mode.row, self.mode.col, self.mode.scroll) {
                return;
            }
        }
    }

    /// How far to the right the cursor may go: anywhere while a rectangle is selected.
    pub(crate) fn reach(&self) -> Reach {
        if self.mode.selection.exists && self.mode.selection.rectangle {
            Reach::Margin
        } else {
            Reach::Text
        }
    }

    /// Highlights the matches of the view after it moved, if matches are highlighted.
    pub(crate) fn update_highlights(&mut self) {
        if self.mode.search.marks.is_some() {
            self.highlight(Scope::View);
        }
    }

    pub(crate) fn highlight(&mut self, scope: Scope) {
        let (first, rows) = (-self.mode.scroll, self.last_row() as usize + 1);
        self.mode.search.highlight(scope, self.text, first, rows);
    }

    fn walker(&self) -> Walker<'_> {
        Walker::new(self.text, self.at())
    }

    /// Moves by a walk that only goes up.
    pub(crate) fn walk_up(&mut self, walk: impl FnOnce(&mut Walker<'_>)) {
        let mut walker = self.walker();
        walk(&mut walker);
        let at = walker.at;
        self.reach_up(at);
    }

    /// Moves by a walk that only goes down.
    fn walk_down(&mut self, walk: impl FnOnce(&mut Walker<'_>)) {
        let mut walker = self.walker();
        walk(&mut walker);
        let at = walker.at;
        self.reach_down(at, Reset::Yes);
    }

    /// Moves the cursor to a position, and scrolls up if it is not visible.
    fn reach_up(&mut self, at: Pos) {
        let top = -self.mode.scroll;
        for _ in at.row..top {
            self.cursor_up(ScrollOnly::Yes);
        }
        self.mode.row = (at.row - top).max(0);
        self.mode.col = at.col;
        self.update_selection(Reset::Yes);
    }

    /// Moves the cursor to a position, and scrolls down if it is not visible.
    fn reach_down(&mut self, at: Pos, reset: Reset) {
        let row = at.row + self.mode.scroll;
        let last = self.last_row();
        for _ in last..row {
            self.cursor_down(ScrollOnly::Yes);
        }
        self.mode.row = row.min(last);
        self.mode.col = at.col;
        self.update_selection(reset);
    }

    pub(crate) fn cursor_left(&mut self) {
        self.walk_up(|walker| walker.left(Wrap::Anywhere));
    }

    pub(crate) fn cursor_right(&mut self) {
        let reach = self.reach();
        self.walk_down(|walker| walker.right(Wrap::Anywhere, reach));
    }

    pub(crate) fn end_of_line(&mut self) {
        let reach = self.reach();
        self.walk_down(|walker| walker.line_end(reach));
    }

    pub(crate) fn next_word(&mut self, separators: &str) {
        self.walk_down(|walker| walker.next_word(separators));
    }

    /// The end of this word or the next.
    pub(crate) fn word_end(&self, separators: &str) -> Pos {
        let mut walker = self.walker();
        if self.is_vi() {
            if !self.text.is_in(walker.at, WHITESPACE) {
                walker.right(Wrap::BrokenOnly, Reach::Text);
            }
            walker.next_word_end(separators);
            walker.left(Wrap::Anywhere);
        } else {
            walker.next_word_end(separators);
        }
        walker.at
    }

    pub(crate) fn next_word_end(&mut self, separators: &str, reset: Reset) {
        let at = self.word_end(separators);
        self.reach_down(at, reset);
    }

    pub(crate) fn previous_word(&mut self, separators: &str, stay: Stay) {
        let stop = if self.is_vi() {
            StopAtEnd::No
        } else {
            StopAtEnd::Yes
        };
        self.walk_up(|walker| walker.previous_word(separators, stay, stop));
    }

    /// Moves to a character in the row, or to the cell before it.
    pub(crate) fn jump(&mut self, direction: Direction, land: Land, wanted: &str) {
        let mut walker = self.walker();
        match direction {
            Direction::Forward => {
                walker.at.col += 1 + usize::from(land == Land::Before);
                if !walker.jump(wanted) {
                    return;
                }
                if land == Land::Before {
                    walker.left(Wrap::Anywhere);
                }
                let at = walker.at;
                self.reach_down(at, Reset::Yes);
            }
            Direction::Backward => {
                walker.left(Wrap::BrokenOnly);
                if land == Land::Before {
                    walker.left(Wrap::BrokenOnly);
                }
                if !walker.jump_back(wanted) {
                    return;
                }
                if land == Land::Before {
                    walker.right(Wrap::Anywhere, Reach::Text);
                }
                let at = walker.at;
                self.reach_up(at);
            }
        }
    }

    /// Remembers the cursor's column for rows that it passes.
    fn remember_column(&mut self) {
        let length = self.text.length(self.at_row());
        if self.mode.col != length {
            self.mode.last_col = self.mode.col;
            self.mode.last_length = length;
        }
    }

    /// Whether the remembered column is after the end of the cursor's row.
    fn past_end(&self) -> Option<usize> {
        let length = self.text.length(self.at_row());
        let col = self.mode.col;
        let past = (col >= self.mode.last_length && col != length) || col > length;
        past.then_some(length)
    }

    fn set_cursor(&mut self, row: i64, col: usize) {
        self.mode.row = row;
        self.mode.col = col;
        self.update_selection(Reset::Yes);
    }

    pub(crate) fn cursor_up(&mut self, only: ScrollOnly) {
        let text_only = self.reach() == Reach::Text;
        if text_only {
            self.remember_column();
        }
        let selection = &self.mode.selection;
        if selection.lines == Lines::Downward && self.at_row() == selection.start.row {
            self.other_end();
        }
        let col = if text_only {
            self.mode.last_col
        } else {
            self.mode.col
        };
        if only == ScrollOnly::Yes || self.mode.row == 0 {
            self.mode.col = col;
            self.scroll_up(1);
        } else {
            self.set_cursor(self.mode.row - 1, col);
        }
        self.settle_column(text_only);
    }

    pub(crate) fn cursor_down(&mut self, only: ScrollOnly) {
        let text_only = self.reach() == Reach::Text;
        if text_only {
            self.remember_column();
        }
        let selection = &self.mode.selection;
        if selection.lines == Lines::Upward && self.at_row() == selection.end.row {
            self.other_end();
        }
        let col = if text_only {
            self.mode.last_col
        } else {
            self.mode.col
        };
        if only == ScrollOnly::Yes || self.mode.row >= self.last_row() {
            self.mode.col = col;
            self.scroll_down(1);
        } else {
            self.set_cursor(self.mode.row + 1, col);
        }
        self.settle_column(text_only);
    }

    /// After a step up or down: the cursor is not after the end of the row, and at its end if lines are selected.
    fn settle_column(&mut self, text_only: bool) {
        if text_only && let Some(length) = self.past_end() {
            self.set_cursor(self.mode.row, length);
        }
        match self.mode.selection.lines {
            Lines::No => {}
            Lines::Downward => {
                let end = if self.mode.selection.rectangle {
                    self.text.width()
                } else {
                    self.text.length(self.at_row())
                };
                self.set_cursor(self.mode.row, end);
            }
            Lines::Upward => self.set_cursor(self.mode.row, 0),
        }
    }

    /// Moves the view towards newer text.
    fn scroll_down(&mut self, rows: i64) {
        let rows = rows.min(self.mode.scroll);
        if rows > 0 {
            self.mode.scroll -= rows;
            self.update_highlights();
            self.update_selection(Reset::Yes);
        }
    }

    /// Moves the view towards older text.
    fn scroll_up(&mut self, rows: i64) {
        let rows = rows.min(-self.text.top() - self.mode.scroll);
        if rows > 0 {
            self.mode.scroll += rows;
            self.update_highlights();
            self.update_selection(Reset::Yes);
        }
    }

    fn page(&self, half: Half) -> i64 {
        let rows = self.last_row() + 1;
        match half {
            _ if rows <= 2 => 1,
            Half::Yes => rows / 2,
            Half::No => rows - 2,
        }
    }

    pub(crate) fn page_up(&mut self, half: Half) {
        self.remember_column();
        self.mode.col = self.mode.last_col;
        let rows = self.page(half);
        let most = -self.text.top();
        if self.mode.scroll + rows > most {
            self.mode.scroll = most;
            self.mode.row = (self.mode.row - rows).max(0);
        } else {
            self.mode.scroll += rows;
        }
        self.after_page();
    }

    pub(crate) fn page_down(&mut self, half: Half) {
        self.remember_column();
        self.mode.col = self.mode.last_col;
        let rows = self.page(half);
        if self.mode.scroll < rows {
            self.mode.scroll = 0;
            self.mode.row = (self.mode.row + rows).min(self.last_row());
        } else {
            self.mode.scroll -= rows;
        }
        self.after_page();
    }

    fn after_page(&mut self) {
        if self.reach() == Reach::Text && self.past_end().is_some() {
            self.end_of_line();
        }
        self.update_highlights();
        self.update_selection(Reset::Yes);
    }

    /// Moves to the beginning of a row of the view.
    pub(crate) fn put_cursor(&mut self, row: i64) {
        self.set_cursor(row, 0);
    }

    pub(crate) fn history_top(&mut self) {
        self.text.count_history();
        let selection = &self.mode.selection;
        if selection.lines == Lines::Downward && self.at_row() == selection.start.row {
            self.other_end();
        }
        self.mode.scroll = -self.text.top();
        self.update_highlights();
        self.set_cursor(0, 0);
    }

    pub(crate) fn history_bottom(&mut self) {
        let selection = &self.mode.selection;
        if selection.lines == Lines::Upward && self.at_row() == selection.end.row {
            self.other_end();
        }
        self.mode.scroll = 0;
        self.update_highlights();
        let last = self.last_row();
        self.set_cursor(last, self.text.length(last));
    }

    pub(crate) fn goto_line(&mut self, line: &str) {
        let Ok(line) = line.trim_start().parse::<i64>() else {
            return;
        };
        if line < -1 || line > i64::from(i32::MAX) {
            return;
        }
        if !(0..=-self.text.top()).contains(&line) {
            self.text.count_history();
        }
        let most = -self.text.top();
        self.mode.scroll = if (0..=most).contains(&line) {
            line
        } else {
            most
        };
        self.update_highlights();
        self.update_selection(Reset::Yes);
    }

    pub(crate) fn next_paragraph(&mut self) {
        self.show(paragraphs::end_below(self.text, self.at_row()));
    }

    pub(crate) fn previous_paragraph(&mut self) {
        self.show(paragraphs::start_above(self.text, self.at_row()));
    }

    /// Moves the cursor to a position. The view moves only if that is not visible.
    pub(crate) fn show(&mut self, at: Pos) {
        self.show_quietly(at);
        self.update_highlights();
    }

    /// As [`Self::show`], without updating the highlighted matches.
    pub(crate) fn show_quietly(&mut self, at: Pos) {
        self.mode.col = at.col;
        let rows = self.last_row() + 1;
        let first = -self.mode.scroll;
        if at.row >= first && at.row < first + rows {
            self.mode.row = at.row - first;
        } else {
            let gap = rows / 4;
            let top = self.text.top();
            let first = if at.row - top < rows {
                top
            } else if at.row > rows - gap {
                0
            } else {
                at.row + gap - rows
            };
            let first = first.clamp(top, 0);
            self.mode.row = at.row - first;
            self.mode.scroll = -first;
        }
        self.update_selection(Reset::Yes);
    }

    pub(crate) fn jump_to_mark(&mut self) {
        let at = self.at();
        let mark = std::mem::replace(&mut self.mode.mark, at);
        self.mode.show_mark = true;
        self.mode.col = mark.col;
        self.mode.row = mark.row.max(0);
        self.mode.scroll = (-mark.row).max(0);
        self.update_selection(Reset::Yes);
    }

    pub(crate) fn prompt(&mut self, direction: Direction) {
        let Some(row) = prompts::marked_row(self.text, self.at_row(), direction, MARK_PROMPT)
        else {
            return;
        };
        self.mode.scroll = (-row).max(0);
        self.update_highlights();
        self.set_cursor(row.max(0), 0);
    }
}
