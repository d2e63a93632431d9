//! Pages in a store.

use std::sync::Arc;

use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator, Keep, PageMissing};

use crate::kit::Term;
use crate::memory_store::{MemoryStore, kept, with_memory_store};

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("line {n}\r\n")).collect()
}

/// A terminal of three rows that printed so many lines, with all sealed pages in the store.
fn printed(count: usize) -> (Term, Arc<MemoryStore>) {
    let (mut screen, memory_store) = with_memory_store(3, 20, kept());
    screen.feed(&lines(count));
    memory_store.put(screen.emulator.take_sealed());
    (screen, memory_store)
}

#[test]
fn pages_taken_read_as_if_they_were_here() {
    let (screen, memory_store) = printed(3000);
    let pages = memory_store.taken();
    let total: usize = pages.iter().map(|page| page.lines as usize).sum();
    assert!(total > 2000, "{total}");
    for (at, page) in pages.iter().enumerate() {
        assert_eq!((page.number, page.first_line), (at as u64, at as u64 * 256));
        assert_eq!((page.lines, page.longest), (256, page.longest.clamp(6, 9)));
    }
    let history = screen.history();
    assert_eq!(history.len(), 2998);
    assert!((0..2998).all(|n| history[n] == format!("line {n}")));
    assert_eq!(memory_store.asked(), pages.len(), "every page once");
    assert_eq!(
        screen.emulator.history_text(300),
        Ok(Some("line 300".into()))
    );
    assert_eq!(memory_store.asked(), 1);
    // Skipped pages are not read: lines that fit a row are counted.
    assert_eq!(screen.emulator.history_row_count(), 2998);
    let rows = screen.emulator.history_rows(2990, 2);
    assert_eq!(rows.row(0).map(|row| row.text()).as_deref(), Some("line 6"));
    assert_eq!(memory_store.asked(), 1);
    // Nor are pages read that do not hold the wanted lines.
    assert_eq!(screen.emulator.history_line_rows(256, 256, 20).len(), 256);
    assert_eq!(screen.emulator.history_line_rows(2900, 98, 20).len(), 98);
    assert_eq!(memory_store.asked(), 1);
}

/// A terminal 20 columns wide that printed so many lines of 25 cells, with all sealed pages in the store.
fn printed_long(count: usize) -> (Term, Arc<MemoryStore>) {
    let (mut screen, memory_store) = with_memory_store(3, 20, kept());
    let text: String = (0..count).map(|n| format!("{n:025}\r\n")).collect();
    screen.feed(&text);
    memory_store.put(screen.emulator.take_sealed());
    (screen, memory_store)
}

#[test]
fn rows_of_long_lines_are_counted_once_for_a_width() {
    let (mut screen, memory_store) = printed_long(3000);
    let pages = memory_store.taken().len();
    assert!(pages > 8);
    // They were counted when the pages went to the store.
    assert_eq!(screen.emulator.history_row_count(), 5998);
    assert_eq!(memory_store.asked(), 0);
    screen.resize(3, 9);
    assert_eq!(screen.emulator.history_row_count_to(500), 500);
    assert_eq!(memory_store.asked(), 0, "a line has a row at least");
    assert_eq!(screen.emulator.history_row_count(), 8998);
    assert_eq!(memory_store.asked(), pages);
    assert_eq!(screen.emulator.history_row_count(), 8998);
    let rows = screen.emulator.history_rows(8990, 1);
    assert_eq!(
        rows.row(0).map(|row| row.text()).as_deref(),
        Some("000000000")
    );
    assert_eq!(memory_store.asked(), 1, "the page that is shown");
}

#[test]
fn rows_of_a_page_that_cannot_be_read_are_its_lines_until_it_can() {
    let (mut screen, memory_store) = printed_long(3000);
    let whole = memory_store.copy();
    memory_store.spoil(2, b"junk");
    screen.resize(3, 9);
    assert_eq!(screen.emulator.history_row_count(), 8998 - 2 * 256);
    let rows = screen.emulator.history_rows(0, usize::MAX);
    assert_eq!(rows.len(), 8998 - 2 * 256);
    screen.emulator.set_page_store(whole);
    assert_eq!(screen.emulator.history_row_count(), 8998);
}

