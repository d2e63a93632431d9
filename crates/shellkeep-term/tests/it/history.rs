//! Lines that have left the screen.

use shellkeep_core::Color;
use shellkeep_term::{Config, Effect, Keep};

use crate::kit::{Term, term};

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("line {n}\r\n")).collect()
}

#[test]
fn lines_that_scroll_off_become_history() {
    let screen = term(3, 10, &lines(5));
    assert_eq!(screen.history(), ["line 0", "line 1", "line 2"]);
    assert_eq!(screen.emulator.history_lines(), 3);
}

#[test]
fn a_region_that_starts_at_the_top_feeds_it_and_another_does_not() {
    assert_eq!(
        term(4, 10, &format!("\x1b[1;3r{}", lines(4))).history(),
        ["line 0", "line 1"]
    );
    assert_eq!(
        term(4, 10, &format!("\x1b[2;3r\x1b[2;1H{}", lines(4)))
            .emulator
            .history_lines(),
        0
    );
    assert_eq!(
        term(4, 10, &format!("\x1b[?69h\x1b[2;5s{}", lines(6)))
            .emulator
            .history_lines(),
        0
    );
}

#[test]
fn deleted_lines_are_gone_and_scrolled_ones_are_kept() {
    assert_eq!(
        term(3, 10, "a\r\nb\x1b[H\x1b[M").emulator.history_lines(),
        0
    );
    assert_eq!(term(3, 10, "a\r\nb\x1b[S").history(), ["a"]);
}

#[test]
fn wrapped_rows_are_one_line() {
    let screen = term(2, 5, "0123456789abc\r\nx\r\ny\r\n");
    assert_eq!(screen.emulator.history_lines(), 2);
    assert_eq!(screen.history(), ["01234", "56789", "abc", "x"]);
    assert_eq!(
        screen.emulator.history_text(0),
        Ok(Some("0123456789abc".into()))
    );
    assert_eq!(screen.emulator.history_text(9), Ok(None));
    let rows = screen.emulator.history_rows(0, 9);
    let wrapped: Vec<bool> = rows.iter().map(|row| row.is_wrapped()).collect();
    assert_eq!(wrapped, [true, true, false, false]);
}

#[test]
fn a_line_half_on_the_screen_is_still_one() {
    let screen = term(2, 5, "0123456789abcde");
    assert_eq!(screen.emulator.history_lines(), 1);
    let rows = screen.emulator.history_rows(0, 1);
    assert!(rows.row(0).is_some_and(|row| row.is_wrapped()));
}

#[test]
fn windows_into_history() {
    let screen = term(3, 10, &lines(100));
    let rows = |above, count| -> Vec<String> {
        let rows = screen.emulator.history_rows(above, count);
        rows.iter().map(|row| row.text()).collect()
    };
    assert_eq!(rows(0, 2), ["line 96", "line 97"]);
    assert_eq!(rows(2, 2), ["line 94", "line 95"]);
    assert_eq!(rows(97, 9), ["line 0"]);
    assert!(rows(98, 9).is_empty());
    assert_eq!(screen.emulator.history_row_count(), 98);
}

#[test]
fn styles_links_and_wide_characters_come_back() {
    let screen = term(
        1,
        20,
        "\x1b[31ma漢\x1b[0m e\u{301}👩‍🔧\x1b]8;;http://x\x07l\x1b]8;;\x07\x1b[44m\x1b[K\r\n",
    );
    let rows = screen.emulator.history_rows(0, 1);
    let row = rows.row(0).expect("one row");
    assert_eq!(row.text(), "a漢 e\u{301}👩‍🔧l");
    assert_eq!(row.cell(1).style().fg, Color::Palette(1));
    assert_eq!(row.cell(1).width(), 2);
    assert_eq!(row.cell(7).link(), Some("http://x"));
    assert_eq!(row.cell(19).style().bg, Color::Palette(4));
}

