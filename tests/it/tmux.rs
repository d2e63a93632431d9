//! What tmux has too works as in tmux: the same words to both, and the same answers.

use shellkeep_testkit::real::{Output, Rig};

use crate::{is_installed, rig};

/// tmux in the same world.
pub(crate) fn tmux(rig: &Rig, args: &[&str]) -> Output {
    let mut command = rig.other_command("tmux");
    command.args(["-f", "/dev/null"]).args(args);
    command.env("TMUX_TMPDIR", rig.path("run"));
    rig.finish(command)
}

/// Both, for the same words. Their sockets have different names, and only theirs.
pub(crate) fn both(rig: &Rig, args: &[&str]) -> (Output, Output) {
    (rig.run(args), tmux(rig, args))
}

/// Asserts that both say the same.
pub(crate) fn same(rig: &Rig, args: &[&str]) {
    let (mut ours, theirs) = both(rig, args);
    // Our errors say behind tmux's own words what to type instead.
    if ours.stderr.starts_with(theirs.stderr.trim_end())
        && ours.stderr.ends_with(")\n")
        && !theirs.stderr.is_empty()
    {
        ours.stderr.clone_from(&theirs.stderr);
    }
    assert_eq!(ours, theirs, "{args:?}: shellkeep left, tmux right");
}

#[test]
fn commands_right_and_wrong_end_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
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
        &["foo"],
        &["kill-session", "-a", "-t", "a_b_c"],
        &["kill-server"],
    ] {
        same(&rig, args);
    }
}

#[test]
fn names_are_written_out_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    for name in [
        "a\tb",
        "n\nl",
        "e\u{1b}x",
        "d\u{7f}",
        "b\\n",
        "r\r\u{7}\u{8}\u{b}\u{c}",
        "\u{85}c1",
        "m$x$1${y$_$ü",
    ] {
        same(&rig, &["new", "-d", "-s", name]);
        same(&rig, &["new", "-d", "-s", name]);
        same(&rig, &["new", "-d", "-s", "old"]);
        same(&rig, &["rename", "-t", "=old", &format!("to {name}")]);
        same(&rig, &["rename-window", "-t", "to:", name]);
        same(&rig, &["ls", "-F", "#{session_name}"]);
        same(&rig, &["lsw", "-t", "to:", "-F", "#{window_name}"]);
        same(&rig, &["kill-server"]);
    }
}

#[test]
fn targets_find_what_they_find_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    for name in ["work", "workshop", "mail", "web-1", "web-2"] {
        same(&rig, &["new", "-d", "-s", name]);
    }
    for target in [
        "work", "works", "wor", "=work", "=wor", "m", "web*", "*1", "w??-[1]", "$0", "$9", "nope",
        "mail:", "mail:0", "mail:0.0", "mail:7", "mail:0.7", "nope:0", "=nope:", "%0", "%99",
    ] {
        same(&rig, &["has", "-t", target]);
        // tmux does not find a pane by the exact name of its session, unless a colon follows.
        if !target.starts_with('=') || target.ends_with(':') {
            same(&rig, &["send-keys", "-t", target]);
        }
    }
    same(&rig, &["kill-session", "-t", "%2"]);
    let (ours, theirs) = both(&rig, &["ls"]);
    let names = |output: &Output| -> Vec<String> {
        let lines = output.stdout.lines();
        lines
            .map(|line| line.split(" (").next().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(names(&ours), names(&theirs));
    tmux(&rig, &["kill-server"]).ok();
}

/// A program that shows each byte it reads, on a line per read.
const SHOW_BYTES: &str = "stty raw -echo; printf 'ready\\r\\n'; cat -v";

#[test]
fn keys_sent_reach_the_program_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    same(
        &rig,
        &["new", "-d", "-x", "70", "-y", "20", "-s", "k", SHOW_BYTES],
    );
    rig.wait_for_pane("the program", "k", |text| text.starts_with("ready"));
    rig.wait_until("tmux's program", || {
        tmux(&rig, &["capture-pane", "-p", "-t", "k"])
            .stdout
            .starts_with("ready")
    });
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
        same(&rig, &args);
    }
    same(&rig, &["send-keys", "-t", "k", "-l", "|done"]);
    let theirs = rig.wait_for("tmux's screen", || {
        let text = tmux(&rig, &["capture-pane", "-p", "-t", "k"]).stdout;
        text.contains("|done").then_some(text)
    });
    let ours = rig.wait_for_pane("the keys", "k", |text| text.contains("|done"));
    assert_eq!(ours, theirs, "shellkeep left, tmux right");
    tmux(&rig, &["kill-server"]).ok();
}

#[test]
fn capture_of_ranges_prints_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let print = r#"i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "line $i"; done
        echo "a long line that does not fit into the width of the pane at all"
        echo "a漢字仮名漢字仮名漢字仮名漢字仮名漢字仮名"; printf '  end'; cat"#;
    same(
        &rig,
        &["new", "-d", "-x", "30", "-y", "10", "-s", "c", print],
    );
    rig.wait_for_pane("the text", "c", |text| text.contains("  end"));
    rig.wait_until("tmux's text", || {
        tmux(&rig, &["capture-pane", "-p", "-t", "c"])
            .stdout
            .contains("  end")
    });
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
        same(&rig, &[&["capture-pane", "-p", "-t", "c"], range].concat());
    }
    tmux(&rig, &["kill-server"]).ok();
}
