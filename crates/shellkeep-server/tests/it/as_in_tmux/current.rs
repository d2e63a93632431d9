//! What is meant where little is said: from within a pane, by windows that are in several places, before there is a server.

use super::Both;

/// Asserts that both answer the same to a command that is run in a pane.
fn same_inside(both: &Both, pane: &str, args: &[&str]) {
    let ours = both.rig.run_inside(pane, args);
    let theirs = both.tmux.run_with(args, &[("TMUX_PANE", pane)]);
    assert_eq!(
        super::Answer::from(ours),
        theirs,
        "{args:?} in {pane}: shellkeep left, tmux right"
    );
}

#[test]
fn current_within_a_pane_is_what_its_session_shows() {
    let both = Both::start("current_within");
    for args in [
        &["new", "-d", "-s", "a", "cat"][..],
        &["splitw", "-d", "-t", "a:0", "cat"],
        &["neww", "-t", "a:", "cat"],
        &["splitw", "-d", "-t", "a:1", "cat"],
    ] {
        both.same(args);
    }
    let where_it_is = ["display", "-p", "#{session_name} #{window_index} #P #D"];
    for pane in ["%0", "%1", "%2", "%3", "%9"] {
        same_inside(&both, pane, &where_it_is);
        same_inside(&both, pane, &["lsp", "-F", "#D"]);
    }
    same_inside(&both, "%0", &["display", "-pt", "%0", "#I.#P"]);
    same_inside(&both, "%1", &["splitw", "-dP", "-F", "#I.#P", "cat"]);
    same_inside(&both, "%0", &["kill-pane"]);
    both.same(&["lsp", "-aF", "#I.#P #D #{pane_active}"]);
}

#[test]
fn window_in_several_places_is_meant_where_it_is_shown() {
    let both = Both::start("linked_windows");
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
        both.same(args);
    }
}

#[test]
fn sources_are_looked_for_before_targets_and_marks_stay_behind() {
    let both = Both::start("sources_before_targets");
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
        both.same(args);
    }
}
