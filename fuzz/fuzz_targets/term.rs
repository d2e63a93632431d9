//! Bytes, resizes and dumps in any order into the terminal engine.
//!
//! The input is a small program: the first two bytes are the size, then each step begins with a byte
//! for the action. Most steps feed the bytes that follow, so that plain recordings make a good
//! corpus.
#![no_main]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use libfuzzer_sys::fuzz_target;
use shellkeep_core::Size;
use shellkeep_term::key::{Focus, encode_focus, encode_key};
use shellkeep_term::{Config, Emulator, Keep, PageStore, TakenPage};

/// The memory limit of a pane: two screens of a million cells, its tables, one string, and history.
const MEMORY_CAP: usize = 96 << 20;

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

/// Stores pages as a server does, but in memory.
#[derive(Debug, Default)]
struct Shelf(Mutex<BTreeMap<u64, (TakenPage, Vec<u8>)>>);

impl PageStore for Shelf {
    fn page(&self, number: u64) -> Option<Vec<u8>> {
        self.0.lock().ok()?.get(&number).map(|(_, bytes)| bytes.clone())
    }
}

fn kept_config() -> Config {
    Config { keep: Keep::Store, ..config() }
}

/// A checkpoint, and a server that restores it.
fn check_kept(kept: &mut Emulator, shelf: &Arc<Shelf>) {
    let mut pages = shelf.0.lock().expect("nobody panicked");
    pages.extend(kept.take_sealed().iter().map(|page| (page.number, (page.taken(), page.bytes()))));
    let known: Vec<TakenPage> = pages.values().map(|(page, _)| *page).collect();
    drop(pages);
    let dump = kept.dump();
    let restored = Emulator::restore_kept(&dump, kept_config(), &known, shelf.clone()).expect("a dump is sound");
    assert!(restored.dump() == dump, "restore is the inverse of dump");
    assert!(restored.history_rows(0, usize::MAX).missing().is_none(), "every page is there");
    *kept = restored;
}

fn check(emulator: &Emulator) {
    let size = emulator.size();
    let cursor = emulator.cursor();
    assert!(cursor.row < size.rows() && cursor.col < size.cols());
    for row in emulator.rows() {
        let mut wide = false;
        for cell in row.cells() {
            assert_eq!(cell.width() == 0, wide, "halves of wide characters go together");
            wide = cell.width() == 2;
        }
        assert!(!wide, "a wide character is whole");
    }
    assert!(emulator.memory() < MEMORY_CAP, "memory {}", emulator.memory());
}

/// Encodes keys in the modes that the program has set.
fn check_keys(emulator: &Emulator) {
    let modes = emulator.modes();
    let mut out = Vec::new();
    for name in ["Up", "C-F5", "M-[", "a", "KPEnter"] {
        if let Ok(key) = name.parse() {
            encode_key(&key, &modes, &mut out);
        }
    }
    encode_focus(Focus::In, &modes, &mut out);
    assert!(out.len() < 200, "keys are short");
}

/// Lines by number are all there, and those that a search finds.
fn check_lines(emulator: &Emulator) {
    let numbers = emulator.line_numbers();
    let rows = emulator.lines(numbers.clone(), u16::MAX);
    let ends = rows.iter().filter(|row| !row.is_wrapped()).count() as u64;
    assert_eq!(ends, numbers.end - numbers.start, "every line is there once");
}

fn check_dump(emulator: &mut Emulator) {
    let dump = emulator.dump();
    let restored = Emulator::restore(&dump, config()).expect("a dump is sound");
    assert!(restored.dump() == dump, "restore is the inverse of dump");
    *emulator = restored;
}

fuzz_target!(|data: &[u8]| {
    let [rows, cols, steps @ ..] = data else { return };
    let size = Size::new(u16::from(*rows % 60) + 1, u16::from(*cols % 140) + 1);
    let mut emulator = Emulator::new(size, config());
    let mut pieces = emulator.clone();
    let shelf = Arc::new(Shelf::default());
    let mut kept = Emulator::new(size, kept_config());
    kept.set_page_store(shelf.clone());
    let mut effects = Vec::new();
    let mut rest = steps;
    while let Some((&step, after)) = rest.split_first() {
        rest = after;
        match step {
            0xf8 => {
                let side = |at: usize| u16::from(after.get(at).copied().unwrap_or(1));
                // Squared, so that large sizes occur, but not often.
                let size = Size::new(side(0) * side(0) / 65 + 1, side(1) * side(1) / 65 + 1);
                emulator.resize(size);
                pieces.resize(size);
                kept.resize(size);
                rest = after.get(2..).unwrap_or(&[]);
            }
            0xf9 => {
                check_dump(&mut emulator);
                check_kept(&mut kept, &shelf);
            }
            0xfa => {
                let _ = emulator.take_dirty();
                let rows = emulator.history_rows(usize::from(step), 50);
                let _ = rows.iter().map(|row| row.text().len()).sum::<usize>();
                check_lines(&emulator);
            }
            0xfb => check_keys(&emulator),
            0xfc => {
                let seconds = after.first().copied().map_or(0, u32::from);
                emulator.set_time(seconds);
                pieces.set_time(seconds);
                kept.set_time(seconds);
                rest = after.get(1..).unwrap_or(&[]);
            }
            _ => {
                let end = rest.iter().position(|&byte| byte >= 0xf8).unwrap_or(rest.len());
                let (text, after) = rest.split_at(end);
                rest = after;
                kept.feed(text, &mut effects);
                effects.clear();
                emulator.feed(text, &mut effects);
                text.chunks(1 + usize::from(step % 7)).for_each(|piece| pieces.feed(piece, &mut effects));
                assert!(effects.len() <= 4 * data.len() + 16, "effects are bounded by input");
            }
        }
    }
    check(&emulator);
    assert!(emulator.dump() == pieces.dump(), "feeding in pieces is feeding at once");
    check_dump(&mut emulator);
    check(&kept);
    check_kept(&mut kept, &shelf);
    let known: Vec<TakenPage> = shelf.0.lock().expect("nobody panicked").values().map(|(page, _)| *page).collect();
    if let Ok(mut odd) = Emulator::restore_kept(steps, kept_config(), &known, shelf) {
        odd.resize(Size::new(100, 20));
        drop(odd.history_rows(0, 100));
    }
});
