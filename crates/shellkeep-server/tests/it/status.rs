//! What is around the panes: status lines, borders, messages.

use std::time::Duration;

use expect_test::{Expect, expect};
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// Compares the whole screen.
fn check(client: &VirtualClient, expected: &Expect) {
    expected.assert_eq(&format!("{}\n", client.text()));
}

/// A configuration whose status line has nothing in it that differs between machines.
const PLAIN: &str = "set -g status-right '' ; set -g window-status-current-format 'W#I'";

#[test]
fn status_line_by_default_takes_the_last_row() {
    let rig =
        Rig::with_status("set -g window-status-current-format 'W#I' ; set -g status-right 'now'");
    let ann = rig.attach((5, 40), &["new", "-s", "work"]);
    rig.pty(0).says("$ ");
    assert_eq!(rig.pty(0).size().rows(), 4);
    check(
        &ann,
        &expect![[r#"
            $



            [work] W0                            now
        "#]],
    );
}

#[test]
fn status_lines_at_the_top_push_the_window_down() {
    let rig = Rig::with_status(&format!(
        "{PLAIN} ; set -g status 2 ; set -g status-position top"
    ));
    let ann = rig.attach((6, 40), &["new", "-s", "work"]);
    rig.pty(0).says("$ ");
    assert_eq!(rig.pty(0).size().rows(), 4);
    check(
        &ann,
        &expect![[r#"
            [work] W0
                            0[40x4]
            $
        "#]],
    );
    let cursor = ann.with_terminal(|terminal| terminal.cursor());
    assert_eq!((cursor.row, cursor.col), (2, 2));
}

#[test]
fn status_line_changes_with_its_options_at_once() {
    let rig = Rig::with_status(PLAIN);
    let ann = rig.attach((4, 30), &["new", "-s", "work"]);
    rig.pty(0).says("$ ");
    rig.run(&["set", "-g", "status-left", "<#S>"]);
    check(
        &ann,
        &expect![[r#"
            $


            <work>W0
        "#]],
    );
    rig.run(&["set", "-t", "work", "status", "off"]);
    assert_eq!(rig.pty(0).size().rows(), 4);
    assert_eq!(ann.text(), "$");
}

#[test]
fn status_line_is_dropped_by_a_terminal_too_low_for_it() {
    let rig = Rig::with_status(PLAIN);
    let ann = rig.attach((1, 20), &["new", "-s", "work"]);
    rig.pty(0).says("$ ");
    assert_eq!(ann.text(), "$");
}

#[test]
fn status_line_that_tells_the_same_time_paints_nothing() {
    let rig = Rig::with_status("set -g status-right '%H:%M' ; set -g status-interval 15");
    let ann = rig.attach((4, 30), &["new", "-s", "work"]);
    assert!(ann.text().contains("[work] 0:"));
    let _ = ann.painted();
    rig.pass(Duration::from_secs(60));
    // The clock of the test stands still, so nothing has to be painted.
    assert_eq!(ann.painted(), (0, 0));
}

#[test]
fn borders_are_drawn_between_panes_with_their_titles() {
    let rig = Rig::with_status(PLAIN);
    let ann = rig.attach((7, 41), &["new", "-s", "work"]);
    rig.run(&["split-window", "-h", "-t", "work"]);
    rig.run(&["split-window", "-v", "-t", "work"]);
    for pane in 0..3 {
        rig.pty(pane).says(format!("pane {pane}"));
    }
    check(
        &ann,
        &expect![[r#"
        pane 0              │pane 1
                            │
                            │
                            ├────────────────────
                            │pane 2
                            │
        [work] W0
    "#]],
    );
    rig.run(&["set", "-g", "pane-border-status", "top"]);
    rig.run(&["set", "-g", "pane-border-format", " #{pane_index} "]);
    check(
        &ann,
        &expect![[r#"
        ── 0 ───────────────┬── 1 ───────────────
        pane 0              │pane 1
                            │
                            ├── 2 ───────────────
                            │pane 2
                            │
        [work] W0
    "#]],
    );
}

#[test]
fn window_larger_than_the_terminal_shows_the_part_with_the_cursor() {
    let rig = Rig::with_status(PLAIN);
    let ann = rig.attach((5, 20), &["new", "-s", "work"]);
    rig.run(&["resize-window", "-t", "work", "-x", "60", "-y", "10"]);
    rig.pty(0).says("first\x1b[8;41Hhere");
    check(
        &ann,
        &expect![[r#"

        here


        [work] W0
    "#]],
    );
    let cursor = ann.with_terminal(|terminal| terminal.cursor());
    assert_eq!((cursor.row, cursor.col), (1, 4));
    rig.pty(0).says("\x1b[H");
    check(
        &ann,
        &expect![[r#"
        first



        [work] W0
    "#]],
    );
}

#[test]
fn title_of_the_terminal_follows_the_session() {
    let rig = Rig::with_status("set -g set-titles on ; set -g set-titles-string '#S:#I'");
    let ann = rig.attach((5, 20), &["new", "-s", "work"]);
    assert_eq!(
        ann.with_terminal(|terminal| terminal.title().to_owned()),
        "work:0"
    );
}
