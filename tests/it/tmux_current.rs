//! What is meant where little is said: from within a pane, by windows that are in several places, before there is a server.

use shellkeep_testkit::real::{Output, Rig};

use crate::tmux::{both, same, tmux};
use crate::{is_installed, rig};

/// Both as if called in a pane.
fn both_inside(rig: &Rig, pane: &str, args: &[&str]) -> (Output, Output) {
    let mut ours = rig.command(args);
    let place = format!("{},1,0", rig.socket().display());
    ours.env("SHELLKEEP", place).env("SHELLKEEP_PANE", pane);
    let mut theirs = rig.other_command("tmux");
    theirs.args(["-f", "/dev/null"]).args(args);
    theirs.env("TMUX_TMPDIR", rig.path("run"));
    theirs.env("TMUX_PANE", pane);
    (rig.finish(ours), rig.finish(theirs))
}

fn same_inside(rig: &Rig, pane: &str, args: &[&str]) {
    let (ours, theirs) = both_inside(rig, pane, args);
    assert_eq!(
        ours, theirs,
        "{args:?} in {pane}: shellkeep left, tmux right"
    );
}

#[test]
fn current_within_a_pane_is_what_its_session_shows() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    for args in [
        &["new", "-d", "-s", "a", "cat"][..],
        &["splitw", "-d", "-t", "a:0", "cat"],
        &["neww", "-t", "a:", "cat"],
        &["splitw", "-d", "-t", "a:1", "cat"],
    ] {
        same(&rig, args);
    }
    let where_it_is = ["display", "-p", "#{session_name} #{window_index} #P #D"];
    for pane in ["%0", "%1", "%2", "%3", "%9"] {
        same_inside(&rig, pane, &where_it_is);
        same_inside(&rig, pane, &["lsp", "-F", "#D"]);
    }
    same_inside(&rig, "%0", &["display", "-pt", "%0", "#I.#P"]);
    same_inside(&rig, "%1", &["splitw", "-dP", "-F", "#I.#P", "cat"]);
    same_inside(&rig, "%0", &["kill-pane"]);
    same(&rig, &["lsp", "-aF", "#I.#P #D #{pane_active}"]);
    tmux(&rig, &["kill-server"]).ok();
}

#[test]
fn window_in_several_places_is_meant_where_it_is_shown() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let place = "#{session_name}:#{window_index}.#P #{window_linked} #{session_stack}";
    for args in [
        &["new", "-d", "-s", "a", "-x", "80", "-y", "24", "cat"][..],
        &["splitw", "-h", "cat"],
        &["link-window", "-s", "a:0", "-t", "a:5"],
        &["display", "-pt", "%0", place],
        &["select-window", "-t", "a:0"],
        &["display", "-pt", "@0", place],
        &["display", "-pt", "a:@0", place],
        &["neww", "-t", "a:", "cat"],
        &["display", "-pt", "%0", place],
        &["select-window", "-t", "a:5"],
        &["join-pane", "-h", "-s", "a:5.0", "-t", "%1"],
        &["lsw", "-F", place],
        // A group shares windows, which makes them no more linked than they were.
        &["new", "-d", "-t", "a", "-s", "g"],
        &["lsw", "-t", "g", "-F", "#I #{window_linked}"],
        &["new", "-d", "-s", "b", "cat"],
        &["link-window", "-d", "-s", "b:0", "-t", "g:8"],
        &["lsw", "-aF", "#S:#I #{window_linked}"],
        &["link-window", "-a", "-s", "b:0", "-t", "b:-2"],
        &["new-window", "-d", "-t", "%0", "cat"],
        &["move-window", "-s", "b:0", "-t", "b:0.0"],
        &["new-window", "-dP", "-t", "b:6.", "cat"],
        &["move-window", "-s", "b:0", "-t", "b:-"],
    ] {
        same(&rig, args);
    }
    tmux(&rig, &["kill-server"]).ok();
}

