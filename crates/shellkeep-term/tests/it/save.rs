//! Saving, restoring, resetting, the alternate screen.

use shellkeep_core::{Attrs, Color, Style};
use shellkeep_term::Effect;

use crate::kit::{check, check_at, term};

#[test]
fn cursor_is_saved_with_its_pen_and_wrap() {
    check_at("\x1b[3;4H\x1b7\x1b[H\x1b8", 3, 4);
    check_at("\x1b[3;4H\x1b[s\x1b[H\x1b[u", 3, 4);
    check(
        "01234567890123456789\x1b7\x1b[H\x1b8Z",
        "01234567890123456789/Z",
    );
    let screen = term(4, 10, "\x1b[1;31m\x1b7\x1b[0m\x1b8x");
    let style = screen.emulator.row(0).cell(0).style();
    assert_eq!((style.fg, style.attrs), (Color::Palette(1), Attrs::BOLD));
    check_at("\x1b[5;5H\x1b8", 1, 1);
    check("\x1b(0\x1b7\x1b(B\x1b8q", "─");
}

#[test]
fn alternate_screen_keeps_the_main_one() {
    let mut screen = term(3, 10, "main\x1b[?1049h\x1b[Halt");
    assert!(screen.emulator.is_alternate());
    assert_eq!(screen.text(), "alt");
    screen.feed("\x1b[?1049l");
    assert!(!screen.emulator.is_alternate());
    assert_eq!((screen.text().as_str(), screen.at()), ("main", (1, 5)));
    // 1049 starts blank each time; 47 shows the earlier content.
    screen.feed("\x1b[?1049h");
    assert_eq!(screen.text(), "");
    screen.feed("\x1b[Hkept\x1b[?47l\x1b[?47h");
    assert_eq!(screen.text(), "kept");
    screen.feed("\x1b[?1047l\x1b[?47h");
    assert_eq!(screen.text(), "");
}

#[test]
fn alternate_screen_feeds_no_history() {
    let screen = term(2, 10, "\x1b[?1049ha\r\nb\r\nc\r\nd");
    assert_eq!(screen.emulator.history_lines(), 0);
}

#[test]
fn reset_leaves_a_fresh_terminal_and_the_history() {
    let mut screen = term(
        2,
        10,
        "a\r\nb\r\nc\x1b[1;31m\x1b[?7l\x1b[?6h\x1b[?1h\x1b[?2004h\x1b]0;t\x07\x1b(0\x1bcqx",
    );
    assert_eq!(screen.text(), "qx");
    assert_eq!(screen.history(), ["a", "b", "c"]);
    assert_eq!(screen.emulator.modes(), shellkeep_term::Modes::default());
    assert_eq!(screen.emulator.row(0).cell(0).style(), Style::default());
    assert!(screen.effects.contains(&Effect::Reset));
    assert_eq!(screen.emulator.title(), "t");
    screen.feed("\x1b[1;1H0123456789Z");
    assert_eq!(screen.text(), "0123456789/Z");
}

#[test]
fn soft_reset_leaves_the_text() {
    let screen = term(
        4,
        10,
        "abc\x1b[1m\x1b[4h\x1b[?6h\x1b[?25l\x1b[2;3r\x1b[?1h\x1b[!px",
    );
    assert_eq!(screen.text(), "abc/x");
    assert!(screen.emulator.cursor().visible);
    assert!(!screen.emulator.modes().application_cursor);
}

#[test]
fn modes_are_saved_and_restored() {
    let screen = term(4, 10, "\x1b[?2004h\x1b[?2004s\x1b[?2004l\x1b[?2004r");
    assert!(screen.emulator.modes().bracketed_paste);
    let screen = term(4, 10, "\x1b[?7l\x1b[?7s\x1b[?7h\x1b[?7r0123456789Z");
    assert_eq!(screen.text(), "012345678Z");
}

#[test]
fn keyboard_flags_belong_to_their_screen() {
    let mut screen = term(4, 10, "\x1b[>1u\x1b[>5u");
    assert_eq!(screen.emulator.modes().kitty_keyboard, 5);
    screen.feed("\x1b[?1049h");
    assert_eq!(screen.emulator.modes().kitty_keyboard, 0);
    screen.feed("\x1b[=3u\x1b[=8;2u\x1b[=1;3u");
    assert_eq!(screen.emulator.modes().kitty_keyboard, 10);
    screen.feed("\x1b[?1049l\x1b[<u");
    assert_eq!(screen.emulator.modes().kitty_keyboard, 1);
    screen.feed("\x1b[<9u");
    assert_eq!(screen.emulator.modes().kitty_keyboard, 0);
}
