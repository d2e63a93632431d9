//! Modes and the reports about them.

use shellkeep_term::{Effect, Modes, MouseEncoding, MouseProtocol};

use crate::kit::{check_reply, term};

/// The private modes that can be switched.
const SWITCHED: [u16; 24] = [
    1, 5, 6, 7, 12, 25, 40, 45, 66, 67, 69, 95, 1000, 1002, 1003, 1004, 1006, 1007, 1045, 2004,
    2026, 2031, 2048, 1049,
];

#[test]
fn every_mode_we_know_is_reported_set_and_reset() {
    for mode in SWITCHED {
        check_reply(
            &format!("\x1b[?{mode}h\x1b[?{mode}$p"),
            &format!("\x1b[?{mode};1$y"),
        );
        check_reply(
            &format!("\x1b[?{mode}h\x1b[?{mode}l\x1b[?{mode}$p"),
            &format!("\x1b[?{mode};2$y"),
        );
    }
    for mode in [4, 20] {
        check_reply(
            &format!("\x1b[{mode}h\x1b[{mode}$p"),
            &format!("\x1b[{mode};1$y"),
        );
        check_reply(&format!("\x1b[{mode}$p"), &format!("\x1b[{mode};2$y"));
    }
}

#[test]
fn fixed_and_unknown_modes_are_reported_as_such() {
    check_reply("\x1b[?2027$p", "\x1b[?2027;2$y");
    check_reply("\x1b[?2027h\x1b[?2027$p", "\x1b[?2027;1$y");
    check_reply("\x1b[?42$p", "\x1b[?42;4$y");
    check_reply("\x1b[?9999$p", "\x1b[?9999;0$y");
    check_reply("\x1b[99$p", "\x1b[99;0$y");
}

#[test]
fn modes_reach_those_who_need_them() {
    let on = term(
        4,
        10,
        "\x1b[?1;66;67;1004;1007;2004;2026;2031;2048;5h\x1b[20h\x1b[?1003;1006h\x1b[>4;2m\x1b[>4;1f\x1b G",
    );
    assert_eq!(
        on.emulator.modes(),
        Modes {
            application_cursor: true,
            application_keypad: true,
            newline: true,
            backarrow_sends_backspace: true,
            bracketed_paste: true,
            focus_events: true,
            mouse: MouseProtocol::Motion,
            mouse_encoding: MouseEncoding::Sgr,
            alternate_scroll: true,
            modify_other_keys: 2,
            format_other_keys_csi_u: true,
            kitty_keyboard: 0,
            synchronized_output: true,
            reverse_screen: true,
            color_scheme_events: true,
            eight_bit_controls: true,
            in_band_resize: true,
        }
    );
}

#[test]
fn mouse_protocols_replace_each_other() {
    let mouse = |input: &str| term(4, 10, input).emulator.modes().mouse;
    assert_eq!(mouse("\x1b[?1000h\x1b[?1002h"), MouseProtocol::Drag);
    assert_eq!(mouse("\x1b[?9h"), MouseProtocol::X10);
    assert_eq!(mouse("\x1b[?1003h\x1b[?1000l"), MouseProtocol::Off);
    let encoding = |input: &str| term(4, 10, input).emulator.modes().mouse_encoding;
    assert_eq!(encoding("\x1b[?1006h\x1b[?1015h"), MouseEncoding::Urxvt);
    assert_eq!(encoding("\x1b[?1006h\x1b[?1015l"), MouseEncoding::Sgr);
    assert_eq!(encoding("\x1b[?1006h\x1b[?1006l"), MouseEncoding::Legacy);
}

#[test]
fn in_band_resize_asks_for_a_report_at_once() {
    let screen = term(4, 10, "\x1b[?2048h");
    assert!(matches!(screen.effects[..], [Effect::SizeReport(size)] if size.cols() == 10));
}

#[test]
fn modify_other_keys_is_set_asked_for_and_dropped() {
    let level = |input: &str| term(4, 10, input).emulator.modes().modify_other_keys;
    assert_eq!(level("\x1b[>4;1m"), 1);
    assert_eq!(level("\x1b[>4;2m\x1b[>4m"), 0);
    assert_eq!(level("\x1b[>4;2m\x1b[>4n"), 0);
    assert_eq!(level("\x1b[>4;2m\x1b[>m"), 0);
    check_reply("\x1b[>4;2m\x1b[?4m", "\x1b[>4;2m");
}

#[test]
fn cursor_shape_and_visibility() {
    use shellkeep_core::CursorShape;
    let cursor = term(4, 10, "\x1b[5 q\x1b[?25l").emulator.cursor();
    assert_eq!(
        (cursor.shape, cursor.visible, cursor.blink),
        (CursorShape::BlinkingBar, false, true)
    );
    assert_eq!(
        term(4, 10, "\x1b[5 q\x1b[9 q").emulator.cursor().shape,
        CursorShape::BlinkingBar
    );
    assert_eq!(
        term(4, 10, "\x1b[5 q\x1b[ q").emulator.cursor().shape,
        CursorShape::Default
    );
}

#[test]
fn column_switch_clears_only_when_allowed() {
    assert_eq!(term(4, 10, "abc\x1b[?3h").text(), "abc");
    assert_eq!(term(4, 10, "abc\x1b[?40h\x1b[?3h").text(), "");
    assert_eq!(term(4, 10, "abc\x1b[?40;95h\x1b[?3h").text(), "abc");
}
