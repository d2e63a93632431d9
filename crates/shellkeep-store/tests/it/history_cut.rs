//! Pages beyond a history limit: the file gets shorter, and nothing else is lost, whenever the server dies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use shellkeep_store::{History, Journal, PaneDir, Unsynced};

use crate::sample::{self, new_pane, open, page, scratch};

/// A random number generator with the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % sides
    }
}

/// Text that does not compress well.
fn noise(seed: u64) -> String {
    let mut dice = Dice(seed + 1);
    let mut text = String::with_capacity(20_000);
    while text.len() < 20_000 {
        for byte in &dice.roll(1 << 31).to_le_bytes()[..3] {
            text.push(char::from(b' ' + byte % 95));
        }
    }
    text
}

fn file_of(pane: &PaneDir) -> PathBuf {
    pane.path().join("history")
}

fn length_of(pane: &PaneDir) -> u64 {
    std::fs::metadata(file_of(pane)).unwrap().len()
}

/// A history of forty pages, of which all but the last two are cut off.
fn cut_history(pane: &PaneDir) -> History {
    let history = pane.load().unwrap().history;
    history
        .append((0..40).map(|number| page(number, &noise(number))))
        .unwrap();
    let before = length_of(pane);
    history.release_before(38, pane).unwrap();
    assert!(length_of(pane) < before / 4, "{}", length_of(pane));
    history
}

#[test]
fn file_gets_shorter_when_pages_are_released() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let mut next = 0;
    for round in 0..4 {
        for _ in 0..10 {
            let pages = (next..next + 3).map(|number| page(number, &noise(number)));
            history.append(pages).unwrap();
            next += 3;
        }
        history.release_before(next - 2, &pane).unwrap();
        assert!(length_of(&pane) < 300 << 10, "round {round}");
        for history in [&history, &History::open(&pane, history.end()).unwrap()] {
            assert_eq!(history.page(0), None);
            assert_eq!(history.page(next - 2).unwrap(), noise(next - 2).as_bytes());
            assert_eq!(history.page(next - 1).unwrap(), noise(next - 1).as_bytes());
            assert!(history.index().len() < 15, "{}", history.index().len());
            assert_eq!(history.unread_lines(), 0);
        }
    }
    // A history that was opened again continues, and its file is correct.
    pane.write_screen(&sample::checkpoint(1, history.end()))
        .unwrap();
    drop(history);
    assert_eq!(pane.inspect().unwrap(), []);
    let recovery = pane.load().unwrap();
    assert!(recovery.damage.is_empty(), "{:?}", recovery.damage);
    let history = recovery.history;
    history
        .append((next..next + 30).map(|number| page(number, &noise(number))))
        .unwrap();
    history.release_before(next + 29, &pane).unwrap();
    assert!(length_of(&pane) < 300 << 10);
    let again = History::open(&pane, history.end()).unwrap();
    assert_eq!(again.page(next + 29).unwrap(), noise(next + 29).as_bytes());
}

/// The bytes of version 2, written once with `SHELLKEEP_WRITE_GOLDEN=1`: they must stay the same, and stay readable.
#[test]
fn bytes_of_a_cut_file_are_those_of_version_two() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/v2/history");
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    history
        .append((0..40).map(|number| page(number, &noise(number))))
        .unwrap();
    // The first is the base of the second, and has none itself.
    let texts = ["one\ntwo\nthree\n", "one\ntwo\nfour\n"];
    let end = history
        .append([page(40, texts[0]), page(41, texts[1])])
        .unwrap();
    history.release_before(40, &pane).unwrap();
    let written = std::fs::read(file_of(&pane)).unwrap();
    if std::env::var_os("SHELLKEEP_WRITE_GOLDEN").is_some() {
        std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
        std::fs::write(&kept, &written).unwrap();
    }
    let golden = std::fs::read(&kept).unwrap();
    assert!(written == golden, "not written as version 2 any more");
    std::fs::write(file_of(&pane), golden).unwrap();
    pane.write_screen(&sample::checkpoint(1, end)).unwrap();
    let recovery = pane.load().unwrap();
    assert_eq!(recovery.damage, []);
    assert_eq!(recovery.history.index().len(), 2);
    assert_eq!(recovery.history.page(40).unwrap(), texts[0].as_bytes());
    assert_eq!(recovery.history.page(41).unwrap(), texts[1].as_bytes());
}

#[test]
fn file_with_little_to_cut_off_stays_as_it_is() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    history
        .append((0..40).map(|number| page(number, &noise(number))))
        .unwrap();
    let before = std::fs::read(file_of(&pane)).unwrap();
    // These would free too little, or less than half.
    for first in [2, 15] {
        history.release_before(first, &pane).unwrap();
        assert!(std::fs::read(file_of(&pane)).unwrap() == before);
        assert_eq!(history.index().len(), 40);
    }
}

