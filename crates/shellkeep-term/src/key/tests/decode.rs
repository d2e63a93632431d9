use shellkeep_core::key::Modifiers;

use super::super::{
    ColorScheme, ColorSlot, KeyDetail, ModeKind, ModeStatus, TerminalReply as Reply,
};
use super::*;

#[track_caller]
fn check_keys(bytes: &str, expected: &str) {
    assert_eq!(names(&decode(bytes.as_bytes())), expected, "{bytes:?}");
}

#[test]
fn text_and_controls_are_keys() {
    for (bytes, expected) in [
        ("aA é日😀", "a A Space é 日 😀"),
        ("\r\n\t\x7f\x08\0", "Enter C-j Tab BSpace C-h C-Space"),
        ("\x01\x1a\x1c\x1d\x1e\x1f", r"C-a C-z C-\ C-] C-^ C-_"),
        ("\x1ba\x1bA\x1bé\x1b ", "M-a M-A M-é M-Space"),
        (
            "\x1b\r\x1b\x7f\x1b\x01\x1b\0",
            "M-Enter M-BSpace M-C-a M-C-@",
        ),
        ("\x1bN\x1b\\\x1bX\x1b^", r"M-N M-\ M-X M-^"),
    ] {
        check_keys(bytes, expected);
    }
}

#[test]
fn cursor_and_editing_keys_of_all_terminals() {
    for (bytes, expected) in [
        // xterm, VT220: normal and application.
        ("\x1b[A\x1b[B\x1b[C\x1b[D", "Up Down Right Left"),
        ("\x1bOA\x1bOB\x1bOC\x1bOD", "Up Down Right Left"),
        ("\x1b[H\x1b[F\x1bOH\x1bOF", "Home End Home End"),
        ("\x1b[1~\x1b[4~\x1b[7~\x1b[8~", "Home End Home End"),
        ("\x1b[2~\x1b[3~\x1b[5~\x1b[6~", "IC DC PPage NPage"),
        ("\x1b[Z\x1b[E\x1bOE", "BTab KPBegin KPBegin"),
        // Modified.
        (
            "\x1b[1;2A\x1b[1;3B\x1b[1;5C\x1b[1;8D",
            "S-Up M-Down C-Right C-M-S-Left",
        ),
        (
            "\x1b[1;5H\x1b[1;6F\x1b[3;5~\x1b[5;7~",
            "C-Home C-S-End C-DC C-M-PPage",
        ),
        ("\x1b[1;9A\x1b[5A\x1bO5A\x1b[1;1A", "M-Up C-Up C-Up Up"),
        (
            "\x1b\x1b[A\x1b\x1bOA\x1b\x1b[3~\x1b\x1b[1;5A",
            "M-Up M-Up M-DC C-M-Up",
        ),
        // rxvt.
        ("\x1b[a\x1b[b\x1b[c\x1b[d", "S-Up S-Down S-Right S-Left"),
        ("\x1bOa\x1bOb\x1bOc\x1bOd", "C-Up C-Down C-Right C-Left"),
        (
            "\x1b[3^\x1b[3$\x1b[3@\x1b[7^\x1b[8$",
            "C-DC S-DC C-S-DC C-Home S-End",
        ),
        ("\x1b\x1b[3^", "C-M-DC"),
    ] {
        check_keys(bytes, expected);
    }
}

