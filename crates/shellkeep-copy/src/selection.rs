//! The selection: how it follows the cursor, and the text in it.

use crate::mode::{CopyMode, CopyOptions, Drag, Lines, Unit};
use crate::reader::{Reader, Stay, StopAtEnd};
use crate::run::Run;
use crate::text::{Pos, Text, WHITESPACE, trimmed, written};

/// Whether a selection by words or lines is stretched to whole ones again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reset {
    Yes,
    No,
}

impl Run<'_> {
    pub(crate) fn start_selection(&mut self) {
        let at = self.at();
        let selection = &mut self.mode.selection;
        selection.start = at;
        selection.end = at;
        selection.drag = Drag::End;
        self.set_selection(Reset::Yes);
    }

    /// Lets the selection follow the cursor, if there is one.
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
            let mut reader = Reader::new(self.text, at);
            reader.previous_word(separators, Stay::OnWord, StopAtEnd::Yes);
            return reader.at;
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

    /// Takes the cursor back to the end of its row's text.
    fn hold_column(&mut self) {
        let length = self.text.length(self.at_row());
        self.mode.col = self.mode.col.min(length);
    }

    /// `None` turns rectangles on if they were off, and off if they were on.
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

    pub(crate) fn select_line(&mut self, repeat: u32) {
        let at = self.at();
        let selection = &mut self.mode.selection;
        selection.lines = Lines::Downward;
        selection.rectangle = false;
        selection.unit = Unit::Line;
        selection.origin = at;
        self.walk_up(|reader| reader.line_start());
        let start = self.at();
        self.mode.selection.least_start = start;
        self.mode.selection.least_end.row = start.row;
        self.start_selection();
        self.end_of_line();
        let row = self.at_row();
        self.mode.selection.least_end = Pos::new(row, self.text.length(row));
        for _ in 1..repeat {
            self.cursor_down(crate::motion::ScrollOnly::No);
            self.end_of_line();
        }
    }

    pub(crate) fn select_word(&mut self) {
        let at = self.at();
        let separators = self.options.word_separators.clone();
        let selection = &mut self.mode.selection;
        selection.lines = Lines::Downward;
        selection.rectangle = false;
        selection.unit = Unit::Word;
        selection.origin = at;
        selection.separators.clone_from(&separators);
        self.previous_word(&separators, Stay::OnWord);
        let start = self.at();
        self.mode.selection.least_start = start;
        self.start_selection();
        let mut next = Pos::new(start.row, start.col + 1);
        if self.text.is_wrapped(start.row) && next.col >= self.text.width() {
            next = Pos::new(start.row + 1, 0);
        }
        // A word of one character has its end where it begins.
        if start.col >= self.text.length(start.row) || !self.text.is_in(next, WHITESPACE) {
            self.next_word_end(&separators, Reset::No);
        } else {
            self.mode.col = start.col;
            self.update_selection(Reset::No);
        }
        let end = self.at();
        let selection = &mut self.mode.selection;
        selection.least_end = end;
        if selection.origin.row > end.row {
            selection.origin = end;
        } else if selection.origin.col > end.col {
            selection.origin.col = end.col;
        }
    }

    /// Selects what the last command at or above the cursor wrote: nothing, if it wrote nothing.
    pub(crate) fn select_output(&mut self) {
        self.clear_selection();
        let Some((first, last)) = self.output_rows() else {
            return;
        };
        self.mode.selection.rectangle = false;
        self.show(Pos::new(first, 0));
        self.start_selection();
        self.show(Pos::new(last, self.text.length(last)));
    }

    pub(crate) fn selected_text(&self) -> Option<String> {
        self.mode.selected_text(self.text, self.options)
    }
}

/// The columns of each row that are selected, the end not included.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: Pos,
    last: Pos,
    /// Columns of rows between.
    rest: (usize, usize),
}

impl CopyMode {
    /// The text that a copy would take: the selection, or else the match under the cursor.
    #[must_use]
    pub fn selected_text(&self, text: &dyn Text, options: &CopyOptions) -> Option<String> {
        let selection = &self.selection;
        if !selection.exists && selection.lines == Lines::No {
            let found = self.match_text(text);
            return found.filter(|found| !found.is_empty());
        }
        let vi = options.mode_keys == crate::mode::ModeKeys::Vi;
        let (first, mut last) = if selection.end.is_before(selection.start) {
            (selection.end, selection.start)
        } else {
            (selection.start, selection.end)
        };
        let length = text.length(last.row);
        last.col = last.col.min(length);
        let block = if selection.rectangle {
            let fixed = match selection.drag {
                Drag::End => selection.start.col,
                _ => selection.end.col,
            };
            let (left, right) = if fixed < self.col {
                (fixed, self.col + usize::from(vi))
            } else {
                (self.col, fixed + 1)
            };
            Block {
                first: Pos::new(first.row, left),
                last: Pos::new(last.row, right),
                rest: (left, right),
            }
        } else {
            Block {
                first,
                last: Pos::new(last.row, last.col + usize::from(vi)),
                rest: (0, text.width()),
            }
        };
        let mut out = block.text(text);
        if out.is_empty() {
            return None;
        }
        // The line's end is part of the selection only if vi's cursor was on it.
        let wrapped = text.is_wrapped(last.row);
        if (!vi || block.last.col <= length) && (!wrapped || block.last.col != length) {
            out.pop();
        }
        (!out.is_empty()).then_some(out)
    }
}

impl Block {
    fn text(&self, text: &dyn Text) -> String {
        let mut out = String::new();
        for row in self.first.row..=self.last.row {
            let mut from = self.rest.0;
            let mut to = self.rest.1;
            if row == self.first.row {
                from = self.first.col;
            }
            if row == self.last.row {
                to = self.last.col;
            }
            if from <= to {
                text.with_row(row, &mut |view| {
                    let whole = view.is_wrapped();
                    let length = if whole {
                        written(&view)
                    } else {
                        trimmed(&view)
                    };
                    for col in from.min(length)..to.min(length) {
                        view.cell(col as u16).push_to(&mut out);
                    }
                    if !whole || to < text.width() {
                        out.push('\n');
                    }
                });
            }
        }
        out
    }
}
