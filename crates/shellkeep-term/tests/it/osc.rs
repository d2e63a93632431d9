//! Operating system commands.

use shellkeep_term::{ClipboardAction, Config, DefaultColors, Effect, Progress, PromptMark};

use crate::kit::{Term, check, check_reply, term};

fn effects(input: &str) -> Vec<Effect> {
    term(4, 20, input).effects
}

#[test]
fn titles() {
    let screen = term(4, 20, "\x1b]0;both\x07\x1b]1;icon\x1b\\\x1b]2;title ü\x07");
    assert_eq!(
        (screen.emulator.title(), screen.emulator.icon_name()),
        ("title ü", "icon")
    );
    // An unchanged title has no effect; controls are removed; a long one is cut.
    assert_eq!(
        effects("\x1b]2;a\x07\x1b]2;a\x07"),
        [Effect::Title("a".into())]
    );
    assert_eq!(
        term(4, 20, "\x1b]2;a\x01\u{85}b\x07").emulator.title(),
        "ab"
    );
    let long = term(4, 20, &format!("\x1b]2;{}\x07", "x".repeat(5000)));
    assert_eq!(long.emulator.title().len(), 1024);
}

#[test]
fn working_directory() {
    assert_eq!(
        effects("\x1b]7;file://host/a%20b/c\x07"),
        [Effect::Cwd("/a b/c".into())]
    );
    let screen = term(4, 20, "\x1b]7;file:///tmp\x1b\\");
    assert_eq!(screen.emulator.cwd(), Some("/tmp"));
    assert_eq!(
        effects("\x1b]9;9;\"/tmp\"\x07"),
        [Effect::Cwd("/tmp".into())]
    );
}

#[test]
fn links() {
    let screen = term(4, 20, "\x1b]8;id=x:a=b;http://a;b\x1b\\li\x1b]8;;\x1b\\no");
    let row = screen.emulator.row(0);
    assert_eq!(
        (row.cell(0).link(), row.cell(0).link_id()),
        (Some("http://a;b"), Some("x"))
    );
    assert_eq!(row.cell(2).link(), None);
    let long = term(4, 20, &format!("\x1b]8;;http://{}\x07x", "y".repeat(3000)));
    assert_eq!(long.emulator.row(0).cell(0).link(), None);
}

#[test]
fn links_by_the_thousand_do_not_pile_up() {
    let mut screen = term(4, 20, "");
    for n in 0..4_001 {
        screen.feed(&format!("\x1b]8;;http://host/{n}/{}\x07x", "p".repeat(80)));
    }
    assert!(
        screen.emulator.memory() < 4 << 20,
        "{}",
        screen.emulator.memory()
    );
    let last = screen.emulator.cursor();
    let row = screen.emulator.row(last.row);
    assert!(
        row.cell(last.col - 1)
            .link()
            .is_some_and(|uri| uri.starts_with("http://host/4000/"))
    );
}

#[test]
fn clipboard() {
    let set = |data: &[u8]| Effect::Clipboard {
        selection: "c".into(),
        action: ClipboardAction::Set(data.to_vec()),
    };
    assert_eq!(effects("\x1b]52;c;aGVsbG8=\x07"), [set(b"hello")]);
    assert_eq!(effects("\x1b]52;c;!\x07"), [set(b"")]);
    assert!(matches!(
        &effects("\x1b]52;p;?\x1b\\")[..],
        [Effect::Clipboard { selection, action: ClipboardAction::Query }] if selection == "p"
    ));
}

#[test]
fn notices_and_progress() {
    let notice = |title: &str, body: &str| Effect::Notify {
        title: title.into(),
        body: body.into(),
    };
    assert_eq!(effects("\x1b]9;done\x07"), [notice("", "done")]);
    assert_eq!(effects("\x1b]777;notify;a;b;c\x07"), [notice("a", "b;c")]);
    assert_eq!(effects("\x1b]777;other;a\x07"), []);
    assert_eq!(
        effects("\x1b]9;4;1;40\x07"),
        [Effect::Progress(Progress::Value(40))]
    );
    assert_eq!(
        effects("\x1b]9;4;0\x07"),
        [Effect::Progress(Progress::None)]
    );
    assert_eq!(
        effects("\x1b]9;4;3\x07"),
        [Effect::Progress(Progress::Indeterminate)]
    );
}