#[test]
fn function_and_keypad_keys_of_all_terminals() {
    for (bytes, expected) in [
        ("\x1bOP\x1bOQ\x1bOR\x1bOS", "F1 F2 F3 F4"),
        ("\x1b[11~\x1b[12~\x1b[13~\x1b[14~\x1b[15~", "F1 F2 F3 F4 F5"),
        ("\x1b[[A\x1b[[B\x1b[[C\x1b[[D\x1b[[E", "F1 F2 F3 F4 F5"),
        (
            "\x1b[17~\x1b[18~\x1b[19~\x1b[20~\x1b[21~",
            "F6 F7 F8 F9 F10",
        ),
        ("\x1b[23~\x1b[24~\x1b[25~\x1b[26~", "F11 F12 F13 F14"),
        ("\x1b[28~\x1b[29~\x1b[31~\x1b[34~", "F15 F16 F17 F20"),
        ("\x1b[P\x1b[Q\x1b[R\x1b[S", "F1 F2 F3 F4"),
        (
            "\x1b[1;2P\x1b[1;5R\x1b[24;5~\x1bO5P",
            "S-F1 C-F3 C-F12 C-F1",
        ),
        ("\x1b[23^\x1b[23$", "C-F11 S-F11"),
        ("\x1bOp\x1bOy\x1bOM\x1bOj\x1bOk", "KP0 KP9 KPEnter KP* KP+"),
        ("\x1bOl\x1bOm\x1bOn\x1bOo\x1bOX", "KP, KP- KP. KP/ KP="),
        ("\x1bOI\x1bO \x1b\x1bOq", "Tab Space M-KP1"),
    ] {
        check_keys(bytes, expected);
    }
}

#[test]
fn extended_keys_are_named_as_legacy_ones() {
    for (bytes, expected) in [
        // CSI u and modifyOtherKeys.
        ("\x1b[97;5u\x1b[27;5;97~", "C-a C-a"),
        ("\x1b[97;6u\x1b[65;6u\x1b[27;6;65~", "S-C-a S-C-a S-C-a"),
        ("\x1b[65;2u\x1b[97;2u\x1b[27;2;65~\x1b[97;4u", "A A A M-A"),
        (
            "\x1b[13;2u\x1b[13;5u\x1b[27;5;13~",
            "S-Enter C-Enter C-Enter",
        ),
        (
            "\x1b[9;2u\x1b[9;5u\x1b[9;6u\x1b[9u",
            "BTab C-Tab C-S-Tab Tab",
        ),
        (
            "\x1b[27u\x1b[27;3u\x1b[127;5u\x1b[27;5;8~",
            "Escape M-Escape C-BSpace C-BSpace",
        ),
        (
            "\x1b[32;5u\x1b[32;2u\x1b[49;5u\x1b[49;2u",
            "C-Space S-Space C-1 S-1",
        ),
        ("\x1b[105;5u\x1b[109;5u\x1b[91;5u", "Tab Enter Escape"),
        ("\x1b[27;6;95~\x1b[27;6;63~\x1b[27;4;33~", "C-_ C-? M-!"),
        ("\x1b[233;5u\x1b[1092;3u", "C-é M-ф"),
        // kitty: alternates, text, functional keys.
        ("\x1b[97:65;2u\x1b[49:33;2u\x1b[45:95;6u", "A ! C-_"),
        ("\x1b[97::97;5u\x1b[1092::97;5u", "C-a C-ф"),
        ("\x1b[97;;97u\x1b[97;2;65u\x1b[49;2;33u", "a A !"),
        ("\x1b[0;;229u\x1b[0;;97:98u\x1b[97;;97:98u", "å a b a b"),
        (
            "\x1b[57376u\x1b[57398;5u\x1b[57399u\x1b[57414u",
            "F13 C-F35 KP0 KPEnter",
        ),
        (
            "\x1b[57417u\x1b[57420;5u\x1b[57363u\x1b[57441u",
            "Left C-Down Menu Key57441",
        ),
        (
            "\x1b[97;9u\x1b[97;17u\x1b[97;33u\x1b[97;65u",
            "Super-a Hyper-a M-a a",
        ),
        (
            "\x1b[13~\x1b[13;5~\x1b[1E\x1b[57427~",
            "F3 C-F3 KPBegin KPBegin",
        ),
    ] {
        check_keys(bytes, expected);
    }
}

