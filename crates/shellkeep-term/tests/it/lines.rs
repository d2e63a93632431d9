//! Logical lines by number, and the numbers of prompt marks.

use shellkeep_core::Color;
use shellkeep_term::{Config, Effect, Emulator, PromptMark};

use crate::kit::{Term, term};
use crate::memory_store::{kept, with_memory_store};

fn texts(emulator: &Emulator, lines: std::ops::Range<u64>, cols: u16) -> Vec<String> {
    let lines = emulator.lines(lines, cols);
    lines.iter().map(|row| row.text()).collect()
}

/// All lines, each in one row.
fn all(term: &Term) -> Vec<String> {
    let numbers = term.emulator.line_numbers();
    assert_eq!(numbers.start, term.emulator.first_history_line());
    texts(&term.emulator, numbers, u16::MAX)
}

/// Takes the numbers of the prompt marks so far.
fn marks(term: &mut Term) -> Vec<Option<u64>> {
    let marks = term.effects.drain(..).filter_map(|effect| match effect {
        Effect::Prompt { line, .. } => Some(line),
        _ => None,
    });
    marks.collect()
}

#[test]
fn lines_go_on_from_the_history_to_the_screen() {
    let screen = term(3, 10, "a\r\nb\r\nc\r\nd\r\ne\r\n");
    assert_eq!(screen.emulator.history_lines(), 3);
    assert_eq!(all(&screen), ["a", "b", "c", "d", "e"]);
    assert_eq!(texts(&screen.emulator, 1..4, 10), ["b", "c", "d"]);
    assert_eq!(texts(&screen.emulator, 4..9, 10), ["e"]);
    assert_eq!(texts(&screen.emulator, 0..1, 10), ["a"]);
    assert!(texts(&screen.emulator, 5..9, 10).is_empty());
    #[expect(clippy::reversed_empty_ranges, reason = "callers may subtract")]
    let none = texts(&screen.emulator, 4..1, 10);
    assert!(none.is_empty());
}

#[test]
fn line_half_in_the_history_is_whole() {
    let screen = term(2, 5, "x\r\n0123456789\x1b[31mabcde\x1b[mfgh");
    assert!(screen.emulator.is_history_open());
    assert_eq!(all(&screen), ["x", "0123456789abcdefgh"]);
    assert_eq!(
        texts(&screen.emulator, 1..2, 8),
        ["01234567", "89abcdef", "gh"]
    );
    let rows = screen.emulator.lines(1..2, 8);
    let wrapped: Vec<bool> = rows.iter().map(|row| row.is_wrapped()).collect();
    assert_eq!(wrapped, [true, true, false]);
    let row = rows.row(1).expect("there are three");
    assert_eq!(row.cell(1).style().fg, Color::Default);
    assert_eq!(row.cell(2).style().fg, Color::Palette(1));
    assert_eq!(row.cell(7).style().fg, Color::Default);
    // Also if a wide character did not fit at the margin.
    let screen = term(2, 5, "漢字漢字漢字漢字");
    assert!(screen.emulator.is_history_open());
    assert_eq!(all(&screen), ["漢字漢字漢字漢字"]);
}

#[test]
fn line_at_the_top_that_nothing_follows_is_the_newest_of_the_history() {
    let screen = term(2, 5, "0123456789abcde\x1b[H\x1b[2K\x1b[B\x1b[2K");
    assert_eq!(all(&screen).len(), 1);
}

#[test]
fn resize_changes_no_numbers() {
    let mut screen = term(4, 20, "");
    for line in 0..40 {
        screen.feed(&format!("{line} {}\r\n", "long ".repeat(line % 9)));
    }
    let before = all(&screen);
    assert_eq!(before.len(), 40);
    for (rows, cols) in [(3, 7), (30, 80), (9, 3), (4, 20), (100, 9)] {
        screen.resize(rows, cols);
        assert_eq!(all(&screen), before, "{rows}x{cols}");
    }
}

