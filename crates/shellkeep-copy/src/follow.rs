//! Updates the selection when the cursor moves.

use crate::motion::Motion;
use crate::selection::{Drag, Lines, Reset, Unit};
use crate::text::{Pos, WHITESPACE};
use crate::walker::{Stay, StopAtEnd, Walker};

impl Motion<'_> {
    pub(crate) fn start_selection(&mut self) {
        let at = self.at();
        let selection = &mut self.mode.selection;
        selection.start = at;
        selection.end = at;
        selection.drag = Drag::End;
        self.set_selection(Reset::Yes);
    }

    /// Updates the selection for the cursor's position, if there is a selection.
    pub(crate) fn update_selection(&mut self, reset: Reset) {
        let selection = &self.mode.selection;
        if selection.exists || selection.lines != Lines::No {
            self.set_selection(reset);
        }
    }

    fn set_selection(&mut self, reset: Reset) {
        match self.mode.selection.drag {
            Drag::Neither => {}
            Drag::Start => self.follow(Drag::Start, reset),
            Drag::End => self.follow(Drag::End, reset),
        }
        self.mode.selection.exists = true;
    }

    fn follow(&mut self, mut drag: Drag, reset: Reset) {
        let mut at = self.at();
        let unit = self.mode.selection.unit;
        if reset == Reset::Yes && unit != Unit::Char {
            let origin = self.mode.selection.origin;
            let back = match unit {
                Unit::Line => at.row < origin.row,
                _ => at.is_before(origin),
            };
            drag = if back { Drag::Start } else { Drag::End };
            at = match unit {
                Unit::Line => self.line_edge(at, drag),
                _ => self.word_edge(at, drag),
            };
            let selection = &mut self.mode.selection;
            if back {
                selection.end = selection.least_end;
            } else {
                selection.start = selection.least_start;
            }
        }
        match drag {
            Drag::Start => self.mode.selection.start = at,
            _ => self.mode.selection.end = at,
        }
    }

    fn line_edge(&self, at: Pos, drag: Drag) -> Pos {
        if drag == Drag::Start {
            return Pos::new(at.row, 0);
        }
        let row = at.row.max(self.mode.selection.least_end.row);
        Pos::new(row, self.text.length(row))
    }

    fn word_edge(&self, at: Pos, drag: Drag) -> Pos {
        let separators = &self.mode.selection.separators;
        if drag == Drag::Start {
            let mut walker = Walker::new(self.text, at);
            walker.previous_word(separators, Stay::OnWord, StopAtEnd::Yes);
            return walker.at;
        }
        let next = Pos::new(at.row, at.col + 1);
        if at.col >= self.text.length(at.row) || !self.text.is_in(next, WHITESPACE) {
            self.word_end(separators)
        } else {
            at
        }
    }

    pub(crate) fn clear_selection(&mut self) {
        let selection = &mut self.mode.selection;
        selection.exists = false;
        selection.drag = Drag::Neither;
        selection.lines = Lines::No;
        selection.unit = Unit::Char;
        self.hold_column();
    }

    /// Moves the cursor back to the end of its row's text.
    fn hold_column(&mut self) {
        let length = self.text.length(self.at_row());
        self.mode.col = self.mode.col.min(length);
    }

    /// `None` toggles rectangles.
    pub(crate) fn set_rectangle(&mut self, on: Option<bool>) {
        let selection = &mut self.mode.selection;
        selection.lines = Lines::No;
        selection.rectangle = on.unwrap_or(!selection.rectangle);
        self.hold_column();
        self.update_selection(Reset::Yes);
    }

    pub(crate) fn other_end(&mut self) {
        let selection = &mut self.mode.selection;
        if !selection.exists && selection.lines == Lines::No {
            return;
        }
        selection.lines = match selection.lines {
            Lines::No => Lines::No,
            Lines::Downward => Lines::Upward,
            Lines::Upward => Lines::Downward,
        };
        let target = if selection.drag == Drag::End {
            selection.drag = Drag::Start;
            selection.start
        } else {
            selection.drag = Drag::End;
            selection.end
        };
        let rows = self.last_row() + 1;
        let first = -self.mode.scroll;
        self.mode.col = target.col;
        if target.row < first {
            self.mode.scroll = -target.row;
            self.mode.row = 0;
        } else if target.row >= first + rows {
            self.mode.scroll = rows - 1 - target.row;
            self.mode.row = rows - 1;
        } else {
            self.mode.row = target.row - first;
        }
        self.update_selection(Reset::No);
    }
}
