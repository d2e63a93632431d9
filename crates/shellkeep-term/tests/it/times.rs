//! The times at which lines were printed.

use shellkeep_term::{Emulator, TextLines};

use crate::kit::{Term, term};
use crate::memory_store::{kept, with_memory_store};

/// Feeds each text at its time.
fn fed(rows: u16, cols: u16, texts: &[(u32, &str)]) -> Term {
    let mut term = Term::new(rows, cols);
    feed(&mut term, texts);
    term
}

fn feed(term: &mut Term, texts: &[(u32, &str)]) {
    for (time, text) in texts {
        term.emulator.set_time(*time);
        term.feed(text);
    }
}

/// The times of the screen's rows; 0 for unknown ones.
fn times(term: &Term) -> Vec<u32> {
    let rows = term.emulator.rows();
    rows.map(|row| row.time().unwrap_or(0)).collect()
}

/// The times of the rows of history.
fn history_times(emulator: &Emulator) -> Vec<u32> {
    let rows = emulator.history_rows(0, usize::MAX);
    rows.iter().map(|row| row.time().unwrap_or(0)).collect()
}

/// Every printed line and its time.
fn printed(emulator: &Emulator) -> Vec<(String, Option<u32>)> {
    let printed = emulator.printed();
    let mut lines = TextLines::default();
    (0..printed.parts()).for_each(|part| printed.push_text(part, &mut lines));
    let text = |line| String::from_utf8_lossy(lines.line(line)).into_owned();
    let all = (0..lines.len()).map(|line| (text(line), lines.time(line)));
    all.collect()
}

#[test]
fn without_a_clock_no_time_is_known() {
    let term = term(3, 20, "one\r\ntwo\r\nthree\r\nfour");
    assert!(term.emulator.rows().all(|row| row.time().is_none()));
    assert_eq!(history_times(&term.emulator), [0]);
    assert!(
        printed(&term.emulator)
            .iter()
            .all(|(_, time)| time.is_none())
    );
}

#[test]
fn each_line_has_the_time_at_which_it_was_printed() {
    let term = fed(
        3,
        20,
        &[(5, "one\r\n"), (6, "two\r\nthree"), (7, "\r\nfour")],
    );
    assert_eq!(times(&term), [6, 6, 7]);
    assert_eq!(history_times(&term.emulator), [5]);
}

#[test]
fn empty_lines_have_the_time_at_which_they_were_ended() {
    let term = fed(5, 20, &[(5, "\r\n"), (6, "\r\nx"), (7, "\r\n")]);
    assert_eq!(times(&term), [5, 6, 6, 0, 0]);
}

#[test]
fn progress_has_the_time_of_its_last_write() {
    let term = fed(
        3,
        20,
        &[(5, "10%"), (6, "\r50%"), (60, "\r99%"), (61, "\r\n")],
    );
    assert_eq!(times(&term), [60, 0, 0]);
}

#[test]
fn prompt_has_the_time_at_which_its_command_was_typed() {
    let term = fed(4, 20, &[(5, "$ "), (90, "make"), (91, "\r\nok")]);
    assert_eq!(times(&term), [90, 91, 0, 0]);
}

#[test]
fn cleared_screen_has_no_times_until_it_is_written_again() {
    let mut term = fed(3, 20, &[(5, "one\r\ntwo"), (6, "\x1b[H\x1b[2J")]);
    assert_eq!(times(&term), [0, 0, 0]);
    // It went to the history before that.
    assert_eq!(history_times(&term.emulator), [5, 5]);
    feed(&mut term, &[(7, "new")]);
    assert_eq!(times(&term), [7, 0, 0]);
}

#[test]
fn every_way_to_write_counts() {
    for (text, written) in [
        ("\x1b[2;3Hascii", 1),
        ("\x1b[2;3H漢字", 1),
        ("\x1b[2;3He\u{301}", 1),
        ("\x1b[2;3H\u{1f1e9}\u{1f1ea}", 1),
        ("\x1b[4h\x1b[2;1Hinserted", 1),
        ("\x1b(0\x1b[2;1Hqqq", 1),
        ("\x1b[88;2;1;2;9$x", 1),
        ("\x1b[1;1;1;5;1;2;1$v", 1),
    ] {
        let mut term = fed(3, 20, &[(5, "one\r\ntwo\r\nthree"), (6, text)]);
        let mut expected = [5, 5, 5];
        expected[written] = 6;
        assert_eq!(times(&term), expected, "{text:?}");
        // Moving the cursor, queries and colours write nothing.
        feed(
            &mut term,
            &[(7, "\x1b[2;2H\x1b[6n\x1b[31m\x1b[1;1;3;5;7$r\x07\r")],
        );
        assert_eq!(times(&term), expected, "{text:?}");
    }
}