#[test]
fn colours_stay_right_through_collections_and_resets() {
    let mut screen = term(2, 10, "");
    for n in 0..3000u32 {
        let (r, g) = (n / 200, n % 200);
        screen.feed(&format!("\x1b[38;2;{r};{g};1m{n}\r\n"));
        if n % 700 == 699 {
            screen.feed("\x1bc");
        }
    }
    let rows = screen.emulator.history_rows(0, usize::MAX);
    let mut seen = 0;
    for row in rows.iter().filter(|row| !row.text().is_empty()) {
        let n: u32 = row.text().parse().expect("a number");
        let expected = Color::Rgb((n / 200) as u8, (n % 200) as u8, 1);
        assert_eq!(row.cell(0).style().fg, expected, "{n}");
        seen += 1;
    }
    assert!(seen > 2900, "{seen}");
}

#[test]
fn clearing_takes_all_of_it() {
    let mut screen = term(3, 10, &lines(1000));
    screen.feed("\x1b[3J");
    assert_eq!(screen.emulator.history_lines(), 0);
    assert_eq!(screen.effects, [Effect::HistoryCleared]);
    // Line numbers continue: a number is never used again.
    assert_eq!(screen.emulator.first_history_line(), 998);
    screen.feed(&lines(1));
    assert_eq!(screen.history(), ["line 998"]);
}

#[test]
fn limit_drops_the_oldest_pages() {
    let config = Config {
        history_limit: 1000,
        ..Config::default()
    };
    let mut screen = Term::with(3, 10, config);
    screen.feed(&lines(10_000));
    let kept = screen.emulator.history_lines();
    assert!((900..=1000).contains(&kept), "{kept}");
    assert_eq!(screen.emulator.first_history_line(), 9998 - kept as u64);
    let none = Config {
        history_limit: 0,
        ..Config::default()
    };
    let mut screen = Term::with(3, 10, none);
    screen.feed(&lines(100));
    assert_eq!(screen.emulator.history_lines(), 0);
}

/// Feeds one row at a time, and checks the limit after each.
fn assert_within(keep: Keep, limit: usize, cols: u16, line: impl Fn(usize) -> String) {
    let config = Config {
        keep,
        history_limit: limit,
        ..Config::default()
    };
    let mut screen = Term::with(3, cols, config);
    for number in 0..3 * limit + 100 {
        screen.feed(&format!("{}\r\n", line(number)));
        let rows = screen.emulator.history_row_count();
        assert!(rows <= limit, "{rows} of {limit} at line {number}");
    }
    let rows = screen.emulator.history_row_count();
    // A page of wrapped lines may be twice as long as one of short lines, or have four rows if that is more.
    let least = limit - (limit / 5).max(4).min(limit);
    assert!(rows >= least, "{rows} of {limit}");
    let newest = screen.history().pop().unwrap_or_default();
    assert_eq!(
        newest,
        line(3 * limit + 97).trim_end(),
        "the newest is kept"
    );
}

#[test]
fn limit_counts_from_the_first_row_above_it() {
    for keep in [Keep::Memory, Keep::Store] {
        for limit in [1, 2, 7, 10, 100, 999, 3000] {
            assert_within(keep, limit, 20, |number| format!("line {number}"));
        }
    }
}

#[test]
fn limit_counts_rows_of_wrapped_lines() {
    let config = || Config {
        history_limit: 100,
        ..Config::default()
    };
    let mut screen = Term::with(3, 10, config());
    for number in 0..500 {
        screen.feed(&format!("{number:035}\r\n"));
        let rows = screen.emulator.history_row_count();
        assert!(rows <= 100, "{rows} at line {number}");
    }
    assert!(screen.emulator.history_row_count() >= 80);
    // Short lines stay whole.
    let wide = screen.resize(3, 40).history();
    assert!(wide.contains(&format!("{:035}", 490)), "{wide:?}");
    // A line without an end is cut.
    let mut screen = Term::with(3, 10, config());
    for _ in 0..1000 {
        screen.feed("0123456789");
        assert!(screen.emulator.history_row_count() <= 100);
    }
    assert!(screen.emulator.history_row_count() >= 80);
}

