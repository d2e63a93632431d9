//! Orderly ends: idle shells come back with their state, and every pane where it was last, however shortly before.

use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
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
fn shell_that_is_gone_is_not_waited_for() {
    let Some(rig) = world("fish") else {
        return;
    };
    for _ in 0..3 {
        begin(&rig, "work");
        // Something has run in it, so it would be asked; and an end that waits for it does not come.
        rig.ok(&["set", "-s", "end-budget", "1h"]);
        set(&rig, "fish", "work");
        let (server, keeper, own) = (rig.server(), rig.keeper(), shell_of(&rig, "work"));
        for process in [&own, &server, &keeper] {
            process.signal(Signal::SIGTERM);
        }
        server.wait_gone();
        rig.wait_until("the end of every process", || rig.processes().is_empty());
        assert!(is_asleep(&rig, "work"));
        rig.ok(&["kill-session", "-t", "work"]);
    }
    let log = rig.log();
    assert!(!log.contains("it did not answer"), "{log}");
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

/// Ends a shell that has just been set, and has its session again.
fn exit_and_reopen(rig: &Rig, shell: &str, how: &str) {
    begin(rig, "other");
    begin(rig, "work");
    set(rig, shell, "work");
    match how {
        "C-d" => drop(rig.ok(&["send-keys", "-t", "work", "C-d"])),
        line => enter(rig, "work", line),
    }
    rig.wait_until(&format!("the end of {shell} by {how}"), || {
        rig.run(&["has-session", "-t", "work"]).status != 0
    });
    rig.wait_until("an archived session", || {
        rig.run(&["reopen", "work"]).status == 0
    });
    rig.ok(&["restore", "-t", "work"]);
}

#[test]
fn shell_that_exits_comes_back_as_it_was_then() {
    for shell in SHELLS {
        for how in ["exit", "C-d", "exit 3"] {
            let Some(rig) = world(shell) else {
                continue;
            };
            exit_and_reopen(&rig, shell, how);
            assert_is_back(&rig, shell, "work");
        }
    }
}

#[test]
fn private_shell_tells_nothing_when_it_exits() {
    let Some(rig) = world("bash") else {
        return;
    };
    rig.ok(&["new", "-d", "--private", "-s", "hidden"]);
    begin(&rig, "work");
    wait_for_prompt(&rig, "hidden");
    let wanted = |pane: u32| rig.path(&format!("run/shellkeep/default.shells/{pane}/exit"));
    assert!(!wanted(0).exists() && wanted(1).exists());
}

#[test]
fn revived_shell_that_exits_comes_back_as_it_was_then() {
    for shell in SHELLS {
        let Some(rig) = world(shell) else {
            continue;
        };
        exit_and_reopen(&rig, shell, "exit");
        wait_for_prompt(&rig, "work");
        let line = match shell {
            "fish" => "set -g mine newer; cd ..; exit",
            _ => "mine=newer; cd ..; exit",
        };
        enter(&rig, "work", line);
        rig.wait_until("the end of a session", || {
            rig.run(&["has-session", "-t", "work"]).status != 0
        });
        rig.wait_until("an archived session", || {
            rig.run(&["reopen", "work"]).status == 0
        });
        rig.ok(&["restore", "-t", "work"]);
        wait_for_prompt(&rig, "work");
        enter(&rig, "work", "echo have $mine; basename $PWD");
        rig.wait_for_pane(&format!("{shell} as it was"), "work", |text| {
            text.contains("\nhave newer\nhome\n")
        });
    }
}

/// Has a fish empty the file in which it tells what it does and wait, before it says that it is at its prompt; that a command runs, it does not
/// say at all. That is what the server sees if a busy machine stops the fish there.
const SLOW_OF_SPEECH: &str = "functions -c __shellkeep_say say; function __shellkeep_say; \
    echo -n >$__shellkeep_dir/phase; \
    if string match -q 'prompt*' $argv[1]; read -l x <~/gate; say $argv; end; end";

#[test]
fn shell_that_is_about_to_tell_what_it_does_is_waited_for() {
    let Some(rig) = world("fish") else {
        return;
    };
    let gate = rig.path("home/gate");
    mkfifo(&gate, Mode::S_IRWXU).unwrap();
    let open_gate = || std::fs::write(&gate, "x\n").unwrap();
    begin(&rig, "work");
    // The state is kept as it is by then.
    rig.ok(&["set", "-g", "capture-after", "1s"]);
    enter(&rig, "work", SLOW_OF_SPEECH);
    open_gate();
    rig.wait_until("a capture", || {
        !ask(&rig, "work", "#{pane_captured}").is_empty()
    });
    rig.ok(&["set", "-g", "capture-after", "1h"]);
    enter(&rig, "work", "set -g mine kept; cd proj; echo se''t");
    wait_for_text(&rig, "work", "\nset\n");
    let server = rig.server();
    std::thread::scope(|scope| {
        let end = scope.spawn(|| rig.ok(&["kill-server", "--keep"]));
        // It is about the end by the time that it has answered some commands more.
        for _ in 0..5 {
            let _ = rig.run(&["display", "-p", "still there"]);
        }
        open_gate();
        assert_eq!(end.join().unwrap(), "");
    });
    server.wait_gone();
    std::fs::remove_file(&gate).unwrap();
    rig.ok(&["restore", "-t", "work"]);
    wait_for_prompt(&rig, "work");
    enter(&rig, "work", "echo have $mine");
    wait_for_text(&rig, "work", "\nhave kept\n");
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