#[test]
fn scrolled_rows_take_their_times_along() {
    let term = fed(4, 20, &[(1, "a\r\n"), (2, "b\r\n"), (3, "c\r\n"), (4, "d")]);
    let mut up = fed(4, 20, &[]);
    up.emulator = term.emulator.clone();
    feed(&mut up, &[(9, "\x1b[2;3r\x1b[S")]);
    assert_eq!(times(&up), [1, 3, 0, 4]);
    let mut down = term;
    feed(&mut down, &[(9, "\x1b[2;4r\x1b[T")]);
    assert_eq!(times(&down), [1, 0, 2, 3]);
}

#[test]
fn reset_keeps_the_clock() {
    for text in ["\x1bcnew", "\x1b[!pnew"] {
        let term = fed(3, 20, &[(5, "old\r"), (6, text)]);
        assert_eq!(times(&term)[0], 6, "{text:?}");
    }
    let mut term = fed(3, 20, &[(5, "old")]);
    term.emulator.reset();
    term.feed("new");
    assert_eq!(times(&term)[0], 5);
}

#[test]
fn wrapped_line_has_the_time_of_its_first_row() {
    let mut term = fed(3, 5, &[(5, "01234"), (6, "56789"), (7, "abc\r\nx")]);
    assert_eq!(times(&term), [6, 7, 7]);
    assert_eq!(history_times(&term.emulator), [5]);
    assert_eq!(
        printed(&term.emulator),
        [
            ("0123456789abc".to_owned(), Some(5)),
            ("x".to_owned(), Some(7))
        ]
    );
    term.resize(3, 20);
    assert_eq!(times(&term), [5, 7, 0]);
    term.resize(3, 4);
    assert_eq!(times(&term), [5, 7, 0]);
    assert_eq!(history_times(&term.emulator), [5, 5, 5]);
}

#[test]
fn lines_taken_back_from_the_history_keep_their_times() {
    let mut term = Term::new(2, 20);
    for line in 0..600 {
        feed(&mut term, &[(line + 1, "line\r\n")]);
    }
    term.resize(500, 20);
    let expected: Vec<u32> = (102..=600).chain([0]).collect();
    assert_eq!(times(&term), expected);
    let history: Vec<u32> = (1..=101).collect();
    assert_eq!(history_times(&term.emulator), history);
    term.resize(2, 20);
    let history: Vec<u32> = (1..=599).collect();
    assert_eq!(history_times(&term.emulator), history);
}

#[test]
fn pages_say_when_their_lines_were_printed() {
    let (mut term, memory_store) = with_memory_store(2, 20, kept());
    for line in 0..2000u32 {
        // Unknown at first, then several lines a second.
        let time = line.checked_sub(300).map_or(0, |since| 1_000 + since / 7);
        feed(&mut term, &[(time, &format!("line {line}\r\n"))]);
    }
    let pages = term.emulator.take_sealed();
    memory_store.put(pages.clone());
    assert!(pages.len() > 5);
    let mut stored = TextLines::default();
    let mut own = TextLines::default();
    for page in &pages {
        assert_eq!(stored.push_page(&page.bytes()), Some(page.lines as usize));
        let (first, lines) = (page.first_line, page.lines);
        assert!(term.emulator.push_page_text(first, lines, &mut own));
    }
    for lines in [&stored, &own] {
        for line in 0..stored.len() {
            let time = line.checked_sub(300).map(|since| 1_000 + since as u32 / 7);
            assert_eq!(lines.time(line), time, "{line}");
        }
        assert_eq!(lines.time(lines.len()), None);
    }
    // Pages without times do not inherit those of the pages before.
    let mut mixed = TextLines::default();
    for page in [&pages[3], &pages[0], &pages[4]] {
        mixed.push_page(&page.bytes());
    }
    assert!(mixed.time(255).is_some() && mixed.time(512).is_some());
    assert!((256..512).all(|line| mixed.time(line).is_none()));
    mixed.clear();
    mixed.push_page(&pages[0].bytes());
    assert_eq!(mixed.time(0), None);
}

#[test]
fn flood_grows_by_next_to_nothing() {
    let page = |has_times: bool| {
        let (mut term, _) = with_memory_store(2, 20, kept());
        if has_times {
            term.emulator.set_time(1_795_059_000);
        }
        for line in 0..600 {
            term.feed(&format!("line {line}\r\n"));
        }
        term.emulator.take_sealed()[0].bytes().len()
    };
    assert!(page(true) - page(false) <= 8);
}

#[test]
fn alternate_screen_has_times_of_its_own() {
    let mut term = fed(3, 20, &[(5, "main"), (6, "\x1b[?1049h\x1b[Halternate")]);
    assert_eq!(times(&term)[0], 6);
    assert_eq!(
        printed(&term.emulator),
        [
            ("main".to_owned(), Some(5)),
            ("alternate".to_owned(), Some(6))
        ]
    );
    feed(&mut term, &[(7, "\x1b[?1049l")]);
    assert_eq!(times(&term)[0], 5);
}