#[test]
fn kitty_says_what_happened_to_the_key() {
    let kinds = |bytes: &str| -> Vec<(String, KeyKind)> {
        let inputs = decode(bytes.as_bytes());
        let kind = |input| match input {
            Input::Key(event) => {
                let KeyEvent { key, kind, .. } = event;
                (key.to_string(), kind)
            }
            other => panic!("{other:?}"),
        };
        inputs.into_iter().map(kind).collect()
    };
    let expected = [
        ("a".into(), KeyKind::Press),
        ("a".into(), KeyKind::Repeat),
        ("a".into(), KeyKind::Release),
        ("C-Up".into(), KeyKind::Release),
        ("DC".into(), KeyKind::Release),
        ("Super-Up".into(), KeyKind::Press),
    ];
    let bytes = "\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u\x1b[1;5:3A\x1b[3;1:3~\x1b[1;9:1A";
    assert_eq!(kinds(bytes), expected);
}

#[test]
fn detail_keeps_what_the_name_folds() {
    let detail = |bytes: &[u8]| match decode(bytes)[..] {
        [Input::Key(KeyEvent { detail, .. })] => detail,
        ref other => panic!("{other:?}"),
    };
    let expected = KeyDetail {
        code: 'i',
        mods: Modifiers::CTRL,
        shifted: None,
        layout: Some('c'),
        text: None,
    };
    assert_eq!(detail(b"\x1b[105::99;5u"), Some(expected));
    assert_eq!(detail(b"\t"), None);
}

#[test]
fn escape_alone_is_a_key_when_time_is_up() {
    for (bytes, expected) in [
        ("\x1b", "Escape"),
        ("\x1b\x1b", "M-Escape"),
        ("\x1b[", "M-["),
        ("\x1bO", "M-O"),
        ("\x1bO5", "M-O 5"),
        ("\x1b[[", "M-[ ["),
        ("\x1b]", "M-]"),
        ("\x1bP", "M-P"),
        ("\x1b_", "M-_"),
        ("\x1b\x1b[", "Escape M-["),
        ("a\x1b", "a Escape"),
    ] {
        let mut decoder = InputDecoder::new();
        let mut out = Vec::new();
        decoder.feed(bytes.as_bytes(), &mut out);
        assert!(decoder.has_pending(), "{bytes:?}");
        decoder.flush(&mut out);
        assert!(!decoder.has_pending(), "{bytes:?}");
        assert_eq!(names(&out), expected, "{bytes:?}");
        // Afterwards the decoder is at rest.
        out.clear();
        decoder.feed(b"x", &mut out);
        assert_eq!(names(&out), "x");
    }
}

#[test]
fn keys_that_begin_like_sequences_are_keys() {
    check_keys("\x1b]x\x1bPx\x1b_x", "M-] x M-P x M-_ x");
    check_keys("\x1bO\x1b[A", "M-O Up");
    check_keys("\x1bOz", "M-O z");
    check_keys("\x1b[\x1b[A", "M-[ Up");
    check_keys("\x1b\x1ba", "M-Escape a");
    check_keys("\x1b\x1b\x1b[A", "M-Escape Up");
}

#[test]
fn half_an_answer_waits_longer_than_a_key() {
    let mut decoder = InputDecoder::new();
    let mut out = Vec::new();
    decoder.feed(b"\x1b[?62;", &mut out);
    decoder.flush(&mut out);
    assert!(out.is_empty() && decoder.has_pending());
    decoder.feed(b"4c", &mut out);
    let reply = Reply::PrimaryAttributes(vec![62, 4]);
    assert_eq!(out, [Input::Reply(reply)]);

    // A split reply is not held back forever.
    for bytes in [
        &b"\x1b]11;rgb:"[..],
        b"\x1b[?6",
        b"\x1bP>|ab",
        b"\x1b[M!",
        b"\x1b]11;a\x1b",
    ] {
        out.clear();
        decoder.feed(bytes, &mut out);
        for _ in 0..3 {
            assert!(decoder.has_pending() && out.is_empty(), "{bytes:?}");
            decoder.flush(&mut out);
        }
        assert!(!decoder.has_pending());
        assert!(matches!(out[..], [Input::Unknown(_)]), "{out:?}");
    }
    // Bytes that can have been typed are not lost.
    out.clear();
    decoder.feed(b"\x1b[5", &mut out);
    (0..3).for_each(|_| decoder.flush(&mut out));
    assert_eq!(names(&out), "M-[ 5");
}

