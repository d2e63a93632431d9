//! Moving the cursor and the view.

use shellkeep_term::view::{MARK_END, MARK_OUTPUT, MARK_PROMPT};

use crate::command::Direction;
use crate::mode::Lines;
use crate::reader::{Reach, Reader, Stay, StopAtEnd, Wrap};
use crate::run::Run;
use crate::selection::Reset;
use crate::text::{Pos, WHITESPACE};

/// Whether only the view moves, the cursor staying where it is in it.
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

const OPEN: &[u8] = b"{[(";
const CLOSE: &[u8] = b"}])";

fn partner(of: u8, from: &[u8], to: &[u8]) -> Option<u8> {
    let at = from.iter().position(|byte| *byte == of)?;
    to.get(at).copied()
}

impl Run<'_> {
    fn reader(&self) -> Reader<'_> {
        Reader::new(self.text, self.at())
    }

    /// Moves by a walk that can only lead up.
    pub(crate) fn walk_up(&mut self, walk: impl FnOnce(&mut Reader<'_>)) {
        let mut reader = self.reader();
        walk(&mut reader);
        let at = reader.at;
        self.reach_up(at);
    }

    /// Moves by a walk that can only lead down.
    fn walk_down(&mut self, walk: impl FnOnce(&mut Reader<'_>)) {
        let mut reader = self.reader();
        walk(&mut reader);
        let at = reader.at;
        self.reach_down(at, Reset::Yes);
    }

    /// Takes the cursor to a place, scrolling up if it is out of sight.
    fn reach_up(&mut self, at: Pos) {
        let top = -self.mode.scroll;
        for _ in at.row..top {
            self.cursor_up(ScrollOnly::Yes);
        }
        self.mode.row = (at.row - top).max(0);
        self.mode.col = at.col;
        self.update_selection(Reset::Yes);
    }

    /// Takes the cursor to a place, scrolling down if it is out of sight.
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
        self.walk_up(|reader| reader.left(Wrap::Anywhere));
    }

    pub(crate) fn cursor_right(&mut self) {
        let reach = self.reach();
        self.walk_down(|reader| reader.right(Wrap::Anywhere, reach));
    }

    pub(crate) fn end_of_line(&mut self) {
        let reach = self.reach();
        self.walk_down(|reader| reader.line_end(reach));
    }

    pub(crate) fn next_word(&mut self, separators: &str) {
        self.walk_down(|reader| reader.next_word(separators));
    }

    /// Where the end of this word or the next is.
    pub(crate) fn word_end(&self, separators: &str) -> Pos {
        let mut reader = self.reader();
        if self.is_vi() {
            if !self.text.is_in(reader.at, WHITESPACE) {
                reader.right(Wrap::BrokenOnly, Reach::Text);
            }
            reader.next_word_end(separators);
            reader.left(Wrap::Anywhere);
        } else {
            reader.next_word_end(separators);
        }
        reader.at
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
        self.walk_up(|reader| reader.previous_word(separators, stay, stop));
    }

    pub(crate) fn jump_on(&mut self, wanted: &str) {
        let mut reader = self.reader();
        reader.at.col += 1;
        if reader.jump(wanted) {
            let at = reader.at;
            self.reach_down(at, Reset::Yes);
        }
    }

    pub(crate) fn jump_before(&mut self, wanted: &str) {
        let mut reader = self.reader();
        reader.at.col += 2;
        if reader.jump(wanted) {
            reader.left(Wrap::Anywhere);
            let at = reader.at;
            self.reach_down(at, Reset::Yes);
        }
    }

    pub(crate) fn jump_back_on(&mut self, wanted: &str) {
        let mut reader = self.reader();
        reader.left(Wrap::BrokenOnly);
        if reader.jump_back(wanted) {
            let at = reader.at;
            self.reach_up(at);
        }
    }

    pub(crate) fn jump_back_before(&mut self, wanted: &str) {
        let mut reader = self.reader();
        reader.left(Wrap::BrokenOnly);
        reader.left(Wrap::BrokenOnly);
        if reader.jump_back(wanted) {
            reader.right(Wrap::Anywhere, Reach::Text);
            let at = reader.at;
            self.reach_up(at);
        }
    }

    /// Remembers where the cursor was in its row, for the rows it is about to pass.
    fn remember_column(&mut self) {
        let length = self.text.length(self.at_row());
        if self.mode.col != length {
            self.mode.last_col = self.mode.col;
            self.mode.last_length = length;
        }
    }

    /// Whether the remembered column is past the end of the row the cursor is in now.
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

    /// After a step up or down: not past the end of the row, and at its end if lines are selected.
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
            self.relight();
            self.update_selection(Reset::Yes);
        }
    }

    /// Moves the view towards older text.
    fn scroll_up(&mut self, rows: i64) {
        let rows = rows.min(-self.text.top() - self.mode.scroll);
        if rows > 0 {
            self.mode.scroll += rows;
            self.relight();
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
        self.relight();
        self.update_selection(Reset::Yes);
    }

    /// To the beginning of a row of the view.
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
        self.relight();
        self.set_cursor(0, 0);
    }

    pub(crate) fn history_bottom(&mut self) {
        let selection = &self.mode.selection;
        if selection.lines == Lines::Upward && self.at_row() == selection.end.row {
            self.other_end();
        }
        self.mode.scroll = 0;
        self.relight();
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
        self.relight();
        self.update_selection(Reset::Yes);
    }

    pub(crate) fn next_paragraph(&mut self) {
        let mut row = self.at_row();
        let last = self.text.bottom();
        while row < last && self.text.length(row) == 0 {
            row += 1;
        }
        while row < last && self.text.length(row) > 0 {
            row += 1;
        }
        self.show(Pos::new(row, self.text.length(row)));
    }

    pub(crate) fn previous_paragraph(&mut self) {
        let mut row = self.at_row();
        while row > self.text.top() && self.text.length(row) == 0 {
            row -= 1;
        }
        while row > self.text.top() && self.text.length(row) > 0 {
            row -= 1;
        }
        self.show(Pos::new(row, 0));
    }

    /// Takes the cursor to a place; the view only moves if it is out of sight.
    pub(crate) fn show(&mut self, at: Pos) {
        self.show_quietly(at);
        self.relight();
    }

    /// The same, leaving the lit matches alone.
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

    /// The nearest row above or below with this mark of the shell.
    fn marked_row(&self, from: i64, direction: Direction, marks: u8) -> Option<i64> {
        let mut row = from;
        loop {
            row += match direction {
                Direction::Backward => -1,
                Direction::Forward => 1,
            };
            if row < self.text.top() || row > self.text.bottom() {
                return None;
            }
            if self.text.marks(row) & marks != 0 {
                return Some(row);
            }
        }
    }

    pub(crate) fn prompt(&mut self, direction: Direction) {
        let Some(row) = self.marked_row(self.at_row(), direction, MARK_PROMPT) else {
            return;
        };
        self.mode.scroll = (-row).max(0);
        self.relight();
        self.set_cursor(row.max(0), 0);
    }

    /// The first and last row of the output of the last command at or above the cursor; none if it wrote nothing.
    pub(crate) fn output_rows(&self) -> Option<(i64, i64)> {
        let above = || self.marked_row(self.at_row() + 1, Direction::Backward, MARK_OUTPUT);
        let first = self.own_output().or_else(above)?;
        if self.text.marks(first) & MARK_PROMPT != 0 {
            // The next prompt stands where the output would have begun.
            return None;
        }
        let next = self.marked_row(first, Direction::Forward, MARK_PROMPT);
        let mut last = next.unwrap_or(self.text.bottom() + 1) - 1;
        while last > first && self.text.length(last) == 0 {
            last -= 1;
        }
        Some((first, last))
    }

    /// Where the output begins of the command whose prompt or text the cursor is on, if that command has run. The further
    /// lines of a command may have prompts too; what was given up has an end, but no output.
    fn own_output(&self) -> Option<i64> {
        let from = self.at_row() + 1;
        let prompt = self.marked_row(from, Direction::Backward, MARK_PROMPT | MARK_OUTPUT)?;
        if self.text.marks(prompt) & MARK_PROMPT == 0 {
            return None;
        }
        let ran = self.marked_row(prompt, Direction::Forward, MARK_OUTPUT | MARK_END)?;
        (self.text.marks(ran) & MARK_OUTPUT != 0).then_some(ran)
    }

    pub(crate) fn previous_bracket(&mut self, repeat: u32) {
        let mut bytes = Vec::new();
        for _ in 0..repeat {
            let Pos { row, col } = self.at();
            if self.text.length(row) == 0 {
                return;
            }
            self.text.ascii(row, &mut bytes);
            let here = |col: usize| bytes.get(col).copied().unwrap_or(b' ');
            let mut start = col;
            if partner(here(col), CLOSE, OPEN).is_none() && !self.is_vi() && col > 0 {
                start = col - 1;
            }
            let Some(open) = partner(here(start), CLOSE, OPEN) else {
                if !self.is_vi() {
                    self.previous_word("}])", Stay::Leave);
                }
                continue;
            };
            if let Some(at) = self.opening(Pos::new(row, start), here(start), open) {
                self.show(at);
            }
        }
    }

    /// The bracket that opens the closing one at `from`.
    fn opening(&self, from: Pos, close: u8, open: u8) -> Option<Pos> {
        let mut bytes = Vec::new();
        let mut depth = 1;
        let mut row = from.row;
        self.text.ascii(row, &mut bytes);
        let mut end = from.col;
        loop {
            for col in (0..end.min(bytes.len())).rev() {
                depth += i64::from(bytes[col] == close) - i64::from(bytes[col] == open);
                if depth == 0 {
                    return Some(Pos::new(row, col));
                }
            }
            if row <= self.text.top() {
                return None;
            }
            row -= 1;
            self.text.ascii(row, &mut bytes);
            end = self.text.length(row);
        }
    }

    /// The bracket that closes the opening one at `from`.
    fn closing(&self, from: Pos, open: u8, close: u8) -> Option<Pos> {
        let mut bytes = Vec::new();
        let mut depth = 1;
        let mut row = from.row;
        let mut first = from.col + 1;
        loop {
            self.text.ascii(row, &mut bytes);
            for (col, byte) in bytes.iter().enumerate().skip(first) {
                depth += i64::from(*byte == open) - i64::from(*byte == close);
                if depth == 0 {
                    return Some(Pos::new(row, col));
                }
            }
            if row >= self.text.bottom() {
                return None;
            }
            row += 1;
            first = 0;
        }
    }

    pub(crate) fn next_bracket(&mut self, repeat: u32) {
        for _ in 0..repeat {
            if self.text.length(self.at_row()) == 0 {
                return;
            }
            let Some((at, byte)) = self.bracket_ahead() else {
                if !self.is_vi() {
                    self.next_word_end("{[(", Reset::Yes);
                }
                continue;
            };
            if self.is_vi() && partner(byte, CLOSE, OPEN).is_some() {
                // In vi the same key goes both ways.
                let before = self.at();
                self.show(at);
                self.previous_bracket(1);
                let mut bytes = Vec::new();
                self.text.ascii(self.at_row(), &mut bytes);
                if bytes.get(self.mode.col).is_some_and(|b| CLOSE.contains(b)) {
                    self.show(before);
                }
                return;
            }
            let close = partner(byte, OPEN, CLOSE).unwrap_or(byte);
            if let Some(at) = self.closing(at, byte, close) {
                self.show(at);
            }
        }
    }

    /// The bracket a jump begins at: at the cursor, or behind it; in vi anywhere on the line.
    fn bracket_ahead(&self) -> Option<(Pos, u8)> {
        let mut bytes = Vec::new();
        let mut at = self.at();
        self.text.ascii(at.row, &mut bytes);
        let wanted = |byte: u8| OPEN.contains(&byte) || (self.is_vi() && CLOSE.contains(&byte));
        if !self.is_vi() {
            let found =
                (at.col..at.col + 2).find(|col| bytes.get(*col).is_some_and(|b| wanted(*b)));
            return found.map(|col| (Pos::new(at.row, col), bytes[col]));
        }
        loop {
            let found = bytes
                .iter()
                .enumerate()
                .skip(at.col)
                .find(|(_, b)| wanted(**b));
            if let Some((col, byte)) = found {
                return Some((Pos::new(at.row, col), *byte));
            }
            if at.row >= self.text.bottom() || !self.text.is_wrapped(at.row) {
                return None;
            }
            at = Pos::new(at.row + 1, 0);
            self.text.ascii(at.row, &mut bytes);
        }
    }
}
