//! Hooks run in the order of tmux, for the same commands.

use crate::tmux::{both, tmux};
use crate::{is_installed, rig};

const HOOKS: &[&str] = &[
    "after-copy-mode",
    "after-kill-pane",
    "after-new-session",
    "after-new-window",
    "after-resize-pane",
    "after-select-pane",
    "after-select-window",
    "after-send-keys",
    "after-split-window",
    "pane-mode-changed",
    "pane-title-changed",
    "session-closed",
    "session-created",
    "session-renamed",
    "session-window-changed",
    "window-linked",
    "window-pane-changed",
    "window-renamed",
    "window-unlinked",
];

#[test]
fn hooks_run_in_the_same_order_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let run = |args: &[&str]| {
        let (ours, theirs) = both(&rig, args);
        assert_eq!((ours.status, theirs.status), (0, 0), "{args:?}: {ours:?}");
    };
    run(&["new", "-d", "-s", "base", "-x", "80", "-y", "24", "cat"]);
    run(&["set", "-g", "automatic-rename", "off"]);
    for hook in HOOKS {
        let command = format!("set -ga @log '{hook} '");
        let flag = if hook.starts_with("window-") || hook.starts_with("pane-") {
            "-gw"
        } else {
            "-g"
        };
        let flag = if ["window-linked", "window-unlinked"].contains(hook) {
            "-g"
        } else {
            flag
        };
        run(&["set-hook", flag, hook, &command]);
    }
    for args in [
        &["new", "-d", "-s", "one", "cat"][..],
        &["new-window", "-t", "one", "cat"],
        &["new-window", "-d", "-t", "one", "cat"],
        &["select-window", "-t", "one:0"],
        &["select-window", "-t", "one:0"],
        &["next-window", "-t", "one"],
        &["previous-window", "-t", "one"],
        &["last-window", "-t", "one"],
        &["select-pane", "-t", "one", "-T", "title"],
        &["select-pane", "-t", "one:.0"],
        &["rename-window", "-t", "one:0", "other"],
        &["rename-session", "-t", "one", "eins"],
        &["link-window", "-s", "eins:0", "-t", "base:5"],
        &["unlink-window", "-t", "base:5"],
        &["copy-mode", "-t", "base"],
        &["send-keys", "-t", "base", "-X", "cancel"],
        &["kill-window", "-t", "eins:1"],
        &["kill-session", "-t", "eins"],
    ] {
        run(&["set", "-g", "@log", ""]);
        run(args);
        let log = ["show", "-gv", "@log"];
        let settled = || {
            let (ours, theirs) = both(&rig, &log);
            (ours.stdout == theirs.stdout).then_some(())
        };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            rig.wait_for("the same hooks", settled);
        }));
        if outcome.is_err() {
            let (ours, theirs) = both(&rig, &log);
            panic!("{args:?}: here {}\ntmux {}", ours.stdout, theirs.stdout);
        }
    }
    let _ = tmux(&rig, &["kill-server"]);
}