#[test]
fn nothing_is_cut_off_while_pages_are_on_their_way() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    history
        .append((0..40).map(|number| page(number, &noise(number))))
        .unwrap();
    let before = length_of(&pane);
    let (pages, end) = history.append_unsynced([page(40, "on its way")]).unwrap();
    history.release_before(39, &pane).unwrap();
    assert!(length_of(&pane) > before);
    Unsynced::from(pages.unwrap()).finish().unwrap();
    history.release_before(39, &pane).unwrap();
    assert!(length_of(&pane) < before / 4);
    let again = History::open(&pane, end).unwrap();
    assert_eq!(again.page(40).unwrap(), b"on its way");
}

#[test]
fn pages_are_read_while_others_are_cut_off() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    history.append([page(0, &noise(0))]).unwrap();
    let reading = std::thread::spawn({
        let history = history.clone();
        move || {
            let mut last = 0;
            while last < 99 {
                last = history.index().last().unwrap().number;
                let found = history.page(last);
                let is_known = history.index().iter().any(|each| each.number == last);
                // The page may have been cut off meanwhile, but then it must not be in the index.
                assert!(found == Some(noise(last).into_bytes()) || (found.is_none() && !is_known));
            }
        }
    });
    for number in 1..100 {
        history.append([page(number, &noise(number))]).unwrap();
        history.release_before(number, &pane).unwrap();
    }
    reading.join().unwrap();
}

#[test]
fn older_checkpoint_from_before_the_cut_leads_on() {
    for pages in [0, 1, 20, 31] {
        let temp = scratch();
        let pane = new_pane(&open(temp.path()));
        let history = pane.load().unwrap().history;
        let end = history
            .append((0..pages).map(|number| page(number, &noise(number))))
            .unwrap();
        pane.write_screen(&sample::checkpoint(1, end)).unwrap();
        Journal::create(&pane, 1).unwrap();
        let newer = history
            .append((pages..40).map(|number| page(number, &noise(number))))
            .unwrap();
        pane.write_screen(&sample::checkpoint(2, newer)).unwrap();
        history.release_before(38, &pane).unwrap();
        std::fs::write(pane.path().join("screen"), "broken").unwrap();
        for _ in 0..2 {
            let recovery = pane.load().unwrap();
            assert_eq!(recovery.checkpoint, Some(sample::checkpoint(1, end)));
            assert!(recovery.damage.iter().all(|each| each.is_harmless));
            assert_eq!(recovery.history.index(), []);
            assert_eq!(recovery.history.end(), end);
            assert!(length_of(&pane) < 10_000);
        }
        // The journal produces the pages again.
        let recovered = pane.load().unwrap().history;
        let end = recovered.append([page(39, "again")]).unwrap();
        pane.write_screen(&sample::checkpoint(3, end)).unwrap();
        let recovery = pane.load().unwrap();
        assert_eq!(recovery.damage, []);
        assert_eq!(recovery.history.page(39).unwrap(), b"again");
    }
}

#[test]
fn file_of_version_one_with_released_pages_is_read_and_cut() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let kept_from = history
        .append((0..38).map(|number| page(number, &noise(number))))
        .unwrap();
    // Pages of a flood have no base, and neither have those of another batch once a base is used by enough pages.
    let end = history
        .append((38..110).map(|number| page(number, &noise(number))))
        .unwrap();
    drop(history);
    // Version 1 released pages as a record without lines, and a hole.
    let path = file_of(&pane);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[16..kept_from as usize].fill(0);
    let mut record = Vec::from(*b"page");
    record.extend_from_slice(&(kept_from as u32 - 16 - 64).to_le_bytes());
    record.resize(60, 0);
    record.extend_from_slice(&crc32fast::hash(&record).to_le_bytes());
    bytes[16..80].copy_from_slice(&record);
    std::fs::write(&path, bytes).unwrap();
    pane.write_screen(&sample::checkpoint(1, end)).unwrap();
    assert_eq!(pane.inspect().unwrap(), []);
    let recovery = pane.load().unwrap();
    assert_eq!(recovery.damage, []);
    let history = recovery.history;
    let numbers: Vec<u64> = history.index().iter().map(|each| each.number).collect();
    assert_eq!(numbers, (38..110).collect::<Vec<_>>());
    history.release_before(108, &pane).unwrap();
    assert!(length_of(&pane) < 100_000, "{}", length_of(&pane));
    let again = pane.load().unwrap();
    assert_eq!(again.damage, []);
    assert_eq!(again.history.page(109).unwrap(), noise(109).as_bytes());
}

#[test]
fn cut_file_with_a_damaged_header_has_all_its_pages() {
    for place in 0..16 {
        let temp = scratch();
        let pane = new_pane(&open(temp.path()));
        let history = cut_history(&pane);
        pane.write_screen(&sample::checkpoint(1, history.end()))
            .unwrap();
        let mut bytes = std::fs::read(file_of(&pane)).unwrap();
        bytes[place] ^= 8;
        std::fs::write(file_of(&pane), bytes).unwrap();
        let recovery = pane.load().unwrap();
        assert_eq!(recovery.damage.len(), 1, "{place}: {:?}", recovery.damage);
        assert_eq!(recovery.history.page(38).unwrap(), noise(38).as_bytes());
        assert_eq!(recovery.history.page(39).unwrap(), noise(39).as_bytes());
        assert_eq!(pane.load().unwrap().damage, [], "{place}");
    }
}

