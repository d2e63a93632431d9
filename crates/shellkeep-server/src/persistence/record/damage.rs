//! What whoever looks at a pane is told of what was lost.

use shellkeep_store::Record as Entry;
use shellkeep_term::{Effects, Emulator};

use crate::persistence::record::stage::Attention;
use crate::persistence::record::{Record, now};

impl Record {
    /// Says what was found damaged while somebody looked back; whether there is such a thing. A program that has the whole screen to
    /// itself is left alone meanwhile.
    pub(crate) fn tell_of_damage(&mut self, emulator: &mut Emulator) -> bool {
        if emulator.is_alternate() {
            return false;
        }
        let Some(damage) = self.shelf.take_damage() else {
            return false;
        };
        // The recorder calls this, so it need not be told of the record.
        self.attention = self.attention.max(Attention::Watched);
        let text = line_of_its_own(&damage.to_string());
        let bytes = text.as_bytes();
        let time = now();
        self.append(&Entry::Output { time, bytes });
        emulator.feed(bytes, &mut Effects::new());
        true
    }
}

/// Says something to whoever looks at a pane, in a line of its own.
pub(crate) fn say(emulator: &mut Emulator, text: &str) {
    emulator.feed(line_of_its_own(text).as_bytes(), &mut Effects::new());
}

fn line_of_its_own(text: &str) -> String {
    format!("\x18\x1b[m\r\n{}", dim_line(text))
}

/// What a terminal is fed for a word of ours to whoever looks at a pane.
pub(crate) fn dim_line(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    format!("\x1b[2m[shellkeep: {text}]\x1b[m\r\n")
}