#[test]
fn sources_are_looked_for_before_targets_and_marks_stay_behind() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let state = &[
        "lsp",
        "-aF",
        "#D #S:#I.#P #{pane_active}#{pane_last}#{pane_marked}#{pane_marked_set} #{pane_width}x#{pane_height}+#{pane_left}+#{pane_top}",
    ][..];
    for args in [
        &["new", "-d", "-s", "a", "-x", "80", "-y", "24", "cat"][..],
        &["splitw", "-h", "cat"],
        &["splitw", "cat"],
        &["neww", "-t", "a:", "cat"],
        &["swap-pane", "-s", "%8", "-t", "%9"],
        &["swap-pane", "-D", "-s", "%8", "-t", "%0"],
        &["join-pane", "-s", "a:7", "-t", "z:1"],
        &["break-pane", "-s", "%8", "-t", "z:1"],
        &["select-pane", "-m", "-t", "%1"],
        state,
        &["swap-pane", "-s", "%1", "-t", "%3"],
        state,
        &["swap-pane", "-s", "%0", "-t", "%2"],
        state,
        // What a zoomed pane hides gets its new size at once.
        &["select-pane", "-t", "a:0.1"],
        &["resize-pane", "-Z", "-t", "a:0.1"],
        &["resize-window", "-t", "a:0", "-x", "60", "-y", "20"],
        state,
        &["resize-pane", "-Z", "-t", "a:0"],
        state,
        &["set", "-g", "pane-border-status", "top"],
        &["lsp", "-aF", "#D #{pane_at_top}#{pane_at_bottom}"],
        &["set", "-g", "pane-border-status", "bottom"],
        &["lsp", "-aF", "#D #{pane_at_top}#{pane_at_bottom}"],
    ] {
        same(&rig, args);
    }
    tmux(&rig, &["kill-server"]).ok();
}

#[test]
fn path_of_who_calls_is_the_path_of_what_is_started() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -g status off\nset -g tmux-shim off\n",
    );
    let command = "echo \"path $PATH $FOO\"; /bin/cat";
    for args in [
        &["new", "-d", "-s", "a", command][..],
        &["setenv", "-t", "a", "PATH", "/nowhere"],
        &["setenv", "-t", "a", "FOO", "bar"],
        &["neww", "-t", "a:1", command],
        &["neww", "-t", "a:2", "-e", "PATH=/other", command],
        &["setenv", "-g", "PATH", "/global"],
        &["respawn-pane", "-k", "-t", "a:0", command],
    ] {
        same(&rig, args);
    }
    for window in ["a:0", "a:1", "a:2"] {
        let ours = rig.wait_for_pane("the path", window, |text| text.contains("path "));
        let theirs = rig.wait_for("tmux's path", || {
            let text = tmux(&rig, &["capture-pane", "-p", "-t", window]).stdout;
            text.contains("path ").then_some(text)
        });
        assert_eq!(ours, theirs, "{window}: shellkeep left, tmux right");
    }
    tmux(&rig, &["kill-server"]).ok();
}

#[test]
fn semicolons_alone_ask_for_nothing() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let (ours, theirs) = both(&rig, &[";"]);
    assert_eq!((ours.status, theirs.status), (1, 1), "{ours:?} {theirs:?}");
    for args in [
        &["new", "-d", "-s", "a", "cat"][..],
        &[";"],
        &[";", ";"],
        &[";", "ls", "-F", "#S", ";"],
        &["kill-server"],
    ] {
        same(&rig, args);
    }
}

#[test]
fn server_whose_first_command_fails_is_gone() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    same(&rig, &["new", "-s", "a"]);
    rig.wait_until("no server", || rig.run(&["ls"]).status == 1);
    let (ours, theirs) = both(&rig, &["ls"]);
    assert_eq!((ours.status, theirs.status), (1, 1), "{ours:?} {theirs:?}");
    // One that was asked for stays, and so do options that are set in it.
    rig.ok(&["start-server"]);
    rig.ok(&["set", "-g", "@kept", "yes"]);
    assert_eq!(rig.ok(&["show", "-gv", "@kept"]), "yes\n");
}