#[test]
fn partial_shorter_file_does_no_harm() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let end = history
        .append((0..40).map(|number| page(number, &noise(number))))
        .unwrap();
    pane.write_screen(&sample::checkpoint(1, end)).unwrap();
    let half = pane.path().join("history.new");
    std::fs::write(&half, "a server died here").unwrap();
    history.release_before(38, &pane).unwrap();
    assert!(!half.exists());
    std::fs::write(&half, "and here").unwrap();
    let recovery = pane.load().unwrap();
    assert_eq!(recovery.damage, []);
    assert!(!half.exists());
    assert_eq!(recovery.history.page(39).unwrap(), noise(39).as_bytes());
}

/// What a history must contain.
#[derive(Clone, Default)]
struct Model {
    pages: BTreeMap<u64, u64>,
    end: u64,
    /// Pages before this one may be gone.
    first: u64,
}

impl Model {
    fn check(&self, history: &History, what: &str) {
        for (number, seed) in self.pages.range(self.first..) {
            let found = history.page(*number);
            assert!(found == Some(noise(*seed).into_bytes()), "{what}: {number}");
        }
        let newest = history.index().last().map(|entry| entry.number);
        let known = self.pages.keys().next_back().copied();
        assert!(newest <= known, "{what}: {newest:?} and {known:?}");
    }
}

#[test]
fn random_appends_cuts_and_crashes_lose_no_page_that_is_kept() {
    for seed in 0..8 {
        let temp = scratch();
        let pane = new_pane(&open(temp.path()));
        let mut dice = Dice(seed);
        let mut history = pane.load().unwrap().history;
        let mut now = Model::default();
        // What the newest checkpoint names.
        let mut safe = now.clone();
        let mut journal = 0;
        for step in 0..60 {
            let what = format!("seed {seed}, step {step}");
            match dice.roll(8) {
                0..=2 => {
                    let start = now.pages.keys().next_back().map_or(0, |last| last + 1);
                    // A page may be written again.
                    let start = start.saturating_sub(dice.roll(2)).max(now.first);
                    let added: Vec<_> = (start..=start + dice.roll(12))
                        .map(|number| (number, dice.roll(1000)))
                        .collect();
                    let pages = added
                        .iter()
                        .map(|(number, seed)| page(*number, &noise(*seed)));
                    now.end = history.append(pages).unwrap();
                    now.pages.extend(added);
                }
                3 | 4 => {
                    journal += 1;
                    pane.write_screen(&sample::checkpoint(journal, now.end))
                        .unwrap();
                    safe = now.clone();
                }
                5 => {
                    let last = safe.pages.keys().next_back().copied().unwrap_or(0);
                    safe.first = safe.first.max(last.saturating_sub(dice.roll(6)));
                    now.first = safe.first;
                    history.release_before(safe.first, &pane).unwrap();
                }
                6 if journal > 0 => {
                    // A power cut may leave any part of what was appended since the checkpoint.
                    drop(history);
                    let path = file_of(&pane);
                    let length = length_of(&pane);
                    let lost = dice.roll(1 + now.end.saturating_sub(safe.end));
                    let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
                    file.set_len(length - lost).unwrap();
                    let recovery = pane.load().unwrap();
                    assert_eq!(recovery.damage, [], "{what}");
                    (history, now) = (recovery.history, safe.clone());
                }
                _ => now.check(&history, &what),
            }
            assert_eq!(history.end(), now.end.max(16), "{what}");
        }
        if journal > 0 {
            safe.check(&pane.load().unwrap().history, &format!("seed {seed}"));
        }
    }
}

#[test]
fn cut_file_that_ends_at_any_byte_is_read_as_far_as_it_goes() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = cut_history(&pane);
    let end = history.end();
    drop(history);
    let whole = std::fs::read(file_of(&pane)).unwrap();
    let some = (0..200).chain((200..whole.len()).step_by(997));
    for length in some {
        std::fs::write(file_of(&pane), &whole[..length]).unwrap();
        pane.write_screen(&sample::checkpoint(1, end)).unwrap();
        let recovery = pane.load().unwrap();
        assert_eq!(recovery.damage.len(), 1, "{length}");
        for entry in recovery.history.index() {
            let found = recovery.history.page(entry.number);
            assert!(found == Some(noise(entry.number).into_bytes()), "{length}");
        }
        // The remaining history can be continued.
        let end = recovery.history.append([page(50, "on")]).unwrap();
        let again = History::open(&pane, end).unwrap();
        assert_eq!(again.page(50).unwrap(), b"on", "{length}");
    }
}
