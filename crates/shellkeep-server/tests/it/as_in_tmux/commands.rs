//! Commands of every kind: how they end, what they find, what they type and capture.

use super::programs::cat_v;
use super::{Answer, Both};

#[test]
fn commands_right_and_wrong_end_as_in_tmux() {
    let both = Both::start("commands");
    for args in [
        &["attach"][..],
        &["attach", "-t", "x"],
        &["new", "-d", "-s", "a"],
        &["new", "-d", "-s", "a"],
        &["new", "-d", "-s", ""],
        &["new", "-d", "-s", "a:b.c"],
        &["has", "-t", "=a_b_c"],
        &["new"],
        &["attach", "-t", "a"],
        &["detach"],
        &["detach", "-t", "/dev/pts/99999"],
        &["rename", "-t", "a", "a_b_c"],
        &["rename", "-t", "a", "zz"],
        &["rename", "-t", "zz", "zz"],
        &["has", "-t", "a"],
        &["has", "-t", "nope", ";", "kill-server"],
        &["kill-session", "-t", "zz", ";", "has", "-t", "zz"],
        &["set", "-g", "prefix", "C-a"],
        &["show", "-g", "prefix"],
        &["show", "-gv", "prefix"],
        &["set", "-g", "prefix", "Foo"],
        &["set", "-g", "nope", "1"],
        &["show", "-sv", "exit-empty"],
        &["new", "-d", "-s", "f", "-x", "0"],
        &["new", "-d", "-s", "f", "-y", "x"],
        &["send-keys", "-t", "nope", "-N", "x"],
        &["foo"],
        &["kill-session", "-a", "-t", "a_b_c"],
        &["kill-server"],
    ] {
        both.same(args);
    }
}

#[test]
fn names_are_written_out_as_in_tmux() {
    for (at, name) in [
        "a\tb",
        "n\nl",
        "e\u{1b}x",
        "d\u{7f}",
        "b\\n",
        "r\r\u{7}\u{8}\u{b}\u{c}",
        "\u{85}c1",
        "m$x$1${y$_$ü",
    ]
    .iter()
    .enumerate()
    {
        let both = Both::start(&format!("name_{at}"));
        both.same(&["new", "-d", "-s", name]);
        both.same(&["new", "-d", "-s", name]);
        both.same(&["new", "-d", "-s", "old"]);
        both.same(&["rename", "-t", "=old", &format!("to {name}")]);
        both.same(&["rename-window", "-t", "to:", name]);
        both.same(&["ls", "-F", "#{session_name}"]);
        both.same(&["lsw", "-t", "to:", "-F", "#{window_name}"]);
        both.same(&["kill-server"]);
    }
}

#[test]
fn targets_find_what_they_find_in_tmux() {
    let both = Both::start("targets");
    for name in ["work", "workshop", "mail", "web-1", "web-2"] {
        both.same(&["new", "-d", "-s", name]);
    }
    for target in [
        "work", "works", "wor", "=work", "=wor", "m", "web*", "*1", "w??-[1]", "$0", "$9", "nope",
        "mail:", "mail:0", "mail:0.0", "mail:7", "mail:0.7", "nope:0", "=nope:", "%0", "%99",
    ] {
        both.same(&["has", "-t", target]);
        // tmux does not find a pane by the exact name of its session, unless a colon follows.
        if !target.starts_with('=') || target.ends_with(':') {
            both.same(&["send-keys", "-t", target]);
        }
    }
    both.same(&["kill-session", "-t", "%2"]);
    let (ours, theirs) = both.ask(&["ls"]);
    let names = |answer: &Answer| -> Vec<String> {
        let lines = answer.stdout.lines();
        lines
            .map(|line| line.split(" (").next().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(names(&ours), names(&theirs));
}

/// A program that shows each byte it reads, on a line per read.
const SHOW_BYTES: &str = "stty raw -echo; printf 'ready\\r\\n'; cat -v";

#[test]
fn keys_sent_reach_the_program_as_in_tmux() {
    let both = Both::start("keys_sent");
    both.same(&["new", "-d", "-x", "70", "-y", "20", "-s", "k", SHOW_BYTES]);
    both.rig.pty(0).says("ready\r\n");
    let capture = ["capture-pane", "-p", "-t", "k"];
    both.tmux
        .run_until(&capture, |answer| answer.stdout.starts_with("ready"));
    for keys in [
        &[
            "Up", "Down", "Left", "Right", "Home", "End", "PPage", "NPage",
        ][..],
        &[
            "F1", "F5", "F12", "IC", "DC", "BSpace", "BTab", "Tab", "Space", "Escape",
        ],
        &[
            "C-a", "C-Space", "M-x", "C-Left", "S-Up", "M-Right", "C-S-F3", "C-M-a",
        ],
        &["hello", "Enter", "wörld", "^A"],
        &["-l", "Enter C-a"],
        &["-H", "41", "1b", "7f"],
        &["-N", "3", "x", "Up"],
    ] {
        let args = [&["send-keys", "-t", "k"], keys].concat();
        both.same(&args);
    }
    both.same(&["send-keys", "-t", "k", "-l", "|done"]);
    let theirs = both
        .tmux
        .run_until(&capture, |answer| answer.stdout.contains("|done"));
    let pty = both.rig.pty(0);
    pty.says(cat_v(&pty.was_typed()));
    assert_eq!(Answer::from(both.rig.run(&capture)), theirs);
}

#[test]
fn capture_of_ranges_prints_as_in_tmux() {
    let both = Both::start("capture_ranges");
    both.same(&["new", "-d", "-x", "30", "-y", "10", "-s", "c", "cat"]);
    let mut text: String = (1..=60).map(|n| format!("line {n}\r\n")).collect();
    text.push_str("a long line that does not fit into the width of the pane at all\r\n");
    text.push_str("a漢字仮名漢字仮名漢字仮名漢字仮名漢字仮名\r\n  end");
    both.says(0, &text, "  end");
    for range in [
        &[][..],
        &["-S", "0", "-E", "0"],
        &["-S", "3", "-E", "5"],
        &["-S", "5", "-E", "3"],
        &["-S", "-5"],
        &["-S", "-7", "-E", "-3"],
        &["-S", "-"],
        &["-S", "-", "-E", "-1"],
        &["-S", "-2", "-E", "99"],
        &["-S", "-9999"],
        &["-E", "-"],
        &["-J"],
        &["-J", "-S", "-"],
        &["-e", "-J"],
        &["-e", "-N"],
        &["-C", "-J"],
    ] {
        both.same(&[&["capture-pane", "-p", "-t", "c"], range].concat());
    }
}