#[test]
fn bad_utf8_is_never_a_key() {
    let unknown = |bytes: &[u8]| Input::Unknown(bytes.to_vec());
    let a = Input::Key(KeyEvent::press(key("a")));
    assert_eq!(decode(b"\xffa"), [unknown(b"\xff"), a.clone()]);
    assert_eq!(decode(b"\xc3a"), [unknown(b"\xc3"), a.clone()]);
    assert_eq!(decode(b"\xe2\x82a"), [unknown(b"\xe2\x82"), a.clone()]);
    assert_eq!(decode(b"\xc0\x80").len(), 2);
    assert_eq!(decode(b"\xed\xa0\x80").len(), 3);
    assert_eq!(decode(b"\xf4\x90\x80\x80").len(), 4);
    assert_eq!(decode("\u{85}".as_bytes()), [unknown(b"\xc2\x85")]);
    let escape = Input::Key(KeyEvent::press(key("Escape")));
    assert_eq!(decode(b"\x1b\xffa"), [escape, unknown(b"\xff"), a]);
}

#[test]
fn focus_is_no_key() {
    assert_eq!(decode(b"\x1b[I\x1b[O"), [Input::FocusIn, Input::FocusOut]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn answers_are_read() {
    let mode = |kind, mode, status| Reply::Mode { kind, mode, status };
    let color = |slot, rgb| Reply::Color { slot, rgb };
    let capability = |name: &str, value: Option<&str>| Reply::Capability {
        name: name.into(),
        value: value.map(|value| value.as_bytes().to_vec()),
    };
    let size = |rows, cols| Reply::Cells { rows, cols };
    let table: Vec<(&str, Vec<Reply>)> = vec![
        (
            "\x1b[?62;1;22c",
            vec![Reply::PrimaryAttributes(vec![62, 1, 22])],
        ),
        (
            "\x1b[>41;354;0c",
            vec![Reply::SecondaryAttributes {
                terminal: 41,
                version: 354,
                rom: 0,
            }],
        ),
        (
            "\x1bP!|7E565445\x1b\\",
            vec![Reply::TertiaryAttributes("7E565445".into())],
        ),
        (
            "\x1bP>|XTerm(388)\x1b\\",
            vec![Reply::Version("XTerm(388)".into())],
        ),
        (
            "\x1b[?2026;2$y",
            vec![mode(ModeKind::Private, 2026, ModeStatus::Reset)],
        ),
        ("\x1b[4;1$y", vec![mode(ModeKind::Ansi, 4, ModeStatus::Set)]),
        (
            "\x1b[?9999;0$y",
            vec![mode(ModeKind::Private, 9999, ModeStatus::Unknown)],
        ),
        (
            "\x1b[24;80R",
            vec![Reply::CursorPosition { row: 23, col: 79 }],
        ),
        ("\x1b[?1;5R", vec![Reply::CursorPosition { row: 0, col: 4 }]),
        ("\x1b[0n", vec![Reply::Ready]),
        ("\x1b[?997;1n", vec![Reply::ColorScheme(ColorScheme::Dark)]),
        ("\x1b[?5u", vec![Reply::KeyboardFlags(5)]),
        ("\x1b[>4;2m", vec![Reply::ModifyOtherKeys(2)]),
        ("\x1b[8;24;80t", vec![size(24, 80)]),
        (
            "\x1b[4;480;640t",
            vec![Reply::Pixels {
                height: 480,
                width: 640,
            }],
        ),
        (
            "\x1b[6;20;10t",
            vec![Reply::CellPixels {
                height: 20,
                width: 10,
            }],
        ),
        (
            "\x1b[48;24;80;480;640t",
            vec![Reply::Resized {
                rows: 24,
                cols: 80,
                height: 480,
                width: 640,
            }],
        ),
        (
            "\x1b]11;rgb:1e1e/1e1e/2e2e\x07",
            vec![color(ColorSlot::Background, (30, 30, 46))],
        ),
        (
            "\x1b]10;rgb:ff/00/80\x1b\\",
            vec![color(ColorSlot::Foreground, (255, 0, 128))],
        ),
        (
            "\x1b]12;#0080ff\x1b\\",
            vec![color(ColorSlot::Cursor, (0, 128, 255))],
        ),
        (
            "\x1b]4;7;rgb:f/0/8\x07",
            vec![color(ColorSlot::Palette(7), (255, 0, 136))],
        ),
        (
            "\x1b]52;c;aGVsbG8=\x07",
            vec![Reply::Clipboard {
                selection: "c".into(),
                data: b"hello".to_vec(),
            }],
        ),
        (
            "\x1bP1+r544E=787465726D;524742\x1b\\",
            vec![capability("TN", Some("xterm")), capability("RGB", Some(""))],
        ),
        ("\x1bP0+r4D73\x1b\\", vec![capability("Ms", None)]),
        (
            "\x1bP1$r2 q\x1b\\",
            vec![Reply::Setting(Some(b"2 q".to_vec()))],
        ),
        ("\x1bP0$r\x1b\\", vec![Reply::Setting(None)]),
    ];
    for (bytes, expected) in table {
        let expected: Vec<_> = expected.into_iter().map(Input::Reply).collect();
        assert_eq!(decode(bytes.as_bytes()), expected, "{bytes:?}");
        assert_eq!(decode_slowly(bytes.as_bytes()), expected, "{bytes:?}");
    }
}

#[test]
fn answers_we_do_not_know_are_swallowed_whole() {
    for bytes in [
        "\x1b]52;c;not base64!\x07",
        "\x1b]999;x\x1b\\",
        "\x1b]11;blue\x07",
        "\x1b_Gi=1;OK\x1b\\",
        "\x1bP1+rzz\x1b\\",
        "\x1b[?1;2;3S",
        "\x1b[=1c",
        "\x1b[9;9;9;9~",
        "\x1b[201~",
        "\x1b[1;2;3;4x",
        "\x1b[<0;1M",
        "\x1b[u",
        "\x1b]lTitle\x1b\\",
    ] {
        let decoded = decode(bytes.as_bytes());
        assert!(
            matches!(decoded[..], [Input::Unknown(_)]),
            "{bytes:?} {decoded:?}"
        );
    }
}

#[test]
fn answer_after_a_pressed_escape_is_both() {
    let escape = Input::Key(KeyEvent::press(key("Escape")));
    let ready = Input::Reply(Reply::Ready);
    assert_eq!(decode(b"\x1b\x1b[0n"), [escape.clone(), ready]);
    let version = Input::Reply(Reply::Version("x".into()));
    assert_eq!(decode(b"\x1b\x1bP>|x\x1b\\"), [escape, version]);
}

#[test]
fn sequence_cut_short_lets_the_next_one_through() {
    let decoded = decode(b"\x1b[?1\x1b[A\x1b]11;x\x1b[B\x1b]11;y\x18a\x1b[1;\x07");
    let shown: Vec<_> = decoded
        .iter()
        .map(|input| match input {
            Input::Key(event) => event.key.to_string(),
            Input::Unknown(_) => "?".into(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(shown.join(" "), "? Up ? Down ? a ? C-g");
}

#[test]
fn endless_sequences_are_capped() {
    for introducer in ["\x1b[", "\x1b]52;c;", "\x1bP>|", "\x1b_G"] {
        let mut decoder = InputDecoder::new();
        let mut out = Vec::new();
        decoder.feed(introducer.as_bytes(), &mut out);
        for _ in 0..40 {
            decoder.feed(&[b'0'; 1 << 16], &mut out);
        }
        assert!(out.is_empty(), "{introducer:?}");
        decoder.feed(b"\x1b\\c\x1b[A", &mut out);
        // The escape ends the CSI; then `ESC \` is a key.
        assert!(matches!(&out[0], Input::Unknown(bytes) if bytes.len() <= 300));
        assert!(names(&out[1..]).ends_with("c Up"), "{:?}", &out[1..]);
    }
}
