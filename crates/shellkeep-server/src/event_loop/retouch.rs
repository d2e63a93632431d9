//! What the server itself writes on a pane's screen, around what programs print there. Clients that hear the pane hear of it
//! as if the program had: their screens would differ from ours otherwise.

use shellkeep_core::PaneId;
use shellkeep_term::view::MARK_PROMPT;
use shellkeep_term::{Effects, Emulator};

use super::Server;
use crate::state::Pane;

impl Server {
    /// Says something in a pane whose shell shows its prompt: in a line of its own above that, so that the shell finds its
    /// cursor where it left it.
    pub(super) fn say_above_prompt(&self, id: PaneId, text: &str) {
        self.retouch(id, |screen| {
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
    pub(super) fn erase_prompt(&self, id: PaneId) {
        self.retouch(id, |screen| {
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
    pub(super) fn retouch(&self, id: PaneId, write: impl FnOnce(&Emulator) -> String) {
        let Some(pane) = self.state.panes.get(&id) else {
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
}

/// The row in which the last prompt begins.
fn prompt_row(screen: &Emulator) -> Option<u16> {
    let is_prompt = |row: &u16| screen.row(*row).marks() & MARK_PROMPT != 0;
    (0..=screen.cursor().row).rev().find(is_prompt)
}
