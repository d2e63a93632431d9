//! Properties that hold for every input.

use proptest::prelude::*;
use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator, TextLines};

use crate::kit::check_sound;
use crate::memory_store::{kept, with_memory_store};

/// Parts of the language, with random bytes among them.
pub(crate) fn piece() -> impl Strategy<Value = Vec<u8>> {
    let number = prop_oneof![
        Just(String::new()),
        (0u16..30).prop_map(|n| n.to_string()),
        Just("65535".into())
    ];
    let sequence = (
        number.clone(),
        number,
        "[@-~]",
        prop::sample::select(vec!["", "?", ">", "=", "<"]),
    )
        .prop_map(|(a, b, last, prefix)| format!("\x1b[{prefix}{a};{b}{last}").into_bytes());
    let odd = prop::sample::select(vec![
        "\x1b7",
        "\x1b8",
        "\x1bD",
        "\x1bM",
        "\x1bE",
        "\x1bc",
        "\x1b#8",
        "\x1b(0",
        "\x1b(B",
        "\x1b6",
        "\x1b9",
        "\r\n",
        "\x08",
        "\t",
        "\x1b]8;;http://x\x07",
        "\x1b]8;;\x07",
        "\x1b[4h",
        "\x1b[4l",
        "\x1b[?69h",
        "\x1b[3;9s",
        "\x1b[2;4r",
        "\x1b[1\"q",
        "\x1b[?2J",
        "\x1b[44m",
        "\x1b[0m",
        "\x1b]133;A\x07",
        "\x1b[1;1;4;4;1;2;2;1$v",
    ]);
    let text = prop::sample::select(vec![
        "a",
        "hello",
        "漢",
        "漢字かな",
        "e\u{301}",
        "👩‍🔧",
        "❤\u{fe0f}",
        "🇩🇪",
        "\u{200d}",
        "0123456789012345",
    ]);
    prop_oneof![
        4 => sequence,
        4 => odd.prop_map(|text: &str| text.as_bytes().to_vec()),
        6 => text.prop_map(|text: &str| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ]
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(), 0..60).prop_map(|pieces| pieces.concat())
}

fn size() -> impl Strategy<Value = Size> {
    (1u16..9, 1u16..25).prop_map(|(rows, cols)| Size::new(rows, cols))
}

/// Streams, and the times at which they were printed.
fn timed() -> impl Strategy<Value = Vec<(u32, Vec<u8>)>> {
    prop::collection::vec((0u32..4, stream()), 1..4)
}

