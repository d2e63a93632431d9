//! Corners of the command language, found by walking through it beside tmux.

use super::programs::echo_and_cat;
use super::{Answer, Both};

#[test]
fn target_that_is_there_in_part_is_seen_from_there_as_in_tmux() {
    let both = Both::start("targets_in_part");
    both.same(&["new", "-d", "-s", "a", "-n", "zero", "cat"]);
    both.same(&["new-window", "-d", "-t", "a:1", "-n", "one", "cat"]);
    both.same(&["split-window", "-d", "-t", "a:one", "cat"]);
    both.same(&["new", "-d", "-s", "b", "-n", "zero", "cat"]);
    both.same(&["new-window", "-d", "-t", "b:1", "-n", "one", "cat"]);
    for target in [
        "a:{last}",
        "a:!",
        "a:one.{up-of}",
        "a:one.9",
        "a:=o",
        "a:zz",
        "b:{last}",
        "b:one.9",
        "b:{last}.0",
        "b:zz.0",
        "nope:0",
        "b:9",
        "=nope",
        "b:1.{last}",
        "$1:9",
        "b:one.{right-of}",
        "%9",
        "@9",
        "$9",
        "b:0.!",
        ":9",
        ".9",
        "{last}",
        "!",
        "zz",
        "zz.0",
        ":one.9",
        "one.9",
        "=a:zz",
        "=a:one.7",
    ] {
        let seen = "#S:#I.#P #D #{session_id} #{window_id}";
        both.same(&["display", "-p", "-t", target, seen]);
        let then = "display -p yes";
        both.same(&["if", "-F", "-t", target, "#{window_name}", then]);
    }
}

#[test]
fn screen_that_is_cleared_is_in_the_history_as_in_tmux() {
    let both = Both::start("cleared_screens");
    for (at, clear) in [(0, "\x1b[2J"), (1, "\x1b[H\x1b[J"), (2, "\x1bc")] {
        let name = format!("s{at}");
        both.same(&["new", "-d", "-x", "40", "-y", "10", "-s", &name, "cat"]);
        both.says(at, &format!("one\r\n\r\nthree{clear}end"), "end");
        both.same(&["capture-pane", "-p", "-S", "-", "-t", &name]);
        both.same(&["send-keys", "-R", "-t", &name]);
        both.same(&["display", "-p", "-t", &name, "#{history_size}"]);
    }
}

#[test]
fn keys_sent_to_a_pane_in_a_mode_do_not_reach_its_program() {
    let both = Both::start("keys_in_modes");
    both.same(&["new", "-d", "-x", "40", "-y", "10", "-s", "a", "cat"]);
    for mode in ["clock-mode", "choose-tree", "copy-mode"] {
        both.same(&[mode, "-t", "a"]);
        for keys in [
            &["send-keys", "-t", "a", "x"][..],
            &["send-keys", "-t", "a", "-l", "zz"],
            &["send-prefix", "-t", "a"],
        ] {
            both.same(keys);
            both.same(&["display", "-p", "-t", "a", "#{pane_mode} #{pane_in_mode}"]);
        }
    }
    both.same(&["copy-mode", "-q", "-t", "a"]);
    both.same(&["send-keys", "-t", "a", "done", "Enter"]);
    let pty = both.rig.pty(0);
    pty.says(echo_and_cat(&pty.was_typed()));
    let capture = ["capture-pane", "-p", "-t", "a"];
    let theirs = both
        .tmux
        .run_until(&capture, |answer| answer.stdout.starts_with("done\ndone\n"));
    assert_eq!(Answer::from(both.rig.run(&capture)), theirs);
}

#[test]
fn hooks_and_zoom_are_listed_as_in_tmux() {
    let both = Both::start("zoom");
    both.same(&["new", "-d", "-s", "a", "-x", "80", "-y", "24", "cat"]);
    for list in [&["show-hooks", "-g"][..], &["show-hooks", "-gw"]] {
        both.same(list);
    }
    both.same(&["split-window", "-d", "-Z", "-t", "a", "cat"]);
    let sizes = "#P #{pane_width}x#{pane_height} #{pane_active} #{window_zoomed_flag}";
    both.same(&["list-panes", "-t", "a", "-F", sizes]);
    both.same(&["resize-pane", "-Z", "-t", "a"]);
    both.same(&["list-panes", "-t", "a", "-F", sizes]);
}
