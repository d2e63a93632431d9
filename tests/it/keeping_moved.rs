//! Windows that are in another session than before, or in several, are found again with all that they showed.

use std::path::PathBuf;

use shellkeep_testkit::real::Rig;

use crate::faults::{assert_no_panic, directory_of};
use crate::keeping::{everything, kill_both};
use crate::rig;

/// Two sessions, the first with a second window that has printed a lot.
fn two_sessions() -> Rig {
    let rig = rig();
    for name in ["first", "second"] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24", "--", "cat"]);
    }
    let script = "seq 1 500; echo the-end; cat";
    rig.ok(&["new-window", "-d", "-t", "first:1", "sh", "-c", script]);
    rig.wait_for_pane("its text", "first:1", |text| text.contains("the-end"));
    let description = directory_of(&state(&rig), "first").join("session.json");
    rig.wait_until("both windows to be written down", || {
        let text = std::fs::read_to_string(&description).unwrap_or_default();
        text.matches("\"layout\"").count() == 2
    });
    rig
}

/// How everything may come to an end.
const ENDS: [fn(&Rig); 3] = [
    |rig| drop(rig.ok(&["kill-server", "--keep"])),
    |rig| rig.server().kill_9(),
    |rig| {
        // What a session has become is written a moment later.
        rig.ok(&["set-option", "-t", "second", "@mark", "written"]);
        let description = directory_of(&state(rig), "second").join("session.json");
        rig.wait_until("it to be written", || {
            std::fs::read_to_string(&description).is_ok_and(|text| text.contains("@mark"))
        });
        kill_both(rig);
    },
];

fn state(rig: &Rig) -> PathBuf {
    rig.path("state/shellkeep")
}

#[test]
fn window_that_moved_to_another_session_is_there_with_all_that_it_showed() {
    let moves: [&[&[&str]]; 3] = [
        &[&["move-window", "-s", "first:1", "-t", "second:5"]],
        &[
            &["swap-window", "-s", "first:1", "-t", "second:0"],
            &["move-window", "-s", "second:0", "-t", "second:5"],
        ],
        &[
            &["link-window", "-s", "first:1", "-t", "second:5"],
            &["unlink-window", "-t", "first:1"],
        ],
    ];
    for commands in moves {
        for end in ENDS {
            let rig = two_sessions();
            let before = everything(&rig, "first:1");
            for command in commands {
                rig.ok(command);
            }
            end(&rig);
            assert_eq!(everything(&rig, "second:5"), before, "{commands:?}");
            assert!(rig.ok(&["search", "the-end"]).contains("second"));
            assert_no_panic(&rig);
        }
    }
}

#[test]
fn window_that_moved_twice_in_a_moment_is_where_it_went() {
    for end in ENDS {
        let rig = two_sessions();
        rig.ok(&["new", "-d", "-s", "third", "--", "cat"]);
        let before = everything(&rig, "first:1");
        rig.ok(&[
            "move-window",
            "-s",
            "first:1",
            "-t",
            "third:5",
            ";",
            "move-window",
            "-s",
            "third:5",
            "-t",
            "second:5",
        ]);
        rig.ok(&["move-window", "-s", "second:5", "-t", "third:5"]);
        end(&rig);
        assert_eq!(everything(&rig, "third:5"), before);
    }
}

#[test]
fn window_in_two_sessions_is_one_window_again() {
    let ways: [&[&str]; 2] = [
        &["link-window", "-s", "first:1", "-t", "second:1"],
        &["new", "-d", "-s", "grouped", "-t", "first"],
    ];
    for way in ways {
        for end in ENDS {
            let rig = two_sessions();
            let other = if way[0] == "new" { "grouped" } else { "second" };
            let before = everything(&rig, "first:1");
            rig.ok(way);
            rig.ok(&["select-pane", "-t", "first:1", "-T", "a title"]);
            end(&rig);
            let ids = |target: &str| {
                let format = "#{window_id} #{pane_id} #{pane_title}";
                rig.ok(&["display-message", "-p", "-t", target, format])
            };
            assert_eq!(ids(&format!("{other}:1")), ids("first:1"), "{way:?}");
            assert!(ids("first:1").ends_with(" a title\n"));
            assert_eq!(everything(&rig, &format!("{other}:1")), before);
            let groups = rig.ok(&["ls", "-F", "#{session_name} #{session_group}"]);
            let is_grouped = groups.contains("first first") && groups.contains("grouped first");
            assert_eq!(is_grouped, other == "grouped", "{groups}");
        }
    }
}

#[test]
fn window_goes_on_with_its_other_session_when_the_one_that_kept_it_ends() {
    for end in ENDS {
        let rig = two_sessions();
        rig.ok(&["link-window", "-s", "first:1", "-t", "second:5"]);
        rig.ok(&["kill-session", "-t", "first"]);
        rig.enter("second:5", "after");
        rig.wait_for_pane("what was typed", "second:5", |text| {
            text.contains("after\nafter")
        });
        let before = everything(&rig, "second:5");
        end(&rig);
        assert_eq!(everything(&rig, "second:5"), before);
        // What was killed is there again as it was: with a window in common.
        rig.wait_until("the archive", || rig.ok(&["ls", "-a"]).contains("first: "));
        rig.ok(&["reopen", "first"]);
        let again = rig.ok(&["display-message", "-p", "-t", "first:1", "#{window_id}"]);
        assert_eq!(
            again,
            rig.ok(&["display-message", "-p", "-t", "second:5", "#{window_id}"])
        );
        assert_eq!(everything(&rig, "first:1"), before);
        assert_no_panic(&rig);
    }
}
