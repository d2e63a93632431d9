//! Alerts, and what a command shows in place of a pane.

use std::time::Duration;

use expect_test::{Expect, expect};
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// Windows by their numbers and flags, and messages that stay.
const CONFIG: &str = "set -g display-time 0\nset -g status-right ''\nset -g status-left '[#S]'\n\
    set -g window-status-format '#I#F'\nset -g window-status-current-format '#I#F'\n";

fn last_row(client: &VirtualClient) -> String {
    let rows = client.with_terminal(|terminal| terminal.size().rows());
    let last = client.with_terminal(|terminal| terminal.row(rows - 1).text());
    last.trim_end().to_owned()
}

fn check(client: &VirtualClient, expected: &Expect) {
    expected.assert_eq(&last_row(client));
}

/// Two windows, the second shown.
fn two_windows(config: &str) -> (Rig, VirtualClient) {
    let rig = Rig::with_status(&format!("{CONFIG}{config}\n"));
    let ann = rig.attach((8, 40), &["new", "-s", "work"]);
    rig.run(&["new-window", "-t", "work:"]);
    rig.pty(1).says("$ ");
    (rig, ann)
}

#[test]
fn bell_in_another_window_is_flagged_until_it_is_shown() {
    let (rig, ann) = two_windows("");
    check(&ann, &expect!["[work]0- 1*"]);
    rig.pty(0).says("\x07");
    check(&ann, &expect!["[work]0!- 1*"]);
    rig.run(&["select-window", "-t", "work:0"]);
    check(&ann, &expect!["[work]0* 1-"]);
}

#[test]
fn bell_is_a_message_where_it_is_visual() {
    let (rig, ann) = two_windows("set -g visual-bell on");
    rig.pty(0).says("\x07");
    check(&ann, &expect!["Bell in window 0"]);
    ann.keys("a");
    rig.pty(1).says("\x07");
    check(&ann, &expect!["Bell in current window"]);
}

#[test]
fn bell_is_nothing_where_nobody_wants_it() {
    let (rig, ann) = two_windows("set -g monitor-bell off");
    rig.pty(0).says("\x07");
    check(&ann, &expect!["[work]0- 1*"]);
    let (rig, ann) = two_windows("set -g bell-action none\nset -g visual-bell on");
    rig.pty(0).says("\x07");
    check(&ann, &expect!["[work]0!- 1*"]);
}

#[test]
fn activity_and_silence_are_flagged_where_they_are_watched_for() {
    let (rig, ann) = two_windows("set -g monitor-activity on");
    rig.pty(0).says("news");
    check(&ann, &expect!["[work]0#- 1*"]);
    let (rig, ann) = two_windows("set -g monitor-silence 60\nset -g visual-silence on");
    rig.pty(0).says("news");
    check(&ann, &expect!["[work]0- 1*"]);
    rig.pass(Duration::from_secs(61));
    check(&ann, &expect!["Silence in window 0"]);
    ann.keys("a");
    check(&ann, &expect!["[work]0~- 1*"]);
}

#[test]
fn last_words_of_a_program_are_activity_and_a_silent_end_is_none() {
    let config = "set -g monitor-activity on\nset -g remain-on-exit on";
    let (rig, ann) = two_windows(config);
    rig.pty(0).begins_to_say("bye").exits(0);
    check(&ann, &expect!["[work]0#- 1*"]);
    let (rig, ann) = two_windows(config);
    rig.pty(0).exits(0);
    check(&ann, &expect!["[work]0- 1*"]);
}

#[test]
fn silence_is_counted_from_the_last_output_not_the_first() {
    let (rig, ann) = two_windows("set -g visual-silence on");
    rig.run(&["set", "-w", "-t", "work:0", "monitor-silence", "10"]);
    rig.pty(0).begins_to_say("first");
    rig.pass(Duration::from_millis(400));
    rig.pty(0).begins_to_say("second");
    // Looking at a terminal takes a second.
    rig.pass(Duration::from_millis(8750));
    let text = ann.text();
    assert!(
        text.ends_with("[work]0- 1*"),
        "9.75 seconds after the last: {text}"
    );
    check(&ann, &expect!["Silence in window 0"]);
}

#[test]
fn output_of_a_key_is_shown_over_the_pane_until_it_is_left() {
    let rig = Rig::with_status(CONFIG);
    let ann = rig.attach((4, 40), &["new", "-s", "work"]);
    rig.pty(0).says("$ ");
    rig.run(&["bind", "x", "display-message", "-p", "one\ntwo"]);
    ann.keys("C-b x");
    let text = ann.text();
    assert!(text.starts_with("one"), "{text}");
    assert!(text.contains("\ntwo\n"), "{text}");
    let mode = rig.run(&["display-message", "-p", "-t", "work", "#{pane_mode}"]);
    assert_eq!(mode.stdout, "view-mode\n");
    ann.keys("q");
    assert!(ann.text().starts_with('$'), "{}", ann.text());
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn list_of_keys_can_be_searched() {
    let rig = Rig::with_status(&format!("{CONFIG}set -g mode-keys vi\n"));
    let ann = rig.attach((10, 70), &["new", "-s", "work"]);
    rig.pty(0).says("$ ");
    ann.keys("C-b ?");
    assert!(ann.text().starts_with("C-b C-b"), "{}", ann.text());
    ann.sends("/Detach the current").keys("Enter");
    let row = ann.with_terminal(|terminal| terminal.row(terminal.cursor().row).text());
    assert!(row.contains("Detach the current client"), "{}", ann.text());
}

#[test]
fn clock_shows_the_time_until_a_key_is_typed() {
    let rig = Rig::with_status(CONFIG);
    let ann = rig.attach((8, 40), &["new", "-s", "work"]);
    rig.pty(0).says("$ ");
    rig.run(&["clock-mode", "-t", "work"]);
    let lit = ann.with_terminal(|terminal| {
        let rows = terminal.rows().map(|row| {
            let lit = |cell: shellkeep_term::CellView<'_>| match cell.style().bg {
                shellkeep_core::Color::Palette(4) => '#',
                _ => ' ',
            };
            row.cells()
                .map(lit)
                .collect::<String>()
                .trim_end()
                .to_owned()
        });
        rows.collect::<Vec<_>>()
    });
    assert!(lit[..5].iter().all(|row| row.contains('#')), "{lit:?}");
    ann.keys("x");
    assert_eq!(rig.pty(0).was_typed(), "");
    assert!(ann.text().starts_with('$'), "{}", ann.text());
}

#[test]
fn hints_show_what_can_follow_the_prefix() {
    let rig = Rig::with_status(&format!("{CONFIG}set -g key-hints on\n"));
    let ann = rig.attach((4, 60), &["new", "-s", "work"]);
    rig.pty(0).says("$ ");
    ann.keys("C-b");
    check(
        &ann,
        &expect!["C-b Send the prefix key · C-o Rotate through the panes …"],
    );
    ann.keys("C-b");
    assert_eq!(rig.pty(0).was_typed(), "\u{2}");
    check(&ann, &expect!["[work]0*"]);
}
