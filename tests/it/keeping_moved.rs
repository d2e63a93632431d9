//! Windows that are in another session than before, or in several, are found again with all that they showed.

use std::path::PathBuf;

use shellkeep_testkit::real::Rig;

use crate::faults::{assert_no_panic, directory_of};
use crate::keeping::{everything, kill_both};
use crate::rig;

fn state(rig: &Rig) -> PathBuf {
    rig.path("state/shellkeep")
}

/// A way in which a server ends, and its name.
type End = (&'static str, fn(&Rig));

/// How everything may come to an end.
const ENDS: [End; 3] = [
    ("kill-server --keep", |rig| {
        rig.ok(&["kill-server", "--keep"]);
    }),
    ("kill -9 of the server", |rig| rig.server().kill_9()),
    ("kill -9 of both", |rig| {
        // What a session has become is written a moment later.
        rig.ok(&["set-option", "-t", "second", "@mark", "written"]);
        let description = directory_of(&state(rig), "second").join("session.json");
        rig.wait_until("it to be written", || {
            std::fs::read_to_string(&description).is_ok_and(|text| text.contains("@mark"))
        });
        kill_both(rig);
    }),
];

/// What becomes of a window of session `first`: its number there, what is done with it, and where else it is then. A line of commands
/// is one call.
struct Way {
    window: usize,
    calls: &'static [&'static str],
    now: &'static str,
}

const MOVES: &[Way] = &[
    Way {
        window: 1,
        calls: &["move-window -s first:1 -t second:5"],
        now: "second:5",
    },
    Way {
        window: 2,
        calls: &[
            "swap-window -s first:2 -t second:0",
            "move-window -s second:0 -t second:6",
            "new-window -d -t second:0 cat",
        ],
        now: "second:6",
    },
    Way {
        window: 3,
        calls: &[
            "link-window -s first:3 -t second:7",
            "unlink-window -t first:3",
        ],
        now: "second:7",
    },
    // Twice in a moment.
    Way {
        window: 4,
        calls: &[
            "move-window -s first:4 -t third:5 ; move-window -s third:5 -t second:8",
            "move-window -s second:8 -t third:5",
        ],
        now: "third:5",
    },
    // It stays where it was, too.
    Way {
        window: 5,
        calls: &["link-window -s first:5 -t second:9"],
        now: "second:9",
    },
    // Its other session ends: the one that kept it.
    Way {
        window: 6,
        calls: &[
            "move-window -s first:6 -t fourth:6",
            "link-window -s fourth:6 -t second:10",
            "kill-session -t fourth",
        ],
        now: "second:10",
    },
];

/// Four sessions, the first with windows that have printed a lot.
fn sessions() -> Rig {
    let rig = rig();
    for name in ["first", "second", "third", "fourth"] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24", "--", "cat"]);
    }
    for Way { window, .. } in MOVES {
        let script = format!("seq 1 500; echo the-end-{window}; cat");
        let target = format!("first:{window}");
        rig.ok(&["new-window", "-d", "-t", &target, "sh", "-c", &script]);
        let end = format!("the-end-{window}");
        rig.wait_for_pane("its text", &target, |text| text.contains(&end));
    }
    let description = directory_of(&state(&rig), "first").join("session.json");
    rig.wait_until("all windows to be written down", || {
        let text = std::fs::read_to_string(&description).unwrap_or_default();
        text.matches("\"layout\"").count() == 1 + MOVES.len()
    });
    rig
}

fn show(rig: &Rig, target: &str, format: &str) -> String {
    rig.ok(&["display-message", "-p", "-t", target, format])
}

#[test]
fn windows_that_are_elsewhere_or_in_several_sessions_are_found_with_all_they_showed() {
    for (what, end) in ENDS {
        let rig = sessions();
        for Way { calls, .. } in MOVES {
            for call in *calls {
                rig.ok(&call.split(' ').collect::<Vec<_>>());
            }
        }
        rig.ok(&["new", "-d", "-s", "grouped", "-t", "first"]);
        rig.ok(&["select-pane", "-t", "first:5", "-T", "a title"]);
        rig.enter("second:10", "after");
        rig.wait_for_pane("what was typed", "second:10", |text| {
            text.contains("after\nafter")
        });
        let shown = || -> Vec<String> {
            let ways = MOVES.iter();
            ways.map(|way| everything(&rig, way.now)).collect()
        };
        let before = shown();
        for (way, text) in MOVES.iter().zip(&before) {
            let end = format!("the-end-{}", way.window);
            assert!(text.contains(&end), "{what}, {}: {text}", way.now);
        }
        end(&rig);
        for (way, (now, before)) in MOVES.iter().zip(shown().iter().zip(&before)) {
            assert_eq!(now, before, "{what}, {}", way.now);
            // One that is in several is found in any of them.
            if way.window != 5 {
                let found = rig.ok(&["search", &format!("the-end-{}", way.window)]);
                let session = way.now.split(':').next().unwrap();
                assert!(found.contains(session), "{what}, {}: {found}", way.now);
            }
        }
        // One that is in several is one window again.
        let facts = "#{window_id} #{pane_id} #{pane_title}";
        let linked = show(&rig, "first:5", facts);
        assert!(linked.ends_with(" a title\n"), "{what}: {linked}");
        for other in ["second:9", "grouped:5"] {
            assert_eq!(show(&rig, other, facts), linked, "{what}, {other}");
            assert_eq!(everything(&rig, other), before[4], "{what}, {other}");
        }
        let groups = rig.ok(&["ls", "-F", "#{session_name} #{session_group}"]);
        assert_eq!(
            groups, "first first\ngrouped first\nsecond \nthird \n",
            "{what}"
        );
        // What was killed is there again as it was: with a window in common.
        rig.wait_until("the archive", || rig.ok(&["ls", "-a"]).contains("fourth: "));
        rig.ok(&["reopen", "fourth"]);
        let id = "#{window_id}";
        let again = show(&rig, "fourth:6", id);
        assert_eq!(again, show(&rig, "second:10", id), "{what}");
        assert_eq!(everything(&rig, "fourth:6"), before[5], "{what}");
        assert_no_panic(&rig);
    }
}
