//! Replays the fuzzer's corpus as the fuzz target does (see `fuzz/fuzz_targets/term.rs`).

use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator};

use crate::kit::check_sound;

fn config() -> Config {
    Config {
        history_limit: 2_000,
        uncompressed_budget: 64 << 10,
        string_limit: 4096,
        report_checksum: true,
        report_title: true,
        answerback: "me".to_owned(),
        ..Config::default()
    }
}

fn restored(emulator: &Emulator) -> Emulator {
    let dump = emulator.dump();
    let restored = Emulator::restore(&dump, config()).expect("a dump is sound");
    assert!(restored.dump() == dump, "restore is the inverse of dump");
    restored
}

fn replay(data: &[u8]) {
    let [rows, cols, steps @ ..] = data else {
        return;
    };
    let size = Size::new(u16::from(*rows % 60) + 1, u16::from(*cols % 140) + 1);
    let mut emulator = Emulator::new(size, config());
    let mut pieces = emulator.clone();
    let mut effects = Vec::new();
    let mut rest = steps;
    while let Some((&step, after)) = rest.split_first() {
        rest = after;
        match step {
            0xf8 => {
                let side = |at: usize| u16::from(after.get(at).copied().unwrap_or(1));
                let size = Size::new(side(0) * side(0) / 65 + 1, side(1) * side(1) / 65 + 1);
                emulator.resize(size);
                pieces.resize(size);
                rest = after.get(2..).unwrap_or(&[]);
            }
            0xf9 => emulator = restored(&emulator),
            // Encoding keys does not change the terminal.
            0xfb => {}
            0xfa => {
                let _ = emulator.take_dirty();
            }
            _ => {
                let end = rest
                    .iter()
                    .position(|&byte| byte >= 0xf8)
                    .unwrap_or(rest.len());
                let (text, after) = rest.split_at(end);
                rest = after;
                emulator.feed(text, &mut effects);
                text.chunks(1 + usize::from(step % 7))
                    .for_each(|piece| pieces.feed(piece, &mut effects));
            }
        }
        assert!(
            emulator.dump() == pieces.dump(),
            "in pieces as at once, dumped or not: {:x?}",
            rest.len()
        );
    }
    check_sound(&emulator);
    restored(&emulator);
}

#[test]
fn corpus_replays_without_a_fault() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/term");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        replay(&std::fs::read(entry.expect("readable").path()).expect("readable"));
        files += 1;
    }
    assert!(files > 0, "the corpus is not empty");
}
