//! Replays journal entries on an emulator.

use shellkeep_core::Size;
use shellkeep_store::Record as Entry;
use shellkeep_term::{Effects, Emulator};

/// Sets the time at which the output that is fed next was printed, in milliseconds since 1970.
pub(crate) fn set_time(emulator: &mut Emulator, time: u64) {
    emulator.set_time(u32::try_from(time / 1000).unwrap_or(u32::MAX));
}

pub(crate) fn apply(emulator: &mut Emulator, entry: &Entry<'_>) {
    match entry {
        Entry::Output { time, bytes } => {
            set_time(emulator, *time);
            emulator.feed(bytes, &mut Effects::new());
        }
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

#[cfg(test)]
mod tests {
    use shellkeep_term::Config;

    use super::*;

    #[test]
    fn lines_have_the_times_of_their_records() {
        let mut emulator = Emulator::new(Size::new(4, 20), Config::default());
        for (time, bytes) in [(5_999, &b"one\r\n"[..]), (6_000, b"two\r\n"), (0, b"three")] {
            apply(&mut emulator, &Entry::Output { time, bytes });
        }
        let times: Vec<Option<u32>> = emulator.rows().map(|row| row.time()).collect();
        assert_eq!(times, [Some(5), Some(6), None, None]);
    }
}