#[test]
fn limit_holds_after_the_width_changed() {
    let config = Config {
        history_limit: 100,
        ..Config::default()
    };
    let mut screen = Term::with(3, 40, config);
    screen.feed(&format!("{}\r\n", "x".repeat(40)).repeat(200));
    screen.resize(3, 10);
    screen.feed(&lines(1000));
    let rows = screen.emulator.history_row_count();
    assert!((90..=100).contains(&rows), "{rows}");
    screen.resize(50, 10).resize(3, 10).feed(&lines(1000));
    let rows = screen.emulator.history_row_count();
    assert!((90..=100).contains(&rows), "{rows}");
}

#[test]
fn compressed_pages_read_as_before() {
    let config = Config {
        uncompressed_budget: 0,
        history_limit: usize::MAX,
        ..Config::default()
    };
    let mut packed = Term::with(3, 10, config);
    let input = lines(5000);
    packed.feed(&input);
    let mut open = Term::with(
        3,
        10,
        Config {
            history_limit: usize::MAX,
            ..Config::default()
        },
    );
    open.feed(&input);
    assert_eq!(packed.history(), open.history());
    assert!(packed.emulator.memory() < open.emulator.memory());
}

#[test]
fn an_endless_line_is_cut_and_stays_cheap() {
    let mut screen = term(3, 10, "");
    screen.feed(&"x".repeat(1_000_000));
    assert!(screen.emulator.history_lines() > 5);
    screen.resize(4, 11).resize(3, 10);
    assert!(
        screen.emulator.memory() < 2 << 20,
        "{}",
        screen.emulator.memory()
    );
}

#[test]
fn growing_takes_lines_back_from_compressed_pages() {
    let config = || Config {
        uncompressed_budget: 0,
        ..Config::default()
    };
    let mut screen = Term::with(10, 20, config());
    screen.feed(&lines(3000));
    screen.feed("$ ");
    let all: Vec<String> = [screen.history(), screen.rows()].concat();
    for rows in [1500, 7, 3001, 10] {
        screen.resize(rows, 20);
        let history = screen.history();
        assert_eq!(screen.emulator.history_lines(), history.len());
        assert_eq!(history.len() + usize::from(rows), 3001);
        assert!([history, screen.rows()].concat() == all, "at {rows} rows");
        // The numbers of lines and pages continue.
        assert_eq!(screen.emulator.first_history_line(), 0);
        let dump = screen.emulator.dump();
        let restored = shellkeep_term::Emulator::restore(&dump, config()).expect("sound");
        assert!(restored.dump() == dump);
    }
    for n in [0, 300, 2990] {
        assert_eq!(
            screen.emulator.history_text(n),
            Ok(Some(format!("line {n}")))
        );
    }
    screen.feed(&lines(3000));
    assert_eq!(screen.emulator.history_lines(), 5991);
}

/// The limits on memory, according to the engine's own estimate, which `--example memory` compares with an allocator.
#[test]
fn panes_stay_within_their_memory() {
    let mut screen = Term::new(24, 80);
    assert!(
        screen.emulator.memory() < 4 << 10,
        "{}",
        screen.emulator.memory()
    );
    for n in 0..24 * 20 {
        screen.feed(&format!("\x1b[38;5;{}m{n:04}", n % 256));
    }
    assert!(
        screen.emulator.memory() < 23 << 10,
        "{}",
        screen.emulator.memory()
    );
    for (keep, most) in [(Keep::Store, 512 << 10), (Keep::Memory, 1536 << 10)] {
        let mut screen = Term::with(
            24,
            80,
            Config {
                keep,
                ..Config::default()
            },
        );
        for n in 0..10_024 {
            let words = n * 7919 % 10_007;
            screen.feed(&format!("{n:06} host service[{words}]: request {words:08x} took {n} ms, then {words:05} more of it. ok\r\n"));
            drop(screen.emulator.take_sealed());
        }
        assert!(
            screen.emulator.memory() < most,
            "{}",
            screen.emulator.memory()
        );
    }
}
