//! Does to a screen again what was done to it before.

use shellkeep_core::Size;
use shellkeep_store::Record as Entry;
use shellkeep_term::{Effects, Emulator};

/// Does to a screen what was done to it before.
pub(crate) fn apply(emulator: &mut Emulator, entry: &Entry<'_>) {
    match entry {
        Entry::Output { bytes, .. } => emulator.feed(bytes, &mut Effects::new()),
        Entry::Resize { rows, cols } => emulator.resize(Size::new(*rows, *cols)),
        Entry::Title(title) => emulator.set_title(title),
        Entry::ClearHistory => emulator.clear_history(),
        Entry::Reset => emulator.reset(),
        Entry::Trim => emulator.trim_below_cursor(),
        Entry::HistoryLimit(limit) => {
            emulator.set_history_limit(usize::try_from(*limit).unwrap_or(usize::MAX));
        }
    }
}