#[test]
fn who_asks_often_makes_few_pages_be_read_at_a_time_and_knows_all_in_the_end() {
    let (mut screen, memory_store) = printed_long(40_000);
    let pages = memory_store.taken().len();
    assert!((129..192).contains(&pages), "{pages}");
    assert_eq!(screen.emulator.history_row_count_at_once(), 79_998);
    assert_eq!(memory_store.asked(), 0);
    screen.resize(3, 9);
    let mut read = Vec::new();
    for _ in 0..4 {
        let rows = screen.emulator.history_row_count_at_once();
        assert!(rows >= 40_000, "{rows}");
        read.push(memory_store.asked());
    }
    assert_eq!(read, [64, 64, pages - 128, 0]);
    assert_eq!(screen.emulator.history_row_count_at_once(), 119_998);
}

#[test]
fn clone_reads_from_the_same_store() {
    let (screen, _memory_store) = printed(3000);
    let copy = screen.emulator.clone();
    drop(screen);
    assert_eq!(copy.history_text(3), Ok(Some("line 3".into())));
}

#[test]
fn pages_packed_before_they_are_taken_have_the_same_bytes() {
    let (_, open) = printed(3000);
    let packing = Config {
        uncompressed_budget: 0,
        ..kept()
    };
    let (mut screen, packed) = with_memory_store(3, 20, packing);
    screen.feed(&lines(3000));
    packed.put(screen.emulator.take_sealed());
    assert_eq!(format!("{open:?}"), format!("{packed:?}"));
    assert_eq!(screen.history().len(), 2998);
}

#[test]
fn growing_takes_lines_back_from_the_store() {
    let (mut screen, memory_store) = with_memory_store(10, 20, kept());
    screen.feed(&lines(2000));
    memory_store.put(screen.emulator.take_sealed());
    let before = memory_store.taken();
    screen.resize(1000, 20);
    assert_eq!(screen.rows()[0], "line 1001");
    assert_eq!(screen.emulator.history_lines(), 1001);
    // The pages that are sealed now have the numbers of those that were taken back.
    screen.resize(10, 20).feed(&lines(1000));
    let again = screen.emulator.take_sealed();
    let known = before.iter().find(|page| page.number == again[0].number);
    assert_eq!(known.map(|page| page.first_line), Some(again[0].first_line));
    memory_store.put(again);
    let taken = memory_store.taken();
    let follows = |two: &[shellkeep_term::TakenPage]| {
        two[1].first_line == two[0].first_line + u64::from(two[0].lines)
    };
    assert!(taken.windows(2).all(follows));
    let texts: Vec<String> = (0..2000)
        .chain(0..991)
        .map(|n| format!("line {n}"))
        .collect();
    assert!(screen.history() == texts);
}

#[test]
fn page_that_cannot_be_read_is_empty_lines() {
    let (mut screen, memory_store) = printed(3000);
    let other = memory_store.copy();
    memory_store.spoil(2, b"junk");
    let rows = screen.emulator.history_rows(0, usize::MAX);
    assert_eq!(rows.missing(), Some(PageMissing(2)));
    assert_eq!(rows.len(), 2998);
    for (n, row) in rows.iter().enumerate() {
        let lost = (512..768).contains(&n);
        assert_eq!(
            row.text(),
            if lost {
                String::new()
            } else {
                format!("line {n}")
            }
        );
    }
    assert_eq!(screen.emulator.history_text(600), Err(PageMissing(2)));
    let part = screen.emulator.history_line_rows(760, 10, 20);
    let texts: Vec<String> = part.iter().map(|row| row.text()).collect();
    assert_eq!(
        (texts.len(), &texts[7][..], &texts[8][..]),
        (10, "", "line 768")
    );
    assert_eq!(part.missing(), Some(PageMissing(2)));
    let part = screen.emulator.history_line_rows(768, 10, 20);
    assert_eq!((part.len(), part.missing()), (10, None));
    // A page that differs from the one that was taken counts as missing.
    memory_store.spoil(2, b"");
    assert_eq!(screen.emulator.history_text(600), Err(PageMissing(2)));
    // A screen that grows stops there, and continues when the page is back.
    screen.resize(3500, 20);
    assert_eq!(screen.rows()[0], "line 768");
    assert_eq!(screen.emulator.history_lines(), 768);
    screen.emulator.set_page_store(other);
    screen.resize(3, 20).resize(3500, 20);
    assert_eq!(screen.rows()[0], "line 0");
    assert_eq!(screen.emulator.history_lines(), 0);
}

#[test]
fn restore_finds_the_pages_again() {
    let (screen, memory_store) = printed(3000);
    let dump = screen.emulator.dump();
    let restored =
        Emulator::restore_kept(&dump, kept(), &memory_store.taken(), memory_store.clone());
    let restored = restored.expect("sound");
    assert!(restored.dump() == dump);
    let restored = Term {
        emulator: restored,
        effects: Vec::new(),
    };
    assert!(restored.history() == screen.history());
    let (other, _) = printed(300_000);
    assert!(other.emulator.dump().len() < dump.len() + 10_000);
}

