//! Output that the server itself writes to a pane's screen, between what programs print. Clients with taps on the pane
//! are sent it too, or their screens would differ.

use shellkeep_core::PaneId;
use shellkeep_term::view::{MARK_END, MARK_OUTPUT, MARK_PROMPT};
use shellkeep_term::{Effects, Emulator};

use crate::model::{Model, Pane};

/// Prints a line above the prompt of a pane's shell. The prompt moves down with the cursor, so the shell's idea of its
/// line stays right.
pub(crate) fn print_above_prompt(model: &Model, id: PaneId, text: &str) {
    write_server_output(model, id, |screen| {
        let cursor = screen.cursor();
        let last = screen.size().rows().saturating_sub(1);
        let mut bytes = String::new();
        let (mut prompt, mut row) = (prompt_row(screen).unwrap_or(cursor.row), cursor.row);
        if row == last && prompt > 0 {
            // There is no room below, so scroll up by one row.
            bytes.push_str(&format!("\x1b[{};1H\n", last + 1));
            (prompt, row) = (prompt - 1, row - 1);
        }
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        bytes.push_str(&format!(
            "\x1b[{};1H\x1b[L\x1b[?7l\x1b[2m[shellkeep: {text}]\x1b[m\x1b[?7h\x1b[{};{}H",
            prompt + 1,
            row + 2,
            cursor.col + 1
        ));
        bytes
    });
}

/// Erases the old prompt, so that a new one appears in its place: after any output of a command that is left in its
/// row.
pub(crate) fn erase_prompt(model: &Model, id: PaneId) {
    write_server_output(model, id, |screen| {
        let Some(prompt) = prompt_row(screen) else {
            return String::new();
        };
        // Row by row: erasing the whole screen at once would move it into the history.
        let rows = prompt + 1..screen.size().rows();
        let mut bytes: String = rows
            .map(|row| format!("\x1b[{};1H\x1b[2K", row + 1))
            .collect();
        bytes.push_str(&match screen.prompt_col() {
            0 => format!("\x1b[{};1H\x1b[2K", prompt + 1),
            col if col < screen.size().cols() => {
                format!("\x1b[{};{}H\x1b[K", prompt + 1, col + 1)
            }
            // There is no room left in that row.
            _ => format!("\x1b[{};1H\r\n", prompt + 1),
        });
        bytes
    });
}

/// Writes to a pane's screen what `write` makes of its contents.
pub(crate) fn write_server_output(
    model: &Model,
    id: PaneId,
    write: impl FnOnce(&Emulator) -> String,
) {
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let mut shown = pane.screen.lock();
    let bytes = write(&shown);
    if bytes.is_empty() {
        return;
    }
    shown.feed(bytes.as_bytes(), &mut Effects::new());
    drop(shown);
    let Pane { taps, screen, .. } = pane;
    taps.server_printed(id, bytes.as_bytes());
    screen.changed();
}

/// The row in which the prompt at the cursor begins. None if a command's output is in between: a server that was killed
/// on a full disk may have lost the later prompt, and the earlier one must not be erased together with that output.
fn prompt_row(screen: &Emulator) -> Option<u16> {
    let marks = |row: u16| screen.row(row).marks();
    let is_marked = |row: &u16| marks(*row) & (MARK_PROMPT | MARK_OUTPUT | MARK_END) != 0;
    let marked = (0..=screen.cursor().row).rev().find(is_marked);
    marked.filter(|row| marks(*row) & MARK_PROMPT != 0)
}

#[cfg(test)]
mod tests {
    use shellkeep_core::Size;
    use shellkeep_term::Config;

    use super::*;

    const PROMPT: &str = "\x1b]133;A\x1b\\$ \x1b]133;B\x1b\\";
    const RUNS: &str = "\r\n\x1b]133;C\x1b\\";
    const ENDS: &str = "\x1b]133;D;0\x1b\\";

    fn row_after(text: &str) -> Option<u16> {
        let mut screen = Emulator::new(Size::new(10, 40), Config::default());
        screen.feed(text.as_bytes(), &mut Effects::new());
        prompt_row(&screen)
    }

    #[test]
    fn prompt_is_the_one_that_the_cursor_is_in() {
        assert_eq!(row_after(&format!("{PROMPT}ls")), Some(0));
        let ran = format!("{PROMPT}ls{RUNS}a\r\nb\r\n{ENDS}");
        assert_eq!(row_after(&format!("{ran}{PROMPT}half a li")), Some(3));
        // A command without output, and one that has left its line open.
        assert_eq!(
            row_after(&format!("{PROMPT}true{RUNS}{ENDS}{PROMPT}")),
            Some(1)
        );
        assert_eq!(
            row_after(&format!("{PROMPT}x{RUNS}open{ENDS}{PROMPT}")),
            Some(1)
        );
    }

    #[test]
    fn prompt_above_what_a_command_printed_is_not_the_one() {
        let ran = format!("{PROMPT}ls{RUNS}a\r\nb\r\n");
        assert_eq!(row_after(&ran), None);
        assert_eq!(row_after(&format!("{ran}{ENDS}")), None);
    }
}
