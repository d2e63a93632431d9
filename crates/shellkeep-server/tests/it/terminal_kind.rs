//! What a client's terminal can do, by its terminfo entry and by its answers, however late they come.

use std::time::Duration;

use shellkeep_core::{Attrs, Color, Style, Underline};
use shellkeep_testkit::virtual_rig::Rig;

/// A directory of compiled entries, made by tic.
const TERMINFO: &str = concat!(
    "TERMINFO=",
    env!("CARGO_MANIFEST_DIR"),
    "/../shellkeep-render/tests/terminfo"
);

/// A text with a curly underline in a colour, struck through, as a terminal of this name gets it.
fn shown_on(term: &str, config: &str, answer: &str) -> Style {
    let rig = Rig::with_config(config);
    let term = format!("TERM={term}");
    let ann = rig.attach_mute(&["new"], &[&term, TERMINFO]);
    ann.sends(answer);
    rig.pty(0).says("\x1b[9;4:3;58:5:1mstyled");
    rig.settle();
    assert_eq!(ann.text(), "styled");
    ann.with_terminal(|terminal| terminal.row(0).cell(0).style())
}

#[test]
fn styles_reach_a_terminal_whose_terminfo_entry_has_them() {
    let style = shown_on("sk-styled", "", "");
    assert_eq!(style.underline, Underline::Curly);
    assert_eq!(style.underline_color, Color::Palette(1));
    assert_eq!(style.attrs, Attrs::STRIKE);

    let style = shown_on("sk-curly", "", "");
    assert_eq!(style.underline, Underline::Curly);
    assert_eq!(style.underline_color, Color::Default);
    assert_eq!(style.attrs, Attrs::empty());
}

#[test]
fn styles_are_left_out_for_a_terminal_that_has_none_of_them() {
    for term in ["sk-other", "sk-standard", "sk-nowhere"] {
        let style = shown_on(term, "", "");
        assert_eq!(style.underline, Underline::Single, "{term}");
        assert_eq!(style.underline_color, Color::Default, "{term}");
        assert_eq!(style.attrs, Attrs::empty(), "{term}");
    }
}

#[test]
fn answer_adds_to_the_entry_and_the_option_has_the_last_word() {
    let style = shown_on("sk-curly", "", "\x1bP>|XTerm(390)\x1b\\");
    assert_eq!(style.attrs, Attrs::STRIKE);
    assert_eq!(style.underline, Underline::Curly);

    let config = "set -s terminal-overrides 'sk-*:smxx@:Smulx@'";
    let style = shown_on("sk-styled", config, "\x1bP>|XTerm(390)\x1b\\");
    assert_eq!(style.attrs, Attrs::empty());
    assert_eq!(style.underline, Underline::Single);
}

const DA1: &str = "\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c";

#[test]
fn late_answer_in_two_pieces_never_reaches_a_pane() {
    for answer in [
        DA1,
        "\x1bP>|XTerm(390)\x1b\\",
        "\x1b[>41;390;0c",
        "\x1b[?2026;2$y",
        "\x1b[?69;2$y",
        "\x1b[?1u",
        "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
        "\x1b]11;rgb:0000/0000/0000\x07",
        "\x1b]4;1;rgb:cdcd/0000/0000\x1b\\",
    ] {
        for at in 0..answer.len() {
            let rig = Rig::new();
            let ann = rig.attach_mute(&["new"], &["TERM=xterm"]);
            let (first, second) = answer.split_at(at);
            ann.begins_to_send(first);
            rig.pass(Duration::from_millis(400));
            ann.sends(second);
            // Keys around it are keys.
            ann.sends("x");
            assert_eq!(rig.pty(0).was_typed(), "x", "{answer:?} at {at}");
        }
    }
}

#[test]
fn late_answers_byte_by_byte_never_reach_a_pane() {
    let rig = Rig::new();
    let ann = rig.attach_mute(&["new"], &["TERM=xterm"]);
    let answers = format!("\x1bP>|XTerm(390)\x1b\\\x1b[?2026;2$y{DA1}");
    for byte in answers.bytes() {
        ann.begins_to_send([byte]);
        rig.pass(Duration::from_millis(30));
    }
    ann.sends("x");
    assert_eq!(rig.pty(0).was_typed(), "x");
}

#[test]
fn escape_is_as_quick_as_ever_once_the_terminal_has_answered() {
    let rig = Rig::new();
    let ann = rig.attach_mute(&["new"], &["TERM=xterm"]);
    ann.sends(DA1);
    // Escape ends the prompt, so the letter is for the pane; M-y would be for the prompt.
    ann.keys("C-b :");
    ann.begins_to_send("\x1b");
    rig.pass(Duration::from_millis(20));
    ann.sends("y");
    assert_eq!(rig.pty(0).was_typed(), "y");
}

#[test]
fn pipe_in_place_of_a_terminfo_entry_holds_up_nobody() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("s")).unwrap();
    let entry = dir.path().join("s/sk-pipe");
    nix::unistd::mkfifo(&entry, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let rig = Rig::new();
    let terminfo = format!("TERMINFO={}", dir.path().display());
    let ann = rig.attach_mute(&["new"], &["TERM=sk-pipe", &terminfo]);
    rig.pty(0).says("shown");
    rig.settle();
    assert_eq!(ann.text(), "shown");
    assert_eq!(rig.run(&["ls", "-F", "#S"]).status, Some(0));
}
