//! Compares names with tmux, and prints and parses every key.

use proptest::prelude::*;

use super::*;

/// tmux 3.3a's answers to `bind-key` and `list-keys` for each name: the name, a tab, and the listed name, or nothing
/// where it was refused.
const TMUX: &str = include_str!("tmux-3.3a.tsv");

/// Where we differ from tmux on purpose, and our result.
const DIFFERENT: [(&str, Option<&str>); 13] = [
    // tmux prints these as a character that it does not parse as the same key.
    ("0x7f", Some("C-?")),
    ("0x20", Some("Space")),
    ("0xa0", Some("\u{a0}")),
    // `sscanf` accepts this, but it is never written.
    ("0x 41", None),
    ("0x0x41", Some("C-Space")),
    ("User 1", None),
    ("User+1", None),
    // tmux refuses what its libc finds unprintable, and prints DEL with modifiers as `C-C-?`.
    ("0xffff", Some("\u{ffff}")),
    ("0x10ffff", Some("\u{10ffff}")),
    ("C-\x7f", Some("C-?")),
    // A binding cannot be `None`, but an option can.
    ("None", Some("None")),
    ("none", Some("None")),
    ("NONE", Some("None")),
];

/// Names that tmux refuses and we accept: keys that only our terminals can send.
fn is_ours_alone(name: &str) -> bool {
    let last = name.chars().last().unwrap_or(' ');
    let is_control = name.starts_with("C-") || name.starts_with('^');
    (is_control && "\"$%&*{|}~".contains(last))
        || ["F13", "F20", "F21", "F63", "KP=", "KP,", "Menu", "Hyper-a"].contains(&name)
}

#[test]
fn names_of_tmux_are_read_and_printed_as_tmux_does() {
    let mut wrong = Vec::new();
    for line in TMUX.lines() {
        let (name, listed) = line.split_once('\t').unwrap();
        let expected = match DIFFERENT.iter().find(|(n, _)| *n == name) {
            Some((_, ours)) => ours.map(str::to_owned),
            None if is_ours_alone(name) => {
                assert!(listed.is_empty(), "tmux reads {name:?} too");
                assert!(name.parse::<Key>().is_ok(), "{name:?}");
                continue;
            }
            None => (!listed.is_empty()).then(|| listed.to_owned()),
        };
        let ours = name.parse::<Key>().ok().map(|key| key.to_string());
        if ours != expected {
            wrong.push((name, ours, expected));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn names_of_the_same_key_are_equal() {
    for (one, other) in [
        ("C-a", "^A"),
        ("C-i", "Tab"),
        ("C-[", "Escape"),
        ("C-@", "C-Space"),
        ("M-C-m", "M-Enter"),
        ("PgUp", "PPage"),
        ("0x1b", "Escape"),
        ("s-m-c-x", "C-M-S-X"),
        ("Key57399", "KP0"),
        ("Super-C-a", "c-super-A"),
    ] {
        assert_eq!(one.parse::<Key>(), other.parse::<Key>(), "{one} {other}");
    }
    for (one, other) in [
        ("a", "A"),
        ("S-a", "A"),
        ("BTab", "S-Tab"),
        ("C-h", "BSpace"),
    ] {
        assert_ne!(one.parse::<Key>(), other.parse::<Key>(), "{one} {other}");
    }
}

#[test]
fn names_of_no_key_say_why() {
    let error = |name: &str| name.parse::<Key>().unwrap_err();
    assert_eq!(error(""), ParseKeyError::Empty);
    assert_eq!(error("C-M-"), ParseKeyError::Empty);
    assert_eq!(error("X-a"), ParseKeyError::UnknownModifier("X-a".into()));
    assert_eq!(error("Uq"), ParseKeyError::UnknownKey("Uq".into()));
    assert_eq!(error("C-Any"), ParseKeyError::UnknownKey("C-Any".into()));
    assert_eq!(
        error("0xd800"),
        ParseKeyError::BadCodePoint("0xd800".into())
    );
    assert_eq!(error("Nope").to_string(), "unknown key: Nope");
    for name in [
        "F0",
        "F64",
        "F01",
        "User1000",
        "Key1",
        "MouseDown4Pane",
        "MouseDown01Pane",
    ] {
        assert_eq!(error(name), ParseKeyError::UnknownKey(name.into()));
    }
}

#[test]
fn key_out_of_range_is_no_key() {
    let action = MouseAction::Down(5);
    let place = MousePlace::Pane;
    for code in [
        KeyCode::F(0),
        KeyCode::F(64),
        KeyCode::User(1000),
        KeyCode::Functional(65),
        KeyCode::Mouse(MouseKey { action, place }),
        KeyCode::Char('\u{9b}'),
    ] {
        assert_eq!(Key::new(code, Modifiers::CTRL), Key::NONE);
    }
}

#[test]
fn print_and_parse_of_every_ascii_key_round_trips() {
    for c in '\0'..='\u{ff}' {
        for bits in 0..=Modifiers::all().bits() {
            let key = Key::new(KeyCode::Char(c), Modifiers::from_bits_truncate(bits));
            assert_eq!(key.to_string().parse(), Ok(key), "{key}");
        }
    }
}

fn any_code() -> impl Strategy<Value = KeyCode> {
    let action = (0..9u8, any::<u8>()).prop_map(|(kind, button)| match kind {
        0 => MouseAction::Down(button),
        1 => MouseAction::Up(button),
        2 => MouseAction::Drag(button),
        3 => MouseAction::DragEnd(button),
        4 => MouseAction::SecondClick(button),
        5 => MouseAction::DoubleClick(button),
        6 => MouseAction::TripleClick(button % 12),
        7 => MouseAction::WheelUp,
        _ => MouseAction::WheelDown,
    });
    let mouse = (action, 0..MousePlace::ALL.len()).prop_map(|(action, place)| {
        let place = MousePlace::ALL[place];
        KeyCode::Mouse(MouseKey { action, place })
    });
    prop_oneof![
        any::<char>().prop_map(KeyCode::Char),
        any::<u8>().prop_map(KeyCode::F),
        any::<u16>().prop_map(KeyCode::User),
        FUNCTIONAL.prop_map(KeyCode::Functional),
        (0..KeypadKey::ALL.len()).prop_map(|i| KeyCode::Keypad(KeypadKey::ALL[i])),
        mouse,
        prop::sample::select(vec![
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
            KeyCode::Any,
            KeyCode::None,
        ]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn print_and_parse_of_any_key_round_trips(code in any_code(), bits in any::<u8>()) {
        let key = Key::new(code, Modifiers::from_bits_truncate(bits));
        prop_assert_eq!(key.to_string().parse(), Ok(key));
        // Canonical means that making it again changes nothing.
        prop_assert_eq!(Key::new(key.code(), key.mods()), key);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        if let Ok(key) = text.parse::<Key>() {
            prop_assert_eq!(key.to_string().parse(), Ok(key));
        }
    }
}
