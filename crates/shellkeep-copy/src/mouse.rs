//! The mouse: pressing, dragging, and scrolling at the edges.

use crate::mode::CopyMode;
use crate::motion::{Motion, ScrollOnly};
use crate::options::CopyOptions;
use crate::selection::{Reset, Unit};
use crate::text::{Pos, Text};
use crate::walker::{Stay, StopAtEnd, Walker};

/// Whether the view continues to scroll while the button is held and the mouse does not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoScroll {
    /// Call [`CopyMode::drag_scroll`] again after a while.
    Go,
    Stop,
}

impl CopyMode {
    /// Moves the cursor to the mouse, which every mouse command except the wheel does first.
    pub fn point(&mut self, row: u16, col: u16, text: &dyn Text) {
        self.row = i64::from(row);
        self.col = usize::from(col);
        self.hold(text);
    }

    /// Handles the first motion with the button held, at a position of the view.
    pub fn drag_start(
        &mut self,
        row: u16,
        col: u16,
        text: &dyn Text,
        options: &CopyOptions,
    ) -> AutoScroll {
        self.hold(text);
        let at = Pos::new(i64::from(row) - self.scroll, usize::from(col));
        let selection = &mut self.selection;
        // If the drag starts in the selection of a double click, it continues by words, otherwise by characters.
        let inside = at.row == selection.least_start.row
            && (selection.least_start.col..=selection.least_end.col).contains(&at.col);
        if !inside {
            selection.unit = Unit::Char;
        }
        match selection.unit {
            Unit::Char => {
                self.point(row, col, text);
                self.motion(text, options).start_selection();
            }
            Unit::Line => self.point(row, 0, text),
            Unit::Word => {
                let mut walker = Walker::new(text, at);
                let separators = selection.separators.clone();
                walker.previous_word(&separators, Stay::OnWord, StopAtEnd::Yes);
                self.row = walker.at.row + self.scroll;
                self.col = walker.at.col;
                self.hold(text);
            }
        }
        self.drag_to(row, col, text, options)
    }

    /// Handles further motion with the button held.
    pub fn drag_to(
        &mut self,
        row: u16,
        col: u16,
        text: &dyn Text,
        options: &CopyOptions,
    ) -> AutoScroll {
        let before = (self.row, self.col);
        self.point(row, col, text);
        self.motion(text, options).update_selection(Reset::Yes);
        if before.0 != self.row || before.1 == self.col {
            self.drag_scroll(text, options)
        } else {
            AutoScroll::Stop
        }
    }

    /// Scrolls one row if the cursor is at the upper or lower edge of the view.
    pub fn drag_scroll(&mut self, text: &dyn Text, options: &CopyOptions) -> AutoScroll {
        self.hold(text);
        let mut motion = self.motion(text, options);
        if motion.mode.row == 0 {
            motion.cursor_up(ScrollOnly::Yes);
        } else if motion.mode.row == motion.last_row() {
            motion.cursor_down(ScrollOnly::Yes);
        } else {
            return AutoScroll::Stop;
        }
        self.hold(text);
        AutoScroll::Go
    }

    fn motion<'a>(&'a mut self, text: &'a dyn Text, options: &'a CopyOptions) -> Motion<'a> {
        Motion {
            mode: self,
            text,
            options,
        }
    }
}