#[test]
fn status_is_passed_on() {
    assert_eq!(
        effects("\x1b]7501;working;50\x07"),
        [Effect::Status("working;50".into())]
    );
}

#[test]
fn prompt_marks() {
    let mark = |input: &str| match effects(&format!("\x1b]133;{input}\x07")).pop() {
        Some(Effect::Prompt { mark, .. }) => Some(mark),
        _ => None,
    };
    assert_eq!(
        mark("A"),
        Some(PromptMark::PromptStart { secondary: false })
    );
    assert_eq!(
        mark("A;cl=m;k=s"),
        Some(PromptMark::PromptStart { secondary: true })
    );
    assert_eq!(mark("B"), Some(PromptMark::InputStart));
    assert_eq!(mark("C"), Some(PromptMark::OutputStart { command: None }));
    let command = |text: &str| {
        Some(PromptMark::OutputStart {
            command: Some(text.into()),
        })
    };
    assert_eq!(mark("C;cmdline_url=ls%20-l"), command("ls -l"));
    assert_eq!(mark("D"), Some(PromptMark::CommandEnd { exit: None }));
    assert_eq!(
        mark("D;130"),
        Some(PromptMark::CommandEnd { exit: Some(130) })
    );
    assert_eq!(
        mark("D;0;aid=7"),
        Some(PromptMark::CommandEnd { exit: Some(0) })
    );
    assert_eq!(
        mark("E;a\\x3bb\\\\c;nonce"),
        Some(PromptMark::CommandLine("a;b\\c".into()))
    );
    assert_eq!(mark("Z"), None);
}

#[test]
fn prompt_marks_stay_with_their_rows() {
    use shellkeep_term::view::{MARK_OUTPUT, MARK_PROMPT};
    let mut screen = term(
        3,
        20,
        "\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n\x1b]133;C\x07out\r\n",
    );
    assert_eq!(screen.emulator.row(0).marks() & MARK_PROMPT, MARK_PROMPT);
    assert_eq!(screen.emulator.row(1).marks(), MARK_OUTPUT);
    screen.feed("\r\n\r\n\r\n");
    let history = screen.emulator.history_rows(0, 9);
    assert_eq!(
        history.row(0).map(|row| row.marks() & MARK_PROMPT),
        Some(MARK_PROMPT)
    );
}

#[test]
fn colours_are_set_asked_for_and_put_back() {
    let mut screen = term(4, 20, "\x1b]4;1;rgb:11/22/33;2;#abc\x07");
    assert_eq!(
        screen.emulator.palette_override(1),
        Some((0x11, 0x22, 0x33))
    );
    assert_eq!(
        screen.emulator.palette_override(2),
        Some((0xa0, 0xb0, 0xc0))
    );
    assert_eq!(screen.effects, [Effect::PaletteChanged]);
    screen.effects.clear();
    screen.feed("\x1b]4;1;?\x07\x1b]4;0;?\x1b\\");
    assert_eq!(
        screen.replies(),
        "\x1b]4;1;rgb:1111/2222/3333\x07\x1b]4;0;rgb:0000/0000/0000\x1b\\"
    );
    screen.feed("\x1b]104;1\x07");
    assert_eq!(screen.emulator.palette_override(1), None);
    assert!(screen.emulator.palette_override(2).is_some());
    screen.feed("\x1b]104\x07\x1b]4;1;junk\x07");
    assert!(!screen.emulator.has_palette_overrides());
}

#[test]
fn dynamic_colours() {
    check_reply("\x1b]10;?\x07", "");
    check_reply(
        "\x1b]10;#ffffff\x07\x1b]10;?\x07",
        "\x1b]10;rgb:ffff/ffff/ffff\x07",
    );
    let colors = DefaultColors {
        foreground: (1, 2, 3),
        background: (4, 5, 6),
        cursor: (7, 8, 9),
    };
    let mut known = Term::with(
        4,
        20,
        Config {
            default_colors: Some(colors),
            ..Config::default()
        },
    );
    known.feed("\x1b]11;?;?\x1b\\\x1b[?996n");
    assert_eq!(
        known.replies(),
        "\x1b]11;rgb:0404/0505/0606\x1b\\\x1b]12;rgb:0707/0808/0909\x1b\\\x1b[?997;1n"
    );
    known.feed("\x1b]11;#000\x07\x1b]111\x07");
    assert_eq!(known.emulator.dynamic_colors(), [None; 3]);
}

