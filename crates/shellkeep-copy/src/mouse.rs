//! The mouse: pressing, dragging, and scrolling by itself at the edges.

use crate::mode::CopyMode;
use crate::motion::{Motion, ScrollOnly};
use crate::options::CopyOptions;
use crate::selection::{Reset, Unit};
use crate::text::{Pos, Text};
use crate::walker::{Stay, StopAtEnd, Walker};

/// Whether the view goes on scrolling while the button is held and the mouse is still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoScroll {
    /// Call [`CopyMode::drag_scroll`] again after a while.
    Go,
    Stop,
}

impl CopyMode {
    /// Puts the cursor where the mouse is, as every mouse command but the wheel does first.
    pub fn point(&mut self, row: u16, col: u16, text: &dyn Text) {
        self.row = i64::from(row);
        self.col = usize::from(col);
        self.hold(text);
    }

    /// The mouse began to move with the button down, at a place of the view.
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
        // Inside what a double click selected, words are dragged on; elsewhere characters.
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

    /// The mouse moved on with the button down.
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

    /// Scrolls a row if the cursor is at the view's upper or lower edge.
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
