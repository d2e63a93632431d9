//! Erasing, inserting, deleting, scrolling.

use shellkeep_core::{Color, Style};

use crate::kit::{check, check_at, term};

const FOUR: &str = "aaaa\r\nbbbb\r\ncccc\r\ndddd";

fn four(ops: &str) -> String {
    term(4, 10, &format!("{FOUR}{ops}")).text()
}

#[test]
fn erase_in_line() {
    check("abcdef\x1b[1;3H\x1b[K", "ab");
    check("abcdef\x1b[1;3H\x1b[1K", "   def");
    check("abcdef\x1b[1;3H\x1b[2K", "");
    check_at("abcdef\x1b[1;3H\x1b[2K", 1, 3);
}

#[test]
fn erase_in_display() {
    assert_eq!(four("\x1b[2;3H\x1b[J"), "aaaa/bb");
    assert_eq!(four("\x1b[2;3H\x1b[1J"), "/   b/cccc/dddd");
    assert_eq!(four("\x1b[2;3H\x1b[2J"), "");
}

#[test]
fn screen_erased_as_a_whole_is_in_the_history() {
    for erase in ["\x1b[2J", "\x1b[H\x1b[J", "\x1bc"] {
        let text = format!("one\r\n\r\nthree{erase}{erase}x");
        let screen = term(6, 10, &text);
        assert_eq!(screen.history(), ["one", "", "three"], "{erase:?}");
    }
    // Erasing a part, protected cells, or another screen does not.
    for erase in [
        "\x1b[2;1H\x1b[J",
        "\x1b[1J",
        "\x1b[?2J",
        "\x1b[?1049ha\x1b[2J",
    ] {
        let text = format!("\x1b[1\"qone\r\n\r\nthree{erase}");
        assert!(term(6, 10, &text).history().is_empty(), "{erase:?}");
    }
}

#[test]
fn erased_cells_take_the_background() {
    let term = term(4, 10, "\x1b[44m\x1b[K\r\n\x1b[2X");
    let blue = Style {
        bg: Color::Palette(4),
        ..Style::default()
    };
    assert_eq!(term.emulator.row(0).cell(9).style(), blue);
    assert_eq!(term.emulator.row(1).cell(1).style(), blue);
    assert_eq!(term.emulator.row(1).cell(2).style(), Style::default());
}

#[test]
fn rows_scrolled_in_take_the_background() {
    for scroll in ["\n", "abcdefghijk", "\x1bD", "\x1b[S", "\x1b[M"] {
        let term = term(2, 10, &format!("\x1b[2;1H\x1b[44m{scroll}"));
        assert_eq!(
            term.emulator.row(1).cell(9).style().bg,
            Color::Palette(4),
            "{scroll:?}"
        );
    }
}

#[test]
fn erase_characters() {
    check("abcdef\x1b[1;3H\x1b[2X", "ab  ef");
    check("abcdef\x1b[1;3H\x1b[99X", "ab");
    check("\x1b[65535X", "");
}

#[test]
fn selective_erase_spares_what_is_protected() {
    check("ab\x1b[1\"qcd\x1b[0\"qef\x1b[?2K", "  cd");
    check("ab\x1b[1\"qcd\x1b[0\"qef\x1b[2K", "");
    check("ab\x1b[1\"qcd\x1b[0\"qef\r\ngh\x1b[?2J", "  cd");
    check("ab\x1b[1\"qcd\x1b[0\"qef\x1b[1;4H\x1b[?K", "abcd");
    check("ab\x1b[1\"qcd\x1b[0\"qef\x1b[1;3H\x1b[?1K", "  cdef");
    // Every erase spares what SPA protects.
    check("ab\x1bVcd\x1bWef\x1b[2K", "  cd");
}

#[test]
fn insert_and_delete_characters() {
    check("abcdef\x1b[1;3H\x1b[2@", "ab  cdef");
    check("abcdef\x1b[1;3H\x1b[2P", "abef");
    check("abcdef\x1b[1;3H\x1b[99P", "ab");
    check(
        "01234567890123456789\x1b[1;3H\x1b[3@",
        "01   234567890123456",
    );
    check("\x1b[?69h\x1b[2;5sabcdefgh\x1b[1;3H\x1b[1@", "ab cd/ fgh");
}

