//! Finds prompts and the output of commands by the shell's marks.

use shellkeep_term::view::{MARK_END, MARK_OUTPUT, MARK_PROMPT};

use crate::command::Direction;
use crate::text::Text;

/// The nearest row above or below with this mark.
pub(crate) fn marked_row(
    text: &dyn Text,
    from: i64,
    direction: Direction,
    marks: u8,
) -> Option<i64> {
    let mut row = from;
    loop {
        row += match direction {
            Direction::Backward => -1,
            Direction::Forward => 1,
        };
        if row < text.top() || row > text.bottom() {
            return None;
        }
        if text.marks(row) & marks != 0 {
            return Some(row);
        }
    }
}

/// The first and last row of the output of the last command at or above a row; `None` if it printed nothing.
pub(crate) fn output_rows(text: &dyn Text, row: i64) -> Option<(i64, i64)> {
    let above = || marked_row(text, row + 1, Direction::Backward, MARK_OUTPUT);
    let first = own_output(text, row).or_else(above)?;
    if text.marks(first) & MARK_PROMPT != 0 {
        // The next prompt is where the output would have begun.
        return None;
    }
    let next = marked_row(text, first, Direction::Forward, MARK_PROMPT);
    let mut last = next.unwrap_or(text.bottom() + 1) - 1;
    while last > first && text.length(last) == 0 {
        last -= 1;
    }
    Some((first, last))
}

/// The row in which the output of a command begins, if `row` is part of its prompt or command line and the command has
/// run. Continuation lines may have prompts too. An aborted command line has an end mark, but no output mark.
fn own_output(text: &dyn Text, row: i64) -> Option<i64> {
    let from = row + 1;
    let prompt = marked_row(text, from, Direction::Backward, MARK_PROMPT | MARK_OUTPUT)?;
    if text.marks(prompt) & MARK_PROMPT == 0 {
        return None;
    }
    let ran = marked_row(text, prompt, Direction::Forward, MARK_OUTPUT | MARK_END)?;
    (text.marks(ran) & MARK_OUTPUT != 0).then_some(ran)
}
