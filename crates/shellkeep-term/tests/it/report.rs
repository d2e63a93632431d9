//! Replies, in order with their queries.

use shellkeep_term::{Config, Effect};

use crate::kit::{Term, check_reply, term};

#[test]
fn attributes() {
    check_reply("\x1b[c", "\x1b[?64;1;6;21;22;28;52c");
    check_reply("\x1b[0c", "\x1b[?64;1;6;21;22;28;52c");
    check_reply("\x1bZ", "\x1b[?64;1;6;21;22;28;52c");
    check_reply("\x1b[1c", "");
    check_reply("\x1b[>c", "\x1b[>41;380;0c");
    check_reply("\x1b[=c", "\x1bP!|00000000\x1b\\");
    check_reply(
        "\x1b[>q",
        concat!("\x1bP>|shellkeep ", env!("CARGO_PKG_VERSION"), "\x1b\\"),
    );
}

#[test]
fn status_and_cursor_position() {
    check_reply("\x1b[5n", "\x1b[0n");
    check_reply("\x1b[3;4H\x1b[6n", "\x1b[3;4R");
    check_reply("\x1b[3;4H\x1b[?6n", "\x1b[?3;4;1R");
    check_reply("01234567890123456789\x1b[6n", "\x1b[1;20R");
    check_reply("\x1b[2;4r\x1b[?6h\x1b[2;3H\x1b[6n", "\x1b[2;3R");
    check_reply(
        "\x1b[?15n\x1b[?25n\x1b[?26n",
        "\x1b[?13n\x1b[?20n\x1b[?27;1;0;0n",
    );
    check_reply(
        "\x1b[?55n\x1b[?62n\x1b[?63;5n",
        "\x1b[?53n\x1b[0000*{\x1bP5!~0000\x1b\\",
    );
}

#[test]
fn settings() {
    let ask = |what: &str| format!("\x1bP$q{what}\x1b\\");
    check_reply(&ask("m"), "\x1bP1$r0m\x1b\\");
    check_reply(
        &format!("\x1b[1;4;97;48;5;200m{}", ask("m")),
        "\x1bP1$r0;1;4;97;48:5:200m\x1b\\",
    );
    check_reply(
        &format!("\x1b[4:3;38;2;1;2;3m{}", ask("m")),
        "\x1bP1$r0;4:3;38:2::1:2:3m\x1b\\",
    );
    check_reply(&format!("\x1b[2;4r{}", ask("r")), "\x1bP1$r2;4r\x1b\\");
    check_reply(
        &format!("\x1b[?69h\x1b[3;9s{}", ask("s")),
        "\x1bP1$r3;9s\x1b\\",
    );
    check_reply(&format!("\x1b[4 q{}", ask(" q")), "\x1bP1$r4 q\x1b\\");
    check_reply(&format!("\x1b[1\"q{}", ask("\"q")), "\x1bP1$r1\"q\x1b\\");
    check_reply(&ask("\"p"), "\x1bP1$r64;1\"p\x1b\\");
    check_reply(&ask("nonsense"), "\x1bP0$r\x1b\\");
}

#[test]
fn termcap() {
    check_reply(
        "\x1bP+q544e\x1b\\",
        "\x1bP1+r544e=787465726D2D323536636F6C6F72\x1b\\",
    );
    check_reply(
        "\x1bP+q436f;zz\x1b\\",
        "\x1bP1+r436f=323536\x1b\\\x1bP0+r\x1b\\",
    );
    check_reply("\x1bP+q1234\x1b\\", "\x1bP0+r1234\x1b\\");
    // Text that is not a name is not echoed: it would be typed at the prompt of a user who prints a file with it.
    check_reply("\x1bP+q& touch pwned\x1b\\", "\x1bP0+r\x1b\\");
}

