//! Strings and malformed sequences: consumed completely, limited in size, never printed.

use shellkeep_term::{Config, Effect};

use crate::kit::{Term, check, term};

#[test]
fn unknown_strings_are_swallowed_whole() {
    check("a\x1bPq#0;2;0;0;0~~@@vv\x1b\\b", "ab");
    check("a\x1b_Gf=24;AAAA\x1b\\b", "ab");
    check("a\x1b^private\x1b\\b\x1bXsos\x1b\\c", "abc");
    check("a\x1bP1;2;3+zjunk\x1b\\b", "ab");
    check("a\u{9d}2;t\u{9c}b\u{9f}apc\u{9c}c", "abc");
}

#[test]
fn unknown_sequences_are_swallowed_whole() {
    check("a\x1b[?99zb\x1b[1;2;3&yc\x1b%Gd\x1b[<1;2;3we", "abcde");
    check("a\x1b[1?2hb\x1b[ !\"#pc", "abc");
}

#[test]
fn controls_inside_a_sequence_are_obeyed() {
    check("ab\x1b[1\r;2\x08Hc", "acb".get(..2).expect("two"));
    check("a\x1b[\x7f2Cb", "a  b");
}

#[test]
fn cancel_and_substitute_break_a_sequence_off() {
    check("a\x1b[12\x18b", "ab");
    check("a\x1b[12\x1ab", "ab");
    let screen = term(4, 20, "\x1b]2;t\x18x");
    assert_eq!((screen.emulator.title(), screen.text().as_str()), ("", "x"));
}

#[test]
fn escape_begins_anew() {
    check("a\x1b[1\x1b[2Cb", "a  b");
    let screen = term(4, 20, "\x1b]2;t\x1b[3Cx");
    assert_eq!(
        (screen.emulator.title(), screen.text().as_str()),
        ("", "   x")
    );
}

#[test]
fn a_string_may_hold_any_character() {
    // The last byte of Ü is the 8-bit string terminator.
    assert_eq!(
        term(4, 20, "\x1b]2;\u{dc}ber\x07").emulator.title(),
        "\u{dc}ber"
    );
}

#[test]
fn bell_does_not_end_other_strings() {
    check("a\x1bPq\x07b\x1b\\c", "ac");
}

#[test]
fn an_endless_string_takes_no_memory_and_ends() {
    let mut screen = Term::with(
        4,
        20,
        Config {
            string_limit: 1 << 16,
            ..Config::default()
        },
    );
    screen.feed("a\x1b]52;c;");
    let megabyte = "A".repeat(1 << 20);
    for _ in 0..16 {
        screen.feed(&megabyte);
    }
    assert!(
        screen.emulator.memory() < 1 << 18,
        "{}",
        screen.emulator.memory()
    );
    screen.feed("\x07b");
    assert_eq!((screen.text().as_str(), screen.effects.len()), ("ab", 0));
    screen.feed("\x1b]52;c;QQ==\x07");
    assert!(matches!(screen.effects[..], [Effect::Clipboard { .. }]));
}

#[test]
fn broken_utf8_becomes_replacement_characters() {
    let mut screen = Term::new(4, 20);
    screen.emulator.feed(
        b"a\xffb\xe6\xbcc\xf0\x90d\xc0\x80e\xe6\x1b[1mf",
        &mut screen.effects,
    );
    assert_eq!(
        screen.text(),
        "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}\u{fffd}e\u{fffd}f"
    );
}

#[test]
fn a_character_may_arrive_in_pieces() {
    let mut screen = Term::new(4, 20);
    for byte in "漢é🚀x".bytes() {
        screen.emulator.feed(&[byte], &mut screen.effects);
    }
    assert_eq!(screen.text(), "漢é🚀x");
}

#[test]
fn line_drawing_and_shifts() {
    check("\x1b(0lqk\x1b(Bq", "┌─┐q");
    check("\x1b)0\x0elqk\x0fq", "┌─┐q");
    check("\x1b*0\x1bNqq", "─q");
    check("\x1b+0\x1boqq\x0fq", "──q");
    check("\x1b(A#\x1b(B#", "£#");
}

#[test]
fn eight_bit_controls_are_controls() {
    check("a\u{9b}2Cb\u{85}c", "a  b/c");
}

#[test]
fn delete_and_null_show_nothing() {
    check("a\x7f\x00b", "ab");
}

#[test]
fn a_picture_is_not_kept_while_it_is_read() {
    let mut screen = term(4, 20, "a\x1bPq");
    let before = screen.emulator.memory();
    screen.feed(&"~".repeat(500_000));
    assert!(screen.emulator.memory() < before + 1024);
    screen.feed("\x1b\\b");
    assert_eq!(screen.text(), "ab");
}

#[test]
fn latin_one_can_be_shifted_in() {
    check("a\x1b-A\x0e!ai\x0fa", "a¡áéa");
    check("\x1b)<\x0e(W]w}x\x0fx", "¤ŒŸœÿøx");
    check("\x1b.A\x1bNex\x1b/A\x1bOex", "åxåx");
    check("\x1b-B\x0ex", "x");
    // xterm's alternate ROM had no drawings of its own either.
    check("\x1b(2q\x1b(1q", "qq");
}