#[test]
fn restore_without_some_pages_has_empty_lines_in_their_place() {
    let (screen, memory_store) = printed(3000);
    let dump = screen.emulator.dump();
    let all = memory_store.taken();
    let wanted = screen.history();
    for lost in [
        vec![0],
        vec![4],
        vec![0, 1, 2],
        vec![3, 4, 6],
        (0..all.len()).collect(),
    ] {
        let mut known = all.clone();
        known.retain(|page| !lost.contains(&(page.number as usize)));
        known.reverse();
        let restored = Emulator::restore_kept(&dump, kept(), &known, memory_store.clone());
        let mut restored = Term {
            emulator: restored.expect("sound"),
            effects: Vec::new(),
        };
        assert!(restored.emulator.dump() == dump, "without {lost:?}");
        assert_eq!(restored.emulator.first_history_line(), 0);
        let history = restored.history();
        assert_eq!(history.len(), wanted.len(), "without {lost:?}");
        for (n, (text, wanted)) in history.iter().zip(&wanted).enumerate() {
            let gone = lost.contains(&(n / 256));
            assert_eq!(
                text,
                if gone { "" } else { wanted },
                "line {n} without {lost:?}"
            );
        }
        // It continues from there.
        restored.feed(&lines(3000)).resize(10, 9);
        memory_store.put(restored.emulator.take_sealed());
        assert_eq!(restored.emulator.history_lines(), 5991);
        let text = restored.emulator.history_text(3100);
        assert_eq!(text, Ok(Some("line 100".into())));
    }
    // Without a store all of them are missing.
    let alone = Emulator::restore(&dump, Config::default()).expect("sound");
    assert_eq!(alone.history_lines(), 2998);
    assert_eq!(alone.history_text(3), Err(PageMissing(0)));
}

#[test]
fn restore_with_wrong_pages_takes_only_those_that_fit() {
    let (screen, memory_store) = printed(3000);
    let dump = screen.emulator.dump();
    let good = memory_store.taken();
    let mut known = good.clone();
    known[2].lines = 200;
    known[5].first_line += 7;
    known[6].number = u64::MAX;
    known[7].first_line = u64::MAX;
    known[8].cells = u64::MAX;
    known.extend(known.clone());
    let restored =
        Emulator::restore_kept(&dump, kept(), &known, memory_store.clone()).expect("sound");
    assert_eq!(restored.history_rows(0, usize::MAX).len(), 2998);
    assert_eq!(restored.history_text(300), Ok(Some("line 300".into())));
    assert!(restored.history_text(600).is_err());
    assert!(restored.dump() == dump);
    // If a number occurs twice, the later page counts.
    known.extend(good);
    let restored = Emulator::restore_kept(&dump, kept(), &known, memory_store).expect("sound");
    assert_eq!(restored.history_rows(0, usize::MAX).missing(), None);
}

#[test]
fn restore_of_a_damaged_dump_is_refused_or_sound() {
    let (mut screen, memory_store) = printed(1000);
    screen.resize(2, 4).feed(&"x\r\n".repeat(600));
    let dump = screen.emulator.dump();
    let known = memory_store.taken();
    // A sample of the bytes is enough, except at the end, where the pages are recorded.
    let end = dump.len();
    for at in (0..end - 100).step_by(13).chain(end - 100..end) {
        for flip in [0x01, 0x80, 0xff] {
            let mut bad = dump.clone();
            bad[at] ^= flip;
            let restored = Emulator::restore_kept(&bad, kept(), &known, memory_store.clone());
            if let Ok(mut emulator) = restored {
                let _ = emulator.history_rows(1_000, 10);
                emulator.resize(shellkeep_core::Size::new(9, 9));
                let _ = emulator.dump();
            }
        }
    }
}

