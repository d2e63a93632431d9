//! Walks through the text: the targets of motions by words, lines and characters.

use crate::text::{Pos, Text, WHITESPACE};

/// Whether a walk continues in the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrap {
    /// Always, even at the end of a line.
    Anywhere,
    /// Only where the margin broke the line.
    BrokenOnly,
}

/// How far to the right a row reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Text,
    Margin,
}

/// Where a word backwards may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stay {
    /// At the word under the cursor.
    OnWord,
    /// At an earlier word.
    Leave,
}

#[derive(Clone, Copy)]
pub(crate) struct Walker<'a> {
    pub(crate) text: &'a dyn Text,
    pub(crate) at: Pos,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(text: &'a dyn Text, at: Pos) -> Self {
        Self { text, at }
    }

    fn is_in(&self, set: &str) -> bool {
        self.text.is_in(self.at, set)
    }

    fn is_blank(&self) -> bool {
        self.is_in(WHITESPACE)
    }

    fn reach(&self, reach: Reach) -> usize {
        match reach {
            Reach::Text => self.text.length(self.at.row),
            Reach::Margin => self.text.width(),
        }
    }

    /// Moves one character forward.
    pub(crate) fn right(&mut self, wrap: Wrap, reach: Reach) {
        let end = self.reach(reach);
        if wrap == Wrap::Anywhere && self.at.col >= end && self.at.row < self.text.bottom() {
            self.at.col = 0;
            self.at.row += 1;
        } else if self.at.col < end {
            self.at.col += 1;
            while self.at.col < end && self.text.is_half(self.at) {
                self.at.col += 1;
            }
        }
    }

    /// Moves one character back.
    pub(crate) fn left(&mut self, wrap: Wrap) {
        self.leave_half();
        if self.at.col > 0 {
            self.at.col -= 1;
            return;
        }
        let above = self.at.row - 1;
        if self.at.row > self.text.top() && (wrap == Wrap::Anywhere || self.text.is_wrapped(above))
        {
            self.up();
            self.at.col = self.text.length(self.at.row);
        }
    }

    fn leave_half(&mut self) {
        while self.at.col > 0 && self.text.is_half(self.at) {
            self.at.col -= 1;
        }
    }

    fn up(&mut self) {
        if self.at.row > self.text.top() {
            self.at.row -= 1;
        }
        self.leave_half();
    }

    /// Moves to the beginning of the line, across all its rows.
    pub(crate) fn line_start(&mut self) {
        while self.at.row > self.text.top() && self.text.is_wrapped(self.at.row - 1) {
            self.at.row -= 1;
        }
        self.at.col = 0;
    }

    /// Moves to the end of the line, across all its rows.
    pub(crate) fn line_end(&mut self, reach: Reach) {
        while self.at.row < self.text.bottom() && self.text.is_wrapped(self.at.row) {
            self.at.row += 1;
        }
        self.at.col = self.reach(reach);
    }

    /// Moves to the first character of the line that is not blank.
    pub(crate) fn indentation(&mut self) {
        let start = self.at;
        self.line_start();
        let first = self.at;
        for row in first.row..=self.text.bottom() {
            for col in 0..self.text.length(row) {
                let at = Pos::new(row, col);
                if !self.text.is_in(at, WHITESPACE) && !self.text.is_half(at) {
                    self.at = at;
                    return;
                }
            }
            if !self.text.is_wrapped(row) {
                break;
            }
        }
        self.at = start;
    }

    /// The last column at which a walk over words stops in a row: a wrapped word continues below.
    fn word_limit(&self) -> usize {
        if self.text.is_wrapped(self.at.row) {
            self.text.width().saturating_sub(1)
        } else {
            self.text.length(self.at.row)
        }
    }

    /// Goes to the next row if the column is after the limit. False at the end of the text.
    fn settle(&mut self, limit: &mut usize) -> bool {
        while self.at.col > *limit {
            if self.at.row >= self.text.bottom() {
                return false;
            }
            self.at.col = 0;
            self.at.row += 1;
            *limit = self.word_limit();
        }
        true
    }

    /// Skips the rest of a run of separators or of letters, whichever is under the cursor.
    fn skip_run(&mut self, separators: &str, limit: &mut usize) {
        let on_separator = self.is_in(separators);
        loop {
            self.at.col += 1;
            if !self.settle(limit) || self.is_blank() || self.is_in(separators) != on_separator {
                return;
            }
        }
    }

    /// Moves to the beginning of the next word.
    pub(crate) fn next_word(&mut self, separators: &str) {
        let mut limit = self.word_limit();
        if !self.settle(&mut limit) {
            return;
        }
        if !self.is_blank() {
            self.skip_run(separators, &mut limit);
        }
        while self.settle(&mut limit) && self.is_blank() {
            self.at.col += 1;
        }
    }

    /// Moves to just after the end of this word or the next.
    pub(crate) fn next_word_end(&mut self, separators: &str) {
        let mut limit = self.word_limit();
        while self.settle(&mut limit) {
            if self.is_blank() {
                self.at.col += 1;
            } else {
                self.skip_run(separators, &mut limit);
                return;
            }
        }
    }

    /// Moves to the beginning of this word or the one before. `stop` is whether to stop at lines that end in a blank.
    pub(crate) fn previous_word(&mut self, separators: &str, stay: Stay, stop: StopAtEnd) {
        let mut letters = !self.is_in(separators);
        if stay == Stay::Leave || self.is_blank() {
            loop {
                if self.at.col > 0 {
                    self.at.col -= 1;
                    if !self.is_blank() {
                        letters = !self.is_in(separators);
                        break;
                    }
                    continue;
                }
                if self.at.row <= self.text.top() {
                    return;
                }
                self.up();
                self.at.col = self.text.length(self.at.row);
                let last = Pos::new(self.at.row, self.at.col.saturating_sub(1));
                if stop == StopAtEnd::Yes && self.at.col > 0 && self.text.is_in(last, WHITESPACE) {
                    letters = false;
                    break;
                }
            }
        }
        self.word_start(separators, letters);
    }

    /// Moves to the beginning of the run of letters or separators under the cursor.
    fn word_start(&mut self, separators: &str, letters: bool) {
        loop {
            let last = self.at;
            if self.at.col == 0 {
                if self.at.row <= self.text.top() || !self.text.is_wrapped(self.at.row - 1) {
                    return;
                }
                self.up();
                self.at.col = self.text.width();
            }
            self.at.col = self.at.col.saturating_sub(1);
            if self.is_blank() || letters == self.is_in(separators) {
                self.at = last;
                return;
            }
        }
    }

    /// Moves to the next cell of the line that shows `wanted`, including this one.
    pub(crate) fn jump(&mut self, wanted: &str) -> bool {
        let mut col = self.at.col;
        for row in self.at.row..=self.text.bottom() {
            for col in col..self.text.length(row) {
                if self.text.shows(Pos::new(row, col), wanted) {
                    self.at = Pos::new(row, col);
                    return true;
                }
            }
            if !self.text.is_wrapped(row) {
                break;
            }
            col = 0;
        }
        false
    }

    /// Moves to the previous cell of the line that shows `wanted`, including this one.
    pub(crate) fn jump_back(&mut self, wanted: &str) -> bool {
        let mut end = self.at.col + 1;
        let mut row = self.at.row;
        loop {
            for col in (0..end).rev() {
                if self.text.shows(Pos::new(row, col), wanted) {
                    self.at = Pos::new(row, col);
                    return true;
                }
            }
            if row <= self.text.top() || !self.text.is_wrapped(row - 1) {
                return false;
            }
            row -= 1;
            end = self.text.length(row);
        }
    }
}

/// Whether a motion back by words stops at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopAtEnd {
    /// As in emacs.
    Yes,
    /// As in vi.
    No,
}
