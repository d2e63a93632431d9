//! Corners of the command language, found by walking through it beside tmux.

use crate::tmux::{both, same, tmux};
use crate::{is_installed, rig};

#[test]
fn target_that_is_there_in_part_is_seen_from_there_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    same(&rig, &["new", "-d", "-s", "a", "-n", "zero", "cat"]);
    same(&rig, &["new-window", "-d", "-t", "a:1", "-n", "one", "cat"]);
    same(&rig, &["split-window", "-d", "-t", "a:one", "cat"]);
    same(&rig, &["new", "-d", "-s", "b", "-n", "zero", "cat"]);
    same(&rig, &["new-window", "-d", "-t", "b:1", "-n", "one", "cat"]);
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
        same(&rig, &["display", "-p", "-t", target, seen]);
        let then = "display -p yes";
        same(&rig, &["if", "-F", "-t", target, "#{window_name}", then]);
    }
    let _ = tmux(&rig, &["kill-server"]);
}

#[test]
fn screen_that_is_cleared_is_in_the_history_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    for (at, clear) in ["\\033[2J", "\\033[H\\033[J", "\\033c"].iter().enumerate() {
        let name = format!("s{at}");
        let print = format!("printf 'one\\n\\nthree{clear}end'; cat");
        same(
            &rig,
            &["new", "-d", "-x", "40", "-y", "10", "-s", &name, &print],
        );
        rig.wait_for("the same text", || {
            let capture = ["capture-pane", "-p", "-S", "-", "-t", &name];
            let (ours, theirs) = both(&rig, &capture);
            (theirs.stdout.contains("end") && ours == theirs).then_some(())
        });
        same(&rig, &["send-keys", "-R", "-t", &name]);
        same(&rig, &["display", "-p", "-t", &name, "#{history_size}"]);
    }
    let _ = tmux(&rig, &["kill-server"]);
}

#[test]
fn keys_sent_to_a_pane_in_a_mode_do_not_reach_its_program() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    same(
        &rig,
        &["new", "-d", "-x", "40", "-y", "10", "-s", "a", "cat"],
    );
    for mode in ["clock-mode", "choose-tree", "copy-mode"] {
        same(&rig, &[mode, "-t", "a"]);
        for keys in [
            &["send-keys", "-t", "a", "x"][..],
            &["send-keys", "-t", "a", "-l", "zz"],
            &["send-prefix", "-t", "a"],
        ] {
            same(&rig, keys);
            same(
                &rig,
                &["display", "-p", "-t", "a", "#{pane_mode} #{pane_in_mode}"],
            );
        }
    }
    same(&rig, &["copy-mode", "-q", "-t", "a"]);
    same(&rig, &["send-keys", "-t", "a", "done", "Enter"]);
    rig.wait_for("the same text", || {
        let (ours, theirs) = both(&rig, &["capture-pane", "-p", "-t", "a"]);
        (theirs.stdout.starts_with("done\ndone\n") && ours == theirs).then_some(())
    });
    let _ = tmux(&rig, &["kill-server"]);
}

#[test]
fn commands_in_braces_are_a_value_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    same(&rig, &["new", "-d", "-s", "a", "cat"]);
    let file = rig.write(
        "home/braces.conf",
        "set -g @one { display hi ; neww -d }\nset -g @more {\n display hi\n neww\n}\n",
    );
    same(&rig, &["source", file.to_str().unwrap()]);
    for option in ["@one", "@more"] {
        same(&rig, &["show", "-g", option]);
    }
    same(&rig, &["new", "-d", "-s", "f", "-x", "0"]);
    same(&rig, &["new", "-d", "-s", "f", "-y", "x"]);
    same(&rig, &["send-keys", "-t", "nope", "-N", "x"]);
    let _ = tmux(&rig, &["kill-server"]);
}

#[test]
fn server_of_another_name_is_not_started_for_sessions_that_are_not_its_own() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "cat"]);
    for args in [
        &["ls"][..],
        &["has"],
        &["kill-server"],
        &["list-panes", "-a"],
    ] {
        let words = [&["-L", "other"], args].concat();
        let complaint = rig.run(&words).fails();
        assert!(complaint.contains("other"), "{args:?}: {complaint}");
    }
    assert!(!rig.path("run/shellkeep/other").exists());
    // Its own it finds again.
    rig.ok(&["kill-server", "--keep"]);
    assert!(rig.ok(&["ls"]).starts_with("work: "));
}

#[test]
fn popup_of_a_program_that_ends_at_once_tells_its_status() {
    let rig = rig();
    let terminal = rig.attach(&["new", "-s", "work"], (24, 80));
    terminal.wait_for_prompt();
    for _ in 0..10 {
        assert_eq!(rig.run(&["display-popup", "-E", "true"]).status, 0);
        assert_eq!(rig.run(&["display-popup", "-EE", "true"]).status, 0);
        assert_eq!(rig.run(&["display-popup", "-E", "exit 3"]).status, 3);
    }
}

#[test]
fn pane_of_a_program_that_succeeds_at_once_remains_only_if_all_do() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "cat"]);
    rig.ok(&["set", "-g", "remain-on-exit", "failed"]);
    for _ in 0..10 {
        rig.ok(&["new-window", "-d", "-t", "work:5", "exec true"]);
        rig.wait_until("its end", || rig.ok(&["list-windows"]).lines().count() == 1);
    }
    rig.ok(&["set", "-g", "remain-on-exit", "on"]);
    for status in 0..10 {
        let program = format!("exit {status}");
        rig.ok(&["new-window", "-d", "-t", "work:5", &program]);
        let told = rig.wait_for("its end", || {
            let told = "#{pane_dead} #{pane_dead_status}";
            let told = rig.ok(&["display", "-p", "-t", "work:5", told]);
            told.starts_with('1').then_some(told)
        });
        assert_eq!(told, format!("1 {status}\n"));
        rig.ok(&["kill-window", "-t", "work:5"]);
    }
}

#[test]
fn hooks_and_zoom_are_listed_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    same(
        &rig,
        &["new", "-d", "-s", "a", "-x", "80", "-y", "24", "cat"],
    );
    for list in [&["show-hooks", "-g"][..], &["show-hooks", "-gw"]] {
        same(&rig, list);
    }
    same(&rig, &["split-window", "-d", "-Z", "-t", "a", "cat"]);
    let sizes = "#P #{pane_width}x#{pane_height} #{pane_active} #{window_zoomed_flag}";
    same(&rig, &["list-panes", "-t", "a", "-F", sizes]);
    same(&rig, &["resize-pane", "-Z", "-t", "a"]);
    same(&rig, &["list-panes", "-t", "a", "-F", sizes]);
    let _ = tmux(&rig, &["kill-server"]);
}
