//! What is typed into a sleeping pane is sent as the shell that comes back wants it, whatever the one before had set.

use crate::hibernate::{begin, enter, hibernate, rig_with, wait_for_prompt, wait_for_text};

#[test]
fn paste_into_a_sleeping_pane_is_one_for_the_shell_that_comes_back() {
    for shell in ["bash", "zsh", "fish"] {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        rig.write("home/.inputrc", "set enable-bracketed-paste on\n");
        begin(&rig, "work");
        hibernate(&rig, "work");
        rig.ok(&["set-buffer", "echo o''ne\necho t''wo"]);
        rig.ok(&["paste-buffer", "-p", "-t", "work"]);
        wait_for_text(&rig, "work", "echo t''wo");
        let shown = rig.ok(&["capture-pane", "-p", "-t", "work"]);
        assert!(!shown.contains("\none"), "{shell} has run a line: {shown}");
        rig.ok(&["send-keys", "-t", "work", "Enter"]);
        wait_for_text(&rig, "work", "\none\ntwo\n");
    }
}

#[test]
fn key_into_a_sleeping_pane_is_the_one_that_its_next_shell_asks_for() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    let keys = "\"\\eOA\": \"application\"\n\"\\e[A\": \"plain\"\n";
    for (setting, line, expected) in [
        // Whatever a program has left switched on goes with it.
        ("off", "printf '\\e[?1h'", "plain"),
        ("on", "", "application"),
        ("on", "printf '\\e[?1l'", "application"),
        ("off", "", "plain"),
    ] {
        let inputrc = format!("set enable-keypad {setting}\n{keys}");
        rig.write("home/.inputrc", &inputrc);
        begin(&rig, "work");
        enter(&rig, "work", line);
        enter(&rig, "work", "clear");
        wait_for_prompt(&rig, "work");
        hibernate(&rig, "work");
        rig.ok(&["send-keys", "-t", "work", "Up"]);
        wait_for_text(&rig, "work", &format!("$ {expected}"));
        rig.ok(&["kill-session", "-t", "work"]);
    }
}