#[test]
fn windows() {
    check_reply("\x1b[18t", "\x1b[8;6;20t");
    check_reply("\x1b[11t\x1b[13t", "\x1b[1t\x1b[3;0;0t");
    check_reply("\x1b[14t\x1b[16t", "");
    let mut known = Term::with(
        6,
        20,
        Config {
            cell_pixels: Some((16, 8)),
            ..Config::default()
        },
    );
    assert_eq!(
        known.feed("\x1b[14t\x1b[16t").replies(),
        "\x1b[4;96;160t\x1b[6;16;8t"
    );
    let wish = term(6, 20, "\x1b[8;30;100t");
    assert_eq!(
        wish.effects,
        [Effect::ResizeRequest {
            rows: Some(30),
            cols: Some(100)
        }]
    );
}

#[test]
fn titles_are_stacked_and_told_only_where_allowed() {
    let mut screen = term(4, 10, "\x1b]2;one\x07\x1b[22t\x1b]2;two\x07");
    assert_eq!(screen.emulator.title(), "two");
    screen.feed("\x1b[23t");
    assert_eq!(screen.emulator.title(), "one");
    screen.feed("\x1b[23t\x1b[23t");
    assert_eq!(screen.emulator.title(), "one");
    check_reply("\x1b]2;one\x07\x1b[21t\x1b[20t", "");
    let mut open = Term::with(
        4,
        10,
        Config {
            report_title: true,
            ..Config::default()
        },
    );
    assert_eq!(
        open.feed("\x1b]0;one\x07\x1b[21t\x1b[20t").replies(),
        "\x1b]lone\x1b\\\x1b]Lone\x1b\\"
    );
    // A stack without a limit would be a leak.
    for n in 0..100 {
        screen.feed(&format!("\x1b]2;{n}\x07\x1b[22t"));
    }
    screen.feed(&"\x1b[23t".repeat(100));
    assert_eq!(screen.emulator.title(), "90");
}

#[test]
fn replies_come_in_order_with_other_effects() {
    let screen = term(4, 10, "\x1b[5n\x07\x1b]2;t\x07\x1b[6n");
    assert_eq!(
        screen.effects,
        [
            Effect::Reply(b"\x1b[0n".to_vec()),
            Effect::Bell,
            Effect::Title("t".into()),
            Effect::Reply(b"\x1b[1;1R".to_vec()),
        ]
    );
}

#[test]
fn answerback_is_what_the_owner_says() {
    check_reply("\x05", "");
    let mut named = Term::with(
        4,
        10,
        Config {
            answerback: "me".into(),
            ..Config::default()
        },
    );
    assert_eq!(named.feed("\x05").replies(), "me");
}

#[test]
fn kitty_keyboard_flags_are_told() {
    check_reply("\x1b[>5u\x1b[?u", "\x1b[?5u");
    check_reply("\x1b[?u", "\x1b[?0u");
}

fn last_reply(input: &str) -> Vec<u8> {
    let mut effects = term(6, 20, input).effects;
    match effects.pop() {
        Some(Effect::Reply(bytes)) => bytes,
        other => panic!("no reply but {other:?}"),
    }
}

#[test]
fn eight_bit_controls_are_used_when_asked_for() {
    assert_eq!(last_reply("\x1b G\x1b[6n"), b"\x9b1;1R");
    assert_eq!(
        last_reply("\x1b G\x1b]4;1;?\x1b\\"),
        b"\x9d4;1;rgb:cdcd/0000/0000\x9c"
    );
    assert_eq!(
        last_reply("\x1b G\x1b]4;1;?\x07"),
        b"\x9d4;1;rgb:cdcd/0000/0000\x07"
    );
    assert_eq!(last_reply("\x1b G\x1bP$qm\x1b\\"), b"\x901$r0m\x9c");
    assert_eq!(last_reply("\x1b G\x1b F\x1b[6n"), b"\x1b[1;1R");
    // A soft reset keeps 8-bit controls, a full one does not.
    assert_eq!(last_reply("\x1b G\x1b[!p\x1b[6n"), b"\x9b1;1R");
    assert_eq!(last_reply("\x1b G\x1bc\x1b[6n"), b"\x1b[1;1R");
}