#[test]
fn pages_beyond_the_limit_do_not_go_to_the_store() {
    let limited = || Config {
        history_limit: 1000,
        ..kept()
    };
    let (mut screen, memory_store) = with_memory_store(3, 20, limited());
    screen.feed(&lines(3000));
    let left = screen.emulator.history_lines();
    assert!((900..=1000).contains(&left), "{left}");
    memory_store.put(screen.emulator.take_sealed());
    assert_eq!(screen.emulator.history_lines(), left);
    let first = screen.emulator.first_history_line();
    assert_eq!(memory_store.taken()[0].first_line, first);
    let dump = screen.emulator.dump();
    let restored =
        Emulator::restore_kept(&dump, kept(), &memory_store.taken(), memory_store.clone());
    let restored = restored.expect("sound");
    assert_eq!((restored.history_lines(), restored.dump()), (left, dump));
    // Some pages in the store are beyond the limit, then some within it are missing.
    screen.feed(&lines(3000));
    memory_store.put(screen.emulator.take_sealed());
    let dump = screen.emulator.dump();
    let restored = Emulator::restore_kept(
        &dump,
        limited(),
        &memory_store.taken(),
        memory_store.clone(),
    );
    let restored = restored.expect("sound");
    assert_eq!(restored.history_text(5900), Ok(Some("line 2900".into())));
    // All pages in the store are used when the dump is lost, and lines that never reached it are empty.
    let size = Size::new(3, 20);
    let found = Emulator::over_pages(size, kept(), &memory_store.taken(), memory_store.clone());
    assert_eq!(found.first_history_line(), first);
    assert_eq!(found.history_text(5500), Ok(Some("line 2500".into())));
    assert!(found.history_text(4000).is_err());

    screen.emulator.set_history_limit(400);
    let left = screen.emulator.history_lines();
    // Pages that were made under a higher limit are longer.
    assert!((300..=400).contains(&left), "{left}");
    screen.emulator.set_history_limit(usize::MAX);
    screen.feed(&lines(2000));
    assert_eq!(screen.emulator.history_lines(), left + 2000);
    screen.emulator.set_history_limit(0);
    screen.feed(&lines(10));
    assert_eq!(screen.emulator.history_lines(), 0);
}

#[test]
fn history_cleared_is_not_found_again() {
    let (mut screen, memory_store) = printed(3000);
    screen.emulator.clear_history();
    screen.feed(&lines(2000));
    memory_store.put(screen.emulator.take_sealed());
    let dump = screen.emulator.dump();
    let restored =
        Emulator::restore_kept(&dump, kept(), &memory_store.taken(), memory_store).expect("sound");
    assert_eq!(restored.first_history_line(), 2998);
    assert_eq!(restored.history_text(2997), Ok(None));
    assert_eq!(restored.history_text(3100), Ok(Some("line 100".into())));
    assert!(restored.dump() == dump);
}

#[test]
fn dump_of_pages_in_memory_goes_to_a_store_later() {
    let mut screen = Term::with(
        3,
        20,
        Config {
            history_limit: usize::MAX,
            ..Config::default()
        },
    );
    screen.feed(&lines(3000));
    assert!(screen.emulator.take_sealed().is_empty());
    let memory_store = Arc::new(MemoryStore::default());
    let dump = screen.emulator.dump();
    let restored = Emulator::restore_kept(&dump, kept(), &[], memory_store.clone()).expect("sound");
    let mut restored = Term {
        emulator: restored,
        effects: Vec::new(),
    };
    memory_store.put(restored.emulator.take_sealed());
    assert_eq!(memory_store.taken().len(), 10);
    assert!(restored.history() == screen.history());
    // And back: pages in the store stay there, and new ones stay in memory.
    let dump = restored.emulator.dump();
    let config = Config {
        keep: Keep::Memory,
        ..kept()
    };
    let back =
        Emulator::restore_kept(&dump, config, &memory_store.taken(), memory_store).expect("sound");
    assert!(back.dump() == dump);
    assert_eq!(back.history_text(5), Ok(Some("line 5".into())));
}

#[test]
fn history_of_a_terminal_whose_dump_is_lost_is_read_and_gone_on_with() {
    let (screen, memory_store) = printed(3000);
    drop(screen);
    let known = memory_store.taken();
    let total: usize = known.iter().map(|page| page.lines as usize).sum();
    let emulator = Emulator::over_pages(Size::new(3, 20), kept(), &known, memory_store.clone());
    let effects = Vec::new();
    let mut screen = Term { emulator, effects };
    assert_eq!(screen.emulator.history_lines(), total);
    assert_eq!(
        screen.emulator.history_text(total as u64 - 1),
        Ok(Some(format!("line {}", total - 1)))
    );
    screen.feed(&lines(600));
    memory_store.put(screen.emulator.take_sealed());
    let history = screen.history();
    assert_eq!(history.len(), total + 598);
    let expected = (0..total).chain(0..598).map(|n| format!("line {n}"));
    assert_eq!(history, expected.collect::<Vec<_>>());
    // Without pages it is a new terminal.
    let emulator = Emulator::over_pages(Size::new(3, 20), kept(), &[], memory_store);
    assert_eq!(emulator.history_lines(), 0);
}