#[test]
fn unknown_commands_are_swallowed() {
    check(
        "a\x1b]1337;File=x:AAAA\x07b\x1b]nonsense\x1b\\c\x1b]\x07d",
        "abcd",
    );
}

/// A terminal with known colours of the user.
fn with_colours(input: &str) -> Term {
    let config = Config {
        default_colors: Some(DefaultColors {
            foreground: (0, 1, 2),
            background: (253, 254, 255),
            cursor: (9, 9, 9),
        }),
        ..Config::default()
    };
    let mut screen = Term::with(4, 20, config);
    screen.feed(input);
    screen
}

#[test]
fn special_colours_are_kept_and_told() {
    let replies_to = |input: &str| with_colours(input).replies();
    let plain = "rgb:0000/0101/0202\x07";
    assert_eq!(
        replies_to("\x1b]5;0;?;4;?\x07"),
        format!("\x1b]5;0;{plain}\x1b]5;4;{plain}")
    );
    assert_eq!(
        replies_to("\x1b]5;5;?\x07\x1b]5;65535;?\x07\x1b]5;x;?\x07"),
        ""
    );
    let set = "\x1b]5;1;#123456\x07";
    let own = "rgb:1212/3434/5656\x07";
    assert_eq!(
        replies_to(&format!("{set}\x1b]5;1;?\x07\x1b]4;257;?\x07")),
        format!("\x1b]5;1;{own}\x1b]4;257;{own}")
    );
    assert_eq!(
        replies_to("\x1b]4;260;#123456\x07\x1b]5;4;?\x07"),
        format!("\x1b]5;4;{own}")
    );
    assert_eq!(
        replies_to(&format!("{set}\x1b]104\x07\x1b]5;1;?\x07")),
        format!("\x1b]5;1;{own}")
    );
    for reset in ["\x1b]105;1\x07", "\x1b]105\x07", "\x1bc"] {
        assert_eq!(
            replies_to(&format!("{set}{reset}\x1b]5;1;?\x07")),
            format!("\x1b]5;1;{plain}"),
            "{reset:?}"
        );
    }
    assert_eq!(
        replies_to(&format!("{set}\x1b]105;0\x07\x1b]5;1;?\x07")),
        format!("\x1b]5;1;{own}")
    );
    check_reply("\x1b]5;0;?\x07", "");
    assert_eq!(effects(set), [Effect::PaletteChanged]);
    assert_eq!(effects("\x1b]5;9;#123456\x07"), []);
}

#[test]
fn dynamic_colours_reach_from_ten_to_nineteen() {
    let (dark, light, cursor) = ("0000/0101/0202", "fdfd/fefe/ffff", "0909/0909/0909");
    let expected = [
        dark, light, cursor, dark, light, dark, light, dark, dark, light,
    ];
    let mut all = String::new();
    for (number, color) in (10..).zip(expected) {
        let reply = format!("\x1b]{number};rgb:{color}\x1b\\");
        let asked = with_colours(&format!("\x1b]{number};?\x1b\\")).replies();
        assert_eq!(asked, reply, "{number}");
        all.push_str(&reply);
        let own = format!("\x1b]{number};#123456\x07\x1b]{number};?\x07");
        let expected = format!("\x1b]{number};rgb:1212/3434/5656\x07");
        assert_eq!(with_colours(&own).replies(), expected);
        let back = format!("{own}\x1b]{};\x07\x1b]{number};?\x1b\\", number + 100);
        assert_eq!(with_colours(&back).replies(), expected + &reply);
    }
    let asked = format!("\x1b]10;{}\x1b\\", ["?"; 12].join(";"));
    assert_eq!(with_colours(&asked).replies(), all);
    assert_eq!(
        with_colours("\x1b]16;#010203;#040506\x07\x1b]16;?;?\x07").replies(),
        "\x1b]16;rgb:0101/0202/0303\x07\x1b]17;rgb:0404/0505/0606\x07"
    );
}
