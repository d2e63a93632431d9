//! The selected text.

use crate::mode::CopyMode;
use crate::options::{CopyOptions, ModeKeys};
use crate::selection::{Drag, Lines};
use crate::text::{Pos, Text, trimmed, written};

/// The selected columns of each row, without the end.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: Pos,
    last: Pos,
    /// The columns of the rows in between.
    rest: (usize, usize),
}

impl CopyMode {
    /// The text that would be copied: the selection, or else the match under the cursor.
    #[must_use]
    pub fn selected_text(&self, text: &dyn Text, options: &CopyOptions) -> Option<String> {
        let selection = &self.selection;
        if !selection.exists && selection.lines == Lines::No {
            let found = self.match_text(text);
            return found.filter(|found| !found.is_empty());
        }
        let vi = options.mode_keys == ModeKeys::Vi;
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
        // In vi, the newline is part of the selection only if the cursor was on it.
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