#[test]
fn main_screen_is_read_under_the_alternate_one() {
    let mut screen = term(3, 10, "a\r\nb\r\nc\r\nd");
    screen.feed("\x1b[?1049h\x1b[Hother\r\n\r\n\r\n\r\nthings");
    assert_eq!(all(&screen), ["a", "b", "c", "d"]);
    screen.resize(2, 4);
    assert_eq!(all(&screen), ["a", "b", "c", "d"]);
    screen.feed("\x1b[?1049l\r\ne");
    assert_eq!(all(&screen), ["a", "b", "c", "d", "e"]);
}

#[test]
fn lines_are_read_wherever_they_are_kept() {
    let (mut screen, memory_store) = with_memory_store(3, 20, kept());
    for line in 0..2000 {
        screen.feed(&format!("line {line}\r\n"));
        if line == 1200 {
            memory_store.put(screen.emulator.take_sealed());
        }
    }
    let expected: Vec<String> = (0..2000).map(|line| format!("line {line}")).collect();
    assert_eq!(all(&screen), expected);
    assert_eq!(texts(&screen.emulator, 250..260, 20), expected[250..260]);
    assert_eq!(
        texts(&screen.emulator, 1990..3000, 20),
        expected[1990..2000]
    );
    // The lines of a page that cannot be read exist, and are empty.
    memory_store.spoil(0, b"junk");
    let lines = screen.emulator.lines(254..258, 20);
    assert!(lines.missing().is_some());
    let texts: Vec<String> = lines.iter().map(|row| row.text()).collect();
    assert_eq!(texts, ["", "", "line 256", "line 257"]);
}

#[test]
fn marks_say_in_which_line_they_are() {
    let mut screen = term(4, 10, "");
    let prompt = "\x1b]133;A\x07$ \x1b]133;B\x07";
    screen.feed(prompt);
    assert_eq!(marks(&mut screen), [Some(0), Some(0)]);
    screen.feed("make\r\n\x1b]133;C\x07one\r\ntwo\r\nthree\r\nfour\r\n\x1b]133;D;0\x07");
    assert_eq!(marks(&mut screen), [Some(1), Some(5)]);
    screen.feed(prompt);
    assert_eq!(marks(&mut screen), [Some(5), Some(5)]);
    let output = texts(&screen.emulator, 1..5, 10);
    assert_eq!(output, ["one", "two", "three", "four"]);
    // A wrapped line counts once, even if a part of it has left the screen.
    screen.feed(&"wrapped ".repeat(6));
    assert!(screen.emulator.is_history_open());
    screen.feed("\r\n\x1b]133;C\x07");
    assert_eq!(marks(&mut screen), [Some(6)]);
    screen.feed("\x1b]133;E;make\x07");
    assert_eq!(marks(&mut screen), [Some(6)]);
}

#[test]
fn marks_keep_their_numbers_when_the_screen_is_cleared() {
    let mut screen = term(4, 10, "one\r\ntwo\r\n\x1b]133;C\x07three\r\n");
    assert_eq!(marks(&mut screen), [Some(2)]);
    screen.feed("\x1b[H\x1b[2J\x1b]133;D\x07");
    assert_eq!(marks(&mut screen), [Some(3)]);
    assert_eq!(texts(&screen.emulator, 2..3, 10), ["three"]);
    screen.feed("\x1b[3J\x1b]133;A\x07");
    assert_eq!(marks(&mut screen), [Some(3)]);
    screen.resize(2, 5);
    screen.feed("\x1b]133;B\x07");
    assert_eq!(marks(&mut screen), [Some(3)]);
}

#[test]
fn marks_have_no_number_where_lines_are_not_counted() {
    let mut screen = term(4, 10, "one\r\n\x1b[?1049h\x1b]133;A\x07");
    assert_eq!(
        screen.effects.last(),
        Some(&Effect::Prompt {
            mark: PromptMark::PromptStart { secondary: false },
            line: None,
            cell: 0,
        })
    );
    screen.feed("\x1b[?1049l\x1b]133;A\x07");
    assert_eq!(marks(&mut screen), [None, Some(1)]);
    let config = Config {
        history_limit: 0,
        ..Config::default()
    };
    let mut screen = Term::with(4, 10, config);
    screen.feed("one\r\n\x1b]133;A\x07");
    assert_eq!(marks(&mut screen), [None]);
    assert_eq!(all(&screen), ["one", ""]);
}
