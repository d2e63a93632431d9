//! Selects a line, a word, or the output of a command.

use crate::motion::ScrollOnly;
use crate::prompts;
use crate::run::Run;
use crate::selection::{Lines, Reset, Unit};
use crate::text::{Pos, WHITESPACE};
use crate::walker::Stay;

impl Run<'_> {
    pub(crate) fn select_line(&mut self, repeat: u32) {
        let at = self.motion.at();
        let selection = &mut self.motion.mode.selection;
        selection.lines = Lines::Downward;
        selection.rectangle = false;
        selection.unit = Unit::Line;
        selection.origin = at;
        self.motion.walk_up(|walker| walker.line_start());
        let start = self.motion.at();
        self.motion.mode.selection.least_start = start;
        self.motion.mode.selection.least_end.row = start.row;
        self.motion.start_selection();
        self.motion.end_of_line();
        let row = self.motion.at_row();
        self.motion.mode.selection.least_end = Pos::new(row, self.motion.text.length(row));
        for _ in 1..repeat {
            self.motion.cursor_down(ScrollOnly::No);
            self.motion.end_of_line();
        }
    }

    pub(crate) fn select_word(&mut self) {
        let at = self.motion.at();
        let separators = self.motion.options.word_separators.clone();
        let selection = &mut self.motion.mode.selection;
        selection.lines = Lines::Downward;
        selection.rectangle = false;
        selection.unit = Unit::Word;
        selection.origin = at;
        selection.separators.clone_from(&separators);
        self.motion.previous_word(&separators, Stay::OnWord);
        let start = self.motion.at();
        self.motion.mode.selection.least_start = start;
        self.motion.start_selection();
        let mut next = Pos::new(start.row, start.col + 1);
        if self.motion.text.is_wrapped(start.row) && next.col >= self.motion.text.width() {
            next = Pos::new(start.row + 1, 0);
        }
        // A word of one character ends where it begins.
        if start.col >= self.motion.text.length(start.row)
            || !self.motion.text.is_in(next, WHITESPACE)
        {
            self.motion.next_word_end(&separators, Reset::No);
        } else {
            self.motion.mode.col = start.col;
            self.motion.update_selection(Reset::No);
        }
        let end = self.motion.at();
        let selection = &mut self.motion.mode.selection;
        selection.least_end = end;
        if selection.origin.row > end.row {
            selection.origin = end;
        } else if selection.origin.col > end.col {
            selection.origin.col = end.col;
        }
    }

    /// Selects the output of the last command at or above the cursor. Selects nothing if there is none.
    pub(crate) fn select_output(&mut self) {
        self.motion.clear_selection();
        let Some((first, last)) = prompts::output_rows(self.motion.text, self.motion.at_row())
        else {
            return;
        };
        self.motion.mode.selection.rectangle = false;
        self.motion.show(Pos::new(first, 0));
        self.motion.start_selection();
        self.motion
            .show(Pos::new(last, self.motion.text.length(last)));
    }

    pub(crate) fn selected_text(&self) -> Option<String> {
        self.motion
            .mode
            .selected_text(self.motion.text, self.motion.options)
    }
}
