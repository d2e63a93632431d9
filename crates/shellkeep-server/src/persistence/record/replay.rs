//! Replays journal entries on an emulator.

use shellkeep_core::Size;
use shellkeep_store::Record as Entry;
use shellkeep_term::{Effects, Emulator};

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
