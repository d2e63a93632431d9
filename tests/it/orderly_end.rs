//! Orderly ends: idle shells come back with their state, and every pane where it was last, however shortly before.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    ask, begin, enter, is_asleep, rig_with, shell_of, wait_for_prompt, wait_for_text,
};

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// A world in which no shell is captured before an end has it captured.
fn world(shell: &str) -> Option<Rig> {
    let rig = rig_with(shell)?;
    let config = rig.read("config/shellkeep/shellkeep.conf");
    rig.write(
        "config/shellkeep/shellkeep.conf",
        &format!("{config}set -g capture-after 1h\n"),
    );
    Some(rig)
}

/// Sets a variable and goes somewhere, right before the end.
fn set(rig: &Rig, shell: &str, name: &str) {
    let set = if shell == "fish" {
        "set -g mine"
    } else {
        "mine="
    };
    let set = format!("{set}{}kept", if shell == "fish" { " " } else { "" });
    enter(rig, name, &format!("{set}; cd proj; echo se''t"));
    wait_for_text(rig, name, "\nset\n$");
}

/// A shell has what was set, and is where it was.
fn assert_is_back(rig: &Rig, shell: &str, name: &str) {
    wait_for_prompt(rig, name);
    enter(rig, name, "echo have $mine; basename $PWD");
    rig.wait_for_pane(&format!("{shell} as it was"), name, |text| {
        text.contains("\nhave kept\nproj\n")
    });
}

#[test]
fn kill_server_that_keeps_sessions_keeps_what_their_shells_are() {
    for shell in SHELLS {
        let Some(rig) = world(shell) else {
            continue;
        };
        begin(&rig, "work");
        set(&rig, shell, "work");
        let server = rig.server();
        assert_eq!(rig.ok(&["kill-server", "--keep"]), "", "{shell}");
        server.wait_gone();
        assert!(is_asleep(&rig, "work"), "{shell}");
        rig.ok(&["restore", "-t", "work"]);
        assert_is_back(&rig, shell, "work");
    }
}

#[test]
fn sigterm_to_everything_keeps_what_shells_are() {
    for shell in SHELLS {
        let Some(rig) = world(shell) else {
            continue;
        };
        begin(&rig, "work");
        rig.ok(&["set", "-g", "capture-after", "1s"]);
        set(&rig, shell, "work");
        // A fish ends at SIGTERM like any program, and cannot be asked any more; the others ignore it.
        rig.wait_until("a capture", || {
            shell != "fish" || !ask(&rig, "work", "#{pane_captured}").is_empty()
        });
        let (server, keeper, own) = (rig.server(), rig.keeper(), shell_of(&rig, "work"));
        for process in [&own, &server, &keeper] {
            process.signal(Signal::SIGTERM);
        }
        server.wait_gone();
        // Nothing is left that the system would have to kill, a second keeper least of all.
        rig.wait_until("the end of every process", || rig.processes().is_empty());
        assert!(is_asleep(&rig, "work"), "{shell}");
        rig.ok(&["restore", "-t", "work"]);
        assert_is_back(&rig, shell, "work");
    }
}

#[test]
fn killed_session_that_is_opened_again_has_its_shell_back() {
    for shell in SHELLS {
        let Some(rig) = world(shell) else {
            continue;
        };
        begin(&rig, "other");
        begin(&rig, "work");
        set(&rig, shell, "work");
        rig.ok(&["kill-session", "-t", "work"]);
        rig.ok(&["reopen", "work"]);
        rig.ok(&["restore", "-t", "work"]);
        assert_is_back(&rig, shell, "work");
    }
}

#[test]
fn shell_that_exits_comes_back_as_it_was_last_captured() {
    let Some(rig) = world("bash") else {
        return;
    };
    begin(&rig, "other");
    rig.ok(&["set", "-g", "capture-after", "1s"]);
    begin(&rig, "work");
    set(&rig, "bash", "work");
    rig.wait_until("a capture", || {
        !ask(&rig, "work", "#{pane_captured}").is_empty()
    });
    enter(&rig, "work", "exit");
    rig.wait_until("the end of a session", || {
        rig.run(&["has-session", "-t", "work"]).status != 0
    });
    rig.wait_until("an archived session", || {
        rig.run(&["reopen", "work"]).status == 0
    });
    rig.ok(&["restore", "-t", "work"]);
    assert_is_back(&rig, "bash", "work");
}

#[test]
fn what_is_not_kept_at_the_end_is_said() {
    let Some(rig) = world("bash") else {
        return;
    };
    begin(&rig, "work");
    enter(&rig, "work", "cd proj; mine=lost; sleep 1000");
    rig.wait_until("a program", || {
        ask(&rig, "work", "#{pane_current_command}") == "sleep"
    });
    let server = rig.server();
    let said = rig.ok(&["kill-server", "--keep"]);
    assert!(
        said.contains("work:0.0: the state of its shell is not kept: "),
        "{said}"
    );
    server.wait_gone();
    assert!(rig.log().contains("not captured at the end"));
    rig.ok(&["restore", "-t", "work"]);
    let place = ask(&rig, "work", "#{pane_current_path}");
    assert!(place.ends_with("/proj"), "{place}");
}