#[test]
fn insert_and_delete_characters_outside_the_margins_do_nothing() {
    check(
        "abcdefgh\x1b[?69h\x1b[2;5s\x1b[1;7H\x1b[P\x1b[@",
        "abcdefgh",
    );
    check("abcdefgh\x1b[?69h\x1b[2;5s\x1b[1;3H\x1b[P", "abde fgh");
}

#[test]
fn insert_mode_moves_what_follows() {
    check("abc\x1b[1;2H\x1b[4hXY", "aXYbc");
    check("abc\x1b[1;2H\x1b[4h漢", "a漢bc");
    check("abc\x1b[1;2H\x1b[4hX\x1b[4lY", "aXYc");
}

#[test]
fn insert_and_delete_lines() {
    assert_eq!(four("\x1b[2;3H\x1b[L"), "aaaa//bbbb/cccc");
    assert_eq!(four("\x1b[2;3H\x1b[M"), "aaaa/cccc/dddd");
    assert_eq!(four("\x1b[2;3H\x1b[99M"), "aaaa");
    assert_eq!(four("\x1b[2;3H\x1b[99L"), "aaaa");
    check_at("a\r\nb\x1b[2;9H\x1b[L", 2, 1);
    check_at("a\r\nb\x1b[2;9H\x1b[M", 2, 1);
}

#[test]
fn insert_and_delete_lines_keep_to_the_region() {
    assert_eq!(four("\x1b[1;3r\x1b[2;1H\x1b[L"), "aaaa//bbbb/dddd");
    assert_eq!(four("\x1b[1;3r\x1b[2;1H\x1b[M"), "aaaa/cccc//dddd");
    assert_eq!(four("\x1b[2;3r\x1b[4;1H\x1b[L"), "aaaa/bbbb/cccc/dddd");
    assert_eq!(four("\x1b[2;3r\x1b[1;1H\x1b[M"), "aaaa/bbbb/cccc/dddd");
    assert_eq!(
        four("\x1b[?69h\x1b[2;3s\x1b[1;2H\x1b[M"),
        "abba/bccb/cddc/d  d"
    );
}

#[test]
fn scroll_up_and_down() {
    assert_eq!(four("\x1b[2S"), "cccc/dddd");
    assert_eq!(four("\x1b[2T"), "//aaaa/bbbb");
    assert_eq!(four("\x1b[2^"), "//aaaa/bbbb");
    assert_eq!(four("\x1b[2;3r\x1b[S"), "aaaa/cccc//dddd");
    assert_eq!(four("\x1b[2;3r\x1b[T"), "aaaa//bbbb/dddd");
    assert_eq!(four("\x1b[99S"), "");
}

#[test]
fn index_scrolls_at_the_margins_only() {
    assert_eq!(four("\n"), "bbbb/cccc/dddd");
    assert_eq!(four("\x1b[1;1H\x1bM"), "/aaaa/bbbb/cccc");
    assert_eq!(four("\x1b[2;3r\x1b[3;1H\n"), "aaaa/cccc//dddd");
    assert_eq!(four("\x1b[2;3r\x1b[2;1H\x1bM"), "aaaa//bbbb/dddd");
    assert_eq!(four("\x1b[2;3r\x1b[4;1H\n"), "aaaa/bbbb/cccc/dddd");
}

#[test]
fn scroll_sideways_and_by_columns() {
    assert_eq!(four("\x1b[ @"), "aaa/bbb/ccc/ddd");
    assert_eq!(four("\x1b[2 A"), "  aaaa/  bbbb/  cccc/  dddd");
    assert_eq!(four("\x1b[1;2H\x1b[2'}"), "a  aaa/b  bbb/c  ccc/d  ddd");
    assert_eq!(four("\x1b[1;2H\x1b[2'~"), "aa/bb/cc/dd");
    assert_eq!(four("\x1b[1;1H\x1b6"), " aaaa/ bbbb/ cccc/ dddd");
    assert_eq!(four("\x1b[1;10H\x1b9"), "aaa/bbb/ccc/ddd");
}

#[test]
fn alignment_test_fills_the_screen() {
    assert_eq!(term(2, 3, "\x1b[2;2r\x1b#8").text(), "EEE/EEE");
}

#[test]
fn line_feeds_return_the_carriage_in_newline_mode() {
    check("ab\ncd", "ab/  cd");
    check("\x1b[20hab\ncd\x0bef\x0cgh", "ab/cd/ef/gh");
}
