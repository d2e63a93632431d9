//! What a user has set for the end of a shell is kept while the shell sleeps, and runs when the shell ends for the user: not when it is
//! put to sleep.

use crate::hibernate::{begin, enter, hibernate, rig_with, wait_for_prompt, wait_for_text};

/// Lines that write `bye` when the shell ends.
const FAREWELLS: [(&str, &str); 5] = [
    ("bash", "trap 'echo bye >>~/bye' EXIT"),
    ("zsh", "trap 'echo bye >>~/bye' EXIT"),
    ("zsh", "TRAPEXIT() { echo bye >>~/bye }"),
    ("zsh", "zshexit() { echo bye >>~/bye }"),
    (
        "fish",
        "function farewell --on-event fish_exit; echo bye >>~/bye; end",
    ),
];

#[test]
fn farewell_outlives_sleep_and_is_said_once() {
    for (shell, line) in FAREWELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "other");
        begin(&rig, "work");
        enter(&rig, "work", line);
        for _ in 0..2 {
            enter(&rig, "work", "clear; echo re''ady");
            wait_for_text(&rig, "work", "ready\n$");
            hibernate(&rig, "work");
            rig.ok(&["restore", "-t", "work"]);
            wait_for_prompt(&rig, "work");
            assert!(!rig.path("home/bye").exists(), "{shell} was ended: {line}");
        }
        enter(&rig, "work", "exit");
        rig.wait_until("the shell's last word", || rig.path("home/bye").exists());
        rig.wait_until("the end of the session", || {
            !rig.ok(&["ls", "-F", "#{session_name}"]).contains("work")
        });
        assert_eq!(rig.read("home/bye"), "bye\n", "{shell}: {line}");
    }
}

#[test]
fn farewell_outlives_an_orderly_end() {
    for (shell, line) in FAREWELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        enter(&rig, "work", line);
        enter(&rig, "work", "clear; echo re''ady");
        wait_for_text(&rig, "work", "ready\n$");
        let server = rig.server();
        rig.ok(&["kill-server", "--keep"]);
        server.wait_gone();
        rig.ok(&["restore", "-t", "work"]);
        wait_for_prompt(&rig, "work");
        // Its first life may have ended with it: there was no other end to come.
        let _ = std::fs::remove_file(rig.path("home/bye"));
        enter(&rig, "work", "exit");
        rig.wait_until(&format!("the last word of {shell}: {line}"), || {
            rig.path("home/bye").exists()
        });
    }
}