#[test]
fn conformance_level_resets_and_chooses_the_controls() {
    assert_eq!(last_reply("\x1b[64\"p\x1b[5n"), b"\x9b0n");
    assert_eq!(last_reply("\x1b[62;2\"p\x1b[5n"), b"\x9b0n");
    assert_eq!(last_reply("\x1b[64;1\"p\x1b[5n"), b"\x1b[0n");
    assert_eq!(last_reply("\x1b G\x1b[61\"p\x1b[5n"), b"\x1b[0n");
    assert_eq!(last_reply("\x1b G\x1b[66\"p\x1b[5n"), b"\x9b0n");
    let asked = "\x1bP$q\"p\x1b\\";
    assert_eq!(last_reply(asked), b"\x1bP1$r64;1\"p\x1b\\");
    assert_eq!(
        last_reply(&format!("\x1b[62;1\"p{asked}")),
        b"\x1bP1$r62;1\"p\x1b\\"
    );
    assert_eq!(
        last_reply(&format!("\x1b[64;0\"p{asked}")),
        b"\x901$r64;0\"p\x9c"
    );
    // The cursor and the text stay; the pen and the modes do not.
    let reset = "\x1b[3;4H\x1b[1m\x1b[4hx\x1b[64;1\"p";
    check_reply(
        &format!("{reset}\x1b[6n\x1b[4$p\x1bP$qm\x1b\\"),
        "\x1b[3;5R\x1b[4;2$y\x1bP1$r0m\x1b\\",
    );
}

#[test]
fn cursor_and_tab_stops_are_told_as_presentation_state() {
    check_reply("\x1b[1$w", "\x1bP1$u1;1;1;@;@;@;0;2;@;BBBB\x1b\\");
    let input =
        "\x1b[2;4r\x1b[1;4;5;7m\x1b[1\"q\x1b(0\x1b-A\x1b*A\x1b+<\x0e\x1b[?6h\x1b[2;3H\x1bO\x1b[1$w";
    check_reply(input, "\x1bP1$u2;3;1;O;A;E;1;2;B;0AA<\x1b\\");
    check_reply(
        "01234567890123456789\x1b[1$w",
        "\x1bP1$u1;20;1;@;@;H;0;2;@;BBBB\x1b\\",
    );
    check_reply("\x1b[2$w", "\x1bP2$u1/9/17\x1b\\");
    check_reply("\x1b[3g\x1b[1;5H\x1bH\x1b[2$w", "\x1bP2$u5\x1b\\");
    check_reply("\x1b[3$w\x1b[$w", "");
}

#[test]
fn wishes_for_another_size_are_passed_on() {
    let config = Config {
        cell_pixels: Some((20, 10)),
        ..Config::default()
    };
    let wishes = |input: &str| {
        Term::with(6, 20, config.clone())
            .feed(input)
            .effects
            .clone()
    };
    for (input, rows, cols) in [
        ("\x1b[8;30;100t", Some(30), Some(100)),
        ("\x1b[8;30t", Some(30), None),
        ("\x1b[8;;100t", None, Some(100)),
        ("\x1b[4;600;1000t", Some(30), Some(100)),
        ("\x1b[36t", Some(36), None),
        ("\x1b[132$|", None, Some(132)),
        ("\x1b[$|", None, Some(80)),
        ("\x1b[40*|", Some(40), None),
    ] {
        assert_eq!(
            wishes(input),
            [Effect::ResizeRequest { rows, cols }],
            "{input:?}"
        );
    }
    for input in ["\x1b[8t", "\x1b[100$|", "\x1b[*|", "\x1b[4t"] {
        assert_eq!(wishes(input), [], "{input:?}");
    }
}
