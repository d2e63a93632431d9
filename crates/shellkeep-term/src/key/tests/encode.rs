use shellkeep_core::key::{KeyCode, KeypadKey, Modifiers};

use super::super::{Focus, KeyDetail, encode_focus, encode_key, encode_key_event};
use super::*;
use crate::mode::Modes;

/// What tmux 3.3a wrote for `send-keys`, read from a pane in raw mode: the pane's mode, the key, and the bytes in hex.
/// For modes other than the normal one, only the differences are listed.
const TMUX: &str = include_str!("../tmux-3.3a.tsv");

fn encode(name: &str, modes: &Modes) -> String {
    let mut out = Vec::new();
    encode_key(&key(name), modes, &mut out);
    String::from_utf8(out).unwrap()
}

fn hex(bytes: &str) -> String {
    bytes.bytes().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn legacy_keys_are_what_tmux_sends() {
    let normal = Modes::default();
    let cursor = Modes {
        application_cursor: true,
        ..normal
    };
    let keypad = Modes {
        application_keypad: true,
        ..normal
    };
    let mut wrong = Vec::new();
    for line in TMUX.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let [mode, name, bytes] = fields[..] else {
            panic!("{line}")
        };
        let modes = match mode {
            "normal" => &normal,
            "cursor" => &cursor,
            "keypad" => &keypad,
            other => panic!("{other}"),
        };
        // tmux sends a line feed here. The key is Enter in every terminal: a shell sees no difference, but an editor
        // does.
        if mode == "normal" && name.ends_with("KPEnter") {
            continue;
        }
        // tmux ignores Shift and Control here, and so do we.
        let ours = hex(&encode(name, modes));
        if ours != bytes && !(name.contains("S-") && name.ends_with('é')) {
            wrong.push((mode, name, ours, bytes));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[track_caller]
fn check(modes: &Modes, table: &[(&str, &str)]) {
    for (name, expected) in table {
        assert_eq!(encode(name, modes), *expected, "{name} {modes:?}");
    }
}

#[test]
fn legacy_keys_tmux_has_no_bytes_for_are_as_in_xterm() {
    check(
        &Modes::default(),
        &[
            ("C-1", "1"),
            ("C-3", "\x1b"),
            ("C-4", "\x1c"),
            ("C-7", "\x1f"),
            ("C-8", "\x7f"),
            ("C-9", "9"),
            ("C-{", "\x1b"),
            ("C-|", "\x1c"),
            ("C-~", "\x1e"),
            ("C-`", "\0"),
            ("C-;", ";"),
            ("S-a", "A"),
            ("S-C-a", "\x01"),
            ("S-é", "É"),
            ("C-Enter", "\r"),
            ("S-Enter", "\r"),
            ("C-Tab", "\t"),
            ("S-Tab", "\x1b[Z"),
            ("C-BTab", "\x1b[Z"),
            ("C-Escape", "\x1b"),
            ("C-BSpace", "\x08"),
            ("S-BSpace", "\x7f"),
            ("KPEnter", "\r"),
            ("C-KP5", "5"),
            ("KPBegin", "\x1b[E"),
            ("F13", "\x1b[25~"),
            ("C-F20", "\x1b[34;5~"),
            ("F21", ""),
            ("Super-a", ""),
            ("User7", ""),
            ("Any", ""),
            ("None", ""),
            ("MouseDown1Pane", ""),
            ("Key57428", ""),
        ],
    );
}

#[test]
fn modes_change_what_keys_send() {
    let newline = Modes {
        newline: true,
        ..Modes::default()
    };
    check(
        &newline,
        &[
            ("Enter", "\r\n"),
            ("M-Enter", "\x1b\r\n"),
            ("KPEnter", "\r\n"),
        ],
    );
    let backspace = Modes {
        backarrow_sends_backspace: true,
        ..Modes::default()
    };
    check(
        &backspace,
        &[
            ("BSpace", "\x08"),
            ("M-BSpace", "\x1b\x08"),
            ("C-BSpace", "\x7f"),
        ],
    );
    let application = Modes {
        application_cursor: true,
        application_keypad: true,
        ..Modes::default()
    };
    check(
        &application,
        &[
            ("Up", "\x1bOA"),
            ("C-Up", "\x1b[1;5A"),
            ("Home", "\x1b[1~"),
            ("KPBegin", "\x1bOE"),
            ("KPEnter", "\x1bOM"),
            ("KP,", "\x1bOl"),
            ("KP=", "\x1bOX"),
        ],
    );
}

#[test]
fn modify_other_keys_writes_what_legacy_cannot() {
    let one = Modes {
        modify_other_keys: 1,
        ..Modes::default()
    };
    check(
        &one,
        &[
            ("a", "a"),
            ("A", "A"),
            ("C-a", "\x01"),
            ("S-C-a", "\x01"),
            ("M-a", "\x1ba"),
            ("M-C-a", "\x1b\x01"),
            ("C-Space", "\0"),
            ("C-/", "\x1f"),
            ("C-1", "\x1b[27;5;49~"),
            ("C-2", "\0"),
            ("C-;", "\x1b[27;5;59~"),
            ("C-Enter", "\x1b[27;5;13~"),
            ("S-Enter", "\x1b[27;2;13~"),
            ("M-Enter", "\x1b\r"),
            ("C-Tab", "\x1b[27;5;9~"),
            ("C-S-Tab", "\x1b[27;6;9~"),
            ("BTab", "\x1b[Z"),
            ("S-Tab", "\x1b[Z"),
            ("C-BSpace", "\x08"),
            ("Escape", "\x1b"),
            ("C-é", "\x1b[27;5;233~"),
            ("C-Up", "\x1b[1;5A"),
            ("F1", "\x1bOP"),
        ],
    );
    let two = Modes {
        modify_other_keys: 2,
        ..Modes::default()
    };
    check(
        &two,
        &[
            ("a", "a"),
            ("A", "A"),
            ("C-a", "\x1b[27;5;97~"),
            ("S-C-a", "\x1b[27;6;65~"),
            ("M-a", "\x1b[27;3;97~"),
            ("M-A", "\x1b[27;4;65~"),
            ("C-Space", "\x1b[27;5;32~"),
            ("S-Space", "\x1b[27;2;32~"),
            ("Space", " "),
            ("M-Enter", "\x1b[27;3;13~"),
            ("C-BSpace", "\x1b[27;5;127~"),
            ("BSpace", "\x7f"),
            ("BTab", "\x1b[Z"),
            ("Tab", "\t"),
            ("C-Up", "\x1b[1;5A"),
        ],
    );
    let format = Modes {
        format_other_keys_csi_u: true,
        ..two
    };
    check(
        &format,
        &[
            ("C-a", "\x1b[97;5u"),
            ("S-C-a", "\x1b[65;6u"),
            ("S-Enter", "\x1b[13;2u"),
        ],
    );
}

fn kitty(flags: u8) -> Modes {
    Modes {
        kitty_keyboard: flags,
        ..Modes::default()
    }
}

#[test]
fn kitty_disambiguates() {
    check(
        &kitty(1),
        &[
            ("a", "a"),
            ("A", "A"),
            ("é", "é"),
            ("Escape", "\x1b[27u"),
            ("C-a", "\x1b[97;5u"),
            ("S-C-a", "\x1b[97;6u"),
            ("M-a", "\x1b[97;3u"),
            ("M-A", "\x1b[97;4u"),
            ("C-Space", "\x1b[32;5u"),
            ("Enter", "\r"),
            ("C-Enter", "\x1b[13;5u"),
            ("Tab", "\t"),
            ("BTab", "\x1b[9;2u"),
            ("BSpace", "\x7f"),
            ("M-BSpace", "\x1b[127;3u"),
            ("Up", "\x1b[A"),
            ("C-Up", "\x1b[1;5A"),
            ("Home", "\x1b[H"),
            ("End", "\x1b[F"),
            ("F1", "\x1b[P"),
            ("F3", "\x1b[13~"),
            ("C-F3", "\x1b[13;5~"),
            ("F12", "\x1b[24~"),
            ("F13", "\x1b[57376u"),
            ("KP5", "5"),
            ("C-KP5", "\x1b[57404;5u"),
            ("KPEnter", "\x1b[57414u"),
            ("KPBegin", "\x1b[E"),
            ("Super-a", "\x1b[97;9u"),
            ("Menu", "\x1b[57363u"),
            ("DC", "\x1b[3~"),
        ],
    );
    // The cursor keys of the program's application mode are legacy too.
    let cursor = Modes {
        application_cursor: true,
        ..kitty(1)
    };
    check(&cursor, &[("Up", "\x1b[A")]);
}

#[test]
fn kitty_reports_all_keys_and_their_text() {
    check(
        &kitty(9),
        &[
            ("a", "\x1b[97u"),
            ("A", "\x1b[97;2u"),
            ("Enter", "\x1b[13u"),
            ("Tab", "\x1b[9u"),
            ("BSpace", "\x1b[127u"),
            ("KP5", "\x1b[57404u"),
            ("Space", "\x1b[32u"),
        ],
    );
    check(
        &kitty(9 | 4 | 16),
        &[
            ("a", "\x1b[97;;97u"),
            ("A", "\x1b[97:65;2;65u"),
            ("C-a", "\x1b[97;5u"),
            ("S-C-a", "\x1b[97:65;6u"),
            ("é", "\x1b[233;;233u"),
            ("Enter", "\x1b[13u"),
            ("KP5", "\x1b[57404;;53u"),
        ],
    );
    // Without the flag that reports keys as keys, these two alone have no effect.
    check(
        &kitty(4 | 16),
        &[("C-a", "\x01"), ("Up", "\x1b[A"), ("Escape", "\x1b")],
    );
}

#[test]
fn kitty_reports_kinds_of_events() {
    let write = |name: &str, kind, flags| {
        let mut out = Vec::new();
        let mut event = KeyEvent::press(key(name));
        event.kind = kind;
        encode_key_event(&event, &kitty(flags), &mut out);
        String::from_utf8(out).unwrap()
    };
    for (name, kind, flags, expected) in [
        ("a", KeyKind::Repeat, 3, "a"),
        ("a", KeyKind::Release, 3, ""),
        ("a", KeyKind::Release, 11, "\x1b[97;1:3u"),
        ("a", KeyKind::Repeat, 11, "\x1b[97;1:2u"),
        ("C-a", KeyKind::Release, 3, "\x1b[97;5:3u"),
        ("C-a", KeyKind::Release, 1, ""),
        ("C-a", KeyKind::Repeat, 1, "\x1b[97;5u"),
        ("Up", KeyKind::Release, 3, "\x1b[1;1:3A"),
        ("DC", KeyKind::Repeat, 2, "\x1b[3;1:2~"),
        ("Enter", KeyKind::Release, 3, ""),
        ("Enter", KeyKind::Release, 11, "\x1b[13;1:3u"),
        ("a", KeyKind::Release, 0, ""),
        ("a", KeyKind::Repeat, 0, "a"),
        ("a", KeyKind::Release, 31, "\x1b[97;1:3u"),
    ] {
        assert_eq!(
            write(name, kind, flags),
            expected,
            "{name} {kind:?} {flags}"
        );
    }
}

#[test]
fn detail_is_passed_on() {
    let event = |bytes: &[u8]| match decode(bytes)[..] {
        [Input::Key(event)] => event,
        ref other => panic!("{other:?}"),
    };
    let write = |event: &KeyEvent, modes: &Modes| {
        let mut out = Vec::new();
        encode_key_event(event, modes, &mut out);
        String::from_utf8(out).unwrap()
    };
    for bytes in [
        "\x1b[105;5u",
        "\x1b[1092::97;5u",
        "\x1b[49:33;2;33u",
        "\x1b[97:65;2:2;65u",
        "\x1b[9;2u",
        "\x1b[57441;2:3u",
    ] {
        assert_eq!(write(&event(bytes.as_bytes()), &kitty(31)), bytes);
    }
    let ctrl_i = event(b"\x1b[105;5u");
    assert_eq!(write(&ctrl_i, &Modes::default()), "\t");
    let other = Modes {
        modify_other_keys: 2,
        ..Modes::default()
    };
    assert_eq!(write(&ctrl_i, &other), "\x1b[27;5;105~");
    // xterm sends the shifted letter; kitty's protocol has the unshifted one.
    assert_eq!(write(&event(b"\x1b[27;6;65~"), &kitty(1)), "\x1b[97;6u");
    assert_eq!(write(&event(b"\x1b[27;6;65~"), &other), "\x1b[27;6;65~");
    let detail = KeyDetail {
        code: '1',
        mods: Modifiers::CTRL | Modifiers::SHIFT,
        shifted: Some('!'),
        layout: None,
        text: None,
    };
    let event = KeyEvent {
        detail: Some(detail),
        ..KeyEvent::press(key("C-!"))
    };
    assert_eq!(write(&event, &other), "\x1b[27;6;33~");
}

#[test]
fn focus_is_sent_only_where_asked_for() {
    let mut out = Vec::new();
    assert!(!encode_focus(Focus::In, &Modes::default(), &mut out));
    assert!(out.is_empty());
    let modes = Modes {
        focus_events: true,
        ..Modes::default()
    };
    assert!(encode_focus(Focus::In, &modes, &mut out));
    assert!(encode_focus(Focus::Out, &modes, &mut out));
    assert_eq!(out, b"\x1b[I\x1b[O");
}

/// Every key a keyboard has, with every modifier.
fn all_keys() -> Vec<Key> {
    let mut codes: Vec<_> = (' '..='~')
        .chain("éÉ日фß😀".chars())
        .map(KeyCode::Char)
        .collect();
    codes.extend((1..=20).map(KeyCode::F));
    codes.extend(KeypadKey::ALL.map(KeyCode::Keypad));
    codes.extend([
        KeyCode::Enter,
        KeyCode::Tab,
        KeyCode::BTab,
        KeyCode::Escape,
        KeyCode::BSpace,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Insert,
        KeyCode::Delete,
    ]);
    let mut keys = Vec::new();
    for code in codes {
        for bits in 0..8 {
            keys.push(Key::new(code, Modifiers::from_bits_truncate(bits)));
        }
    }
    keys
}

fn round_trip(key: Key, modes: &Modes) -> Vec<Input> {
    let mut bytes = Vec::new();
    encode_key(&key, modes, &mut bytes);
    let mut decoder = InputDecoder::new();
    let mut out = Vec::new();
    decoder.feed(&bytes, &mut out);
    decoder.flush(&mut out);
    out
}

/// Whether no other key has the same legacy encoding.
fn is_unambiguous(key: Key) -> bool {
    let mods = key.mods();
    let beyond_meta = mods - Modifiers::META;
    match key.code() {
        // F3 with Meta and Shift is fine, but Escape before a bracket is not a bracket.
        KeyCode::Char('[' | 'O' | ']' | 'P' | '_') if mods == Modifiers::META => true,
        KeyCode::Char(c) if beyond_meta == Modifiers::CTRL => {
            c.is_ascii_lowercase() || " \\]^_".contains(c)
        }
        KeyCode::Char(_) => beyond_meta.is_empty(),
        KeyCode::Enter | KeyCode::Tab | KeyCode::BTab | KeyCode::Escape | KeyCode::BSpace => {
            beyond_meta.is_empty()
        }
        KeyCode::Keypad(KeypadKey::Begin) => true,
        KeyCode::Keypad(_) => beyond_meta.is_empty(),
        _ => true,
    }
}

#[test]
fn legacy_keys_come_back_where_they_can() {
    for application_cursor in [false, true] {
        // The keypad's keys differ from the others only in their application mode.
        let modes = Modes {
            application_cursor,
            application_keypad: true,
            ..Modes::default()
        };
        for key in all_keys().into_iter().filter(|&key| is_unambiguous(key)) {
            let back = round_trip(key, &modes);
            assert_eq!(names(&back), key.to_string(), "{modes:?}");
        }
    }
}

#[test]
fn kitty_keys_come_back() {
    for flags in [9, 9 | 4, 9 | 16, 31] {
        for key in all_keys() {
            // Shift and a letter are the capital in every terminal; Shift-Tab is one key; with Control and Shift the
            // layout is unknown.
            let is_shifted_text =
                matches!(key.code(), KeyCode::Char(_)) && key.mods().contains(Modifiers::SHIFT);
            let is_back_tab = matches!(key.code(), KeyCode::BTab)
                || (key.code() == KeyCode::Tab && key.mods() == Modifiers::SHIFT);
            let is_ctrl_capital =
                key.code() == KeyCode::Char('É') && key.mods().contains(Modifiers::CTRL);
            if is_shifted_text || is_back_tab || is_ctrl_capital {
                continue;
            }
            let back = round_trip(key, &kitty(flags));
            assert_eq!(names(&back), key.to_string(), "{flags}");
        }
    }
    assert_eq!(names(&round_trip(key("S-a"), &kitty(31))), "A");
    assert_eq!(names(&round_trip(key("S-C-a"), &kitty(31))), "S-C-a");
    assert_eq!(names(&round_trip(key("BTab"), &kitty(31))), "BTab");
    assert_eq!(names(&round_trip(key("S-Tab"), &kitty(31))), "BTab");
}

#[test]
fn modify_other_keys_come_back() {
    for format_other_keys_csi_u in [false, true] {
        let modes = Modes {
            modify_other_keys: 2,
            format_other_keys_csi_u,
            application_keypad: true,
            ..Modes::default()
        };
        for name in [
            "C-a",
            "S-C-a",
            "M-a",
            "M-A",
            "M-C-a",
            "C-1",
            "C-;",
            "C-Enter",
            "S-Enter",
            "M-S-Enter",
            "C-Tab",
            "C-S-Tab",
            "C-BSpace",
            "S-Space",
            "C-Space",
            "M-C-@",
            "C-é",
            "C-_",
            "C-?",
            "C-{",
            "M-!",
            "C-Escape",
            "S-Escape",
            "C-h",
            "C-Up",
            "F3",
            "KP5",
            "BTab",
            "a",
            "Z",
        ] {
            let back = round_trip(key(name), &modes);
            assert_eq!(names(&back), name);
        }
    }
}

#[test]
fn eight_bit_controls_begin_keys_when_asked_for() {
    let modes = Modes {
        eight_bit_controls: true,
        application_cursor: true,
        focus_events: true,
        ..Modes::default()
    };
    for (name, expected) in [
        ("Up", &b"\x8fA"[..]),
        ("C-Up", b"\x9b1;5A"),
        ("F5", b"\x9b15~"),
        ("a", b"a"),
        // Meta is an escape in front of a character, whatever the character.
        ("M-[", b"\x1b["),
        ("M-a", b"\x1ba"),
    ] {
        let mut out = b"\x1b[".to_vec();
        encode_key(&key(name), &modes, &mut out);
        assert_eq!(out[..2], *b"\x1b[", "what was there stays");
        assert_eq!(out[2..], *expected, "{name}");
    }
    let mut out = Vec::new();
    assert!(encode_focus(Focus::In, &modes, &mut out));
    assert_eq!(out, b"\x9bI");
}
