//! Messages on a pane's screen about history that was lost.

use shellkeep_store::Record as Entry;
use shellkeep_term::{Effects, Emulator};

use crate::persistence::record::stage::Attention;
use crate::persistence::record::{Record, apply, now, set_time};

impl Record {
    /// Prints which pages were found damaged. Returns whether there are any. Waits while a program uses the alternate
    /// screen.
    pub(crate) fn show_damage(&mut self, emulator: &mut Emulator) -> bool {
        if emulator.is_alternate() {
            return false;
        }
        let Some(damage) = self.history_pages.take_damage() else {
            return false;
        };
        // The recorder calls this, so it need not be notified.
        self.attention = self.attention.max(Attention::Watched);
        let text = line_of_its_own(&damage.to_string());
        let bytes = text.as_bytes();
        let time = now();
        let entry = Entry::Output { time, bytes };
        self.append(&entry);
        apply(emulator, &entry);
        true
    }
}

/// Prints a message on a screen, on a line of its own.
pub(crate) fn print_line(emulator: &mut Emulator, text: &str) {
    set_time(emulator, now());
    emulator.feed(line_of_its_own(text).as_bytes(), &mut Effects::new());
}

fn line_of_its_own(text: &str) -> String {
    format!("\x18\x1b[m\r\n{}", dim_line(text))
}

/// The bytes that print a message of the server's.
pub(crate) fn dim_line(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    format!("\x1b[2m[shellkeep: {text}]\x1b[m\r\n")
}
