//! What the server itself writes on a pane's screen, around what programs print there. Clients that hear the pane hear of it
//! as if the program had: their screens would differ from ours otherwise.

use shellkeep_core::PaneId;
use shellkeep_term::view::{MARK_END, MARK_OUTPUT, MARK_PROMPT};
use shellkeep_term::{Effects, Emulator};

use crate::model::{Model, Pane};

/// Says something in a pane whose shell shows its prompt: in a line of its own above that, so that the shell finds its
/// cursor where it left it.
pub(crate) fn say_above_prompt(model: &Model, id: PaneId, text: &str) {
    retouch(model, id, |screen| {
        let cursor = screen.cursor();
        let last = screen.size().rows().saturating_sub(1);
        let mut bytes = String::new();
        let (mut prompt, mut row) = (prompt_row(screen).unwrap_or(cursor.row), cursor.row);
        if row == last && prompt > 0 {
            // There is no room below: all of it moves up.
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

/// Takes the old prompt away, so that the new one stands where it stood: behind what a command has left in its row.
pub(crate) fn erase_prompt(model: &Model, id: PaneId) {
    retouch(model, id, |screen| {
        let Some(prompt) = prompt_row(screen) else {
            return String::new();
        };
        // Row by row: a whole screen that is erased goes into the history.
        let rows = prompt + 1..screen.size().rows();
        let mut bytes: String = rows
            .map(|row| format!("\x1b[{};1H\x1b[2K", row + 1))
            .collect();
        bytes.push_str(&match screen.prompt_col() {
            0 => format!("\x1b[{};1H\x1b[2K", prompt + 1),
            col if col < screen.size().cols() => {
                format!("\x1b[{};{}H\x1b[K", prompt + 1, col + 1)
            }
            // There is no room in that row.
            _ => format!("\x1b[{};1H\r\n", prompt + 1),
        });
        bytes
    });
}

/// Writes something on a pane's screen that goes by what is there.
pub(crate) fn retouch(model: &Model, id: PaneId, write: impl FnOnce(&Emulator) -> String) {
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
    taps.retouched(id, bytes.as_bytes());
    screen.changed();
}

/// The row in which the prompt begins that the cursor is in. None if a command's output is in between: a server that was killed on a full disk
/// may have taken the prompt behind it along, and the one before it is not to be erased with that output.
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
        // A command that printed nothing, and one that left its line open.
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