fn fed(size: Size, bytes: &[u8]) -> Emulator {
    let mut emulator = Emulator::new(size, Config::default());
    emulator.feed(bytes, &mut Vec::new());
    emulator
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn feeding_in_pieces_is_feeding_at_once(streams in timed(), size in size(), cut in 1usize..9) {
        let mut whole = Emulator::new(size, Config::default());
        let mut pieces = whole.clone();
        let (mut one, mut two) = (Vec::new(), Vec::new());
        for (time, bytes) in streams {
            whole.set_time(time);
            whole.feed(&bytes, &mut one);
            pieces.set_time(time);
            bytes.chunks(cut).for_each(|piece| pieces.feed(piece, &mut two));
        }
        prop_assert_eq!(one, two);
        prop_assert!(whole.dump() == pieces.dump());
    }

    #[test]
    fn restore_undoes_dump(streams in timed(), size in size(), more in stream()) {
        let mut emulator = Emulator::new(size, Config::default());
        for (time, bytes) in streams {
            emulator.set_time(time);
            emulator.feed(&bytes, &mut Vec::new());
        }
        let dump = emulator.dump();
        let mut restored = Emulator::restore(&dump, Config::default()).expect("sound");
        prop_assert!(restored.dump() == dump);
        let (mut one, mut two) = (Vec::new(), Vec::new());
        emulator.feed(&more, &mut one);
        restored.feed(&more, &mut two);
        prop_assert_eq!(one, two);
        prop_assert!(restored.dump() == emulator.dump());
    }

    #[test]
    fn every_screen_is_sound_through_resizes(bytes in stream(), sizes in prop::collection::vec(size(), 1..6)) {
        let mut emulator = Emulator::new(sizes[0], Config::default());
        for size in sizes {
            emulator.feed(&bytes, &mut Vec::new());
            check_sound(&emulator);
            emulator.resize(size);
            check_sound(&emulator);
        }
    }

    #[test]
    fn text_survives_any_resizes(words in prop::collection::vec("[a-z漢]{1,30}", 1..30), sizes in prop::collection::vec((1u16..9, 1u16..40), 1..5)) {
        let mut emulator = Emulator::new(Size::new(5, 20), Config::default());
        emulator.feed(words.join("\r\n").as_bytes(), &mut Vec::new());
        for (rows, cols) in sizes {
            emulator.resize(Size::new(rows, cols));
        }
        let history = emulator.history_rows(0, usize::MAX);
        let mut text = String::new();
        for row in history.iter().chain(emulator.rows()) {
            text.push_str(&row.text());
            if !row.is_wrapped() {
                text.push('\n');
            }
        }
        prop_assert_eq!(text.trim_end(), words.join("\n"));
    }

    /// What a search reads, and what is shown of it.
    #[test]
    fn lines_by_number_are_those_that_a_search_finds(
        steps in prop::collection::vec((0u32..4, stream(), size()), 1..6),
        wrapped in 1u16..30,
    ) {
        let mut emulator = Emulator::new(Size::new(5, 20), Config::default());
        for (time, bytes, size) in steps {
            emulator.set_time(time);
            emulator.feed(&bytes, &mut Vec::new());
            emulator.resize(size);
        }
        let numbers = emulator.line_numbers();
        let printed = emulator.printed();
        let mut next = numbers.start;
        for part in 0..printed.parts() - usize::from(emulator.is_alternate()) {
            let mut lines = TextLines::default();
            printed.push_text(part, &mut lines);
            prop_assert_eq!(printed.first_line(part), next);
            for line in 0..lines.len() {
                let rows = emulator.lines(next..next + 1, u16::MAX);
                prop_assert_eq!(rows.len(), 1);
                let row = rows.row(0).expect("it has one");
                let mut text = String::new();
                row.push_text(row.cols(), &mut text);
                prop_assert_eq!(text.trim_end_matches(' ').as_bytes(), lines.line(line));
                prop_assert_eq!(row.time(), lines.time(line), "time of line {}", next);
                next += 1;
            }
        }
        prop_assert!(next <= numbers.end);
        // All at once they are the same, at any width.
        let rows = emulator.lines(numbers.clone(), wrapped);
        let ends = rows.iter().filter(|row| !row.is_wrapped()).count() as u64;
        prop_assert_eq!(ends, numbers.end - numbers.start);
        prop_assert!(emulator.lines(numbers.end..u64::MAX, wrapped).is_empty());
    }

    #[test]
    fn changed_rows_are_marked(before in stream(), after in stream(), size in size()) {
        let mut emulator = fed(size, &before);
        emulator.take_dirty();
        let old: Vec<String> = emulator.rows().map(|row| row.text()).collect();
        let generation = emulator.generation();
        emulator.feed(&after, &mut Vec::new());
        let new: Vec<String> = emulator.rows().map(|row| row.text()).collect();
        let dirty = emulator.take_dirty();
        for (at, (old, new)) in old.iter().zip(&new).enumerate() {
            let marked = match &dirty {
                shellkeep_term::Dirty::None => false,
                shellkeep_term::Dirty::All => true,
                shellkeep_term::Dirty::Rows(rows) => rows.contains(&(at as u16)),
            };
            prop_assert!(marked || old == new, "row {} changed unseen", at);
        }
        prop_assert!(old == new || emulator.generation() > generation);
    }
}

/// A line of all kinds of characters, from empty to longer than the screens here are wide.
fn line() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "a",
        "漢",
        "e\u{301}",
        "👩‍🔧",
        "\x1b[31mred\x1b[m",
        "\x1b[7C",
        "字かな",
        "\x1b[44m\x1b[K",
        "0123456789012345",
    ]);
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_counted_as_they_are_read(
        lines in prop::collection::vec(line(), 1..12),
        sizes in prop::collection::vec(size(), 2..5),
        most in 0usize..4000,
    ) {
        let (mut term, memory_store) = with_memory_store(sizes[0].rows(), sizes[0].cols(), kept());
        for size in sizes {
            term.emulator.resize(size);
            for line in lines.iter().cycle().take(600) {
                term.feed(line).feed("\r\n");
            }
            let dump = term.emulator.dump();
            let restored = Emulator::restore_kept(&dump, kept(), &memory_store.taken(), memory_store.clone());
            for emulator in [&restored.expect("sound"), &term.emulator] {
                let rows = emulator.history_rows(0, usize::MAX).len();
                prop_assert_eq!(emulator.history_row_count_to(most), rows.min(most));
                prop_assert_eq!(emulator.history_row_count_at_once(), rows);
                prop_assert_eq!(emulator.history_row_count(), rows);
                let above = emulator.history_rows(most, usize::MAX).len();
                prop_assert_eq!(above, rows.saturating_sub(most), "what is passed by");
            }
            memory_store.put(term.emulator.take_sealed());
        }
        prop_assert!(memory_store.taken().len() > 1);
    }
}
