//! Idle capture: shells whose server and keeper died come back with what they were when they were last quiet at their prompt.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    ask, begin, enter, hibernate, is_asleep, rig_with, shell_of, wait_for_prompt, wait_for_text,
};

/// A world in which shells are captured as soon as possible.
fn world(shell: &str) -> Option<Rig> {
    let rig = rig_with(shell)?;
    let config = rig.read("config/shellkeep/shellkeep.conf");
    let config = format!("{config}set -g capture-after 1s\n");
    rig.write("config/shellkeep/shellkeep.conf", &config);
    Some(rig)
}

/// A number that is told when the state of a pane's shell was last kept.
fn captured(rig: &Rig, name: &str) -> u64 {
    ask(rig, name, "#{pane_captured}").parse().unwrap_or(0)
}

/// Runs a line, and waits until what the shell is after it is kept.
fn run_and_capture(rig: &Rig, name: &str, line: &str) {
    let before = captured(rig, name);
    // Two captures are at least capture-after apart, so their seconds differ.
    enter(rig, name, line);
    rig.wait_until("a capture", || captured(rig, name) > before);
}

/// Server and keeper die, and all that ran with them.
fn kill_both(rig: &Rig) {
    let (server, keeper) = (rig.server(), rig.keeper());
    // In this order: a server would start another keeper.
    server.signal(Signal::SIGKILL);
    keeper.signal(Signal::SIGKILL);
    server.wait_gone();
    keeper.wait_gone();
}

/// What sets all kinds of things, and what shows them.
fn setting(shell: &str) -> (&'static str, &'static str) {
    if shell == "fish" {
        (
            "cd proj; set -g myvar hello; set -gx EXP out; function greet; echo hi-there; end",
            "greet; echo $myvar $EXP; basename $PWD; sh -c 'echo sub $EXP'",
        )
    } else {
        (
            "cd proj; myvar=hello; export EXP=out; greet() { echo hi-there; }",
            "greet; echo $myvar $EXP; basename $PWD; sh -c 'echo sub $EXP'",
        )
    }
}

fn comes_back_after_a_crash(shell: &str) {
    let Some(rig) = world(shell) else {
        return;
    };
    begin(&rig, "work");
    let old = shell_of(&rig, "work");
    let (set, show) = setting(shell);
    run_and_capture(&rig, "work", set);
    assert_eq!(shell_of(&rig, "work").pid, old.pid, "{shell} was ended");
    // A line that is being typed is left alone, and seen by whoever comes back.
    rig.ok(&["send-keys", "-t", "work", "-l", "echo unfinished"]);
    wait_for_text(&rig, "work", "$ echo unfinished");
    kill_both(&rig);
    old.wait_gone();
    assert!(is_asleep(&rig, "work"));
    let said = rig.ok(&["restore", "-t", "work"]);
    assert!(said.contains(", as of "), "{said}");
    assert!(!said.contains("did not return"), "{said}");
    wait_for_prompt(&rig, "work");
    let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "work"]);
    assert!(text.contains("$ echo unfinished\n"), "{text}");
    assert!(
        text.contains("[shellkeep: the shell ended with the server; it is as it was at "),
        "{text}"
    );
    enter(&rig, "work", show);
    wait_for_text(&rig, "work", "\nhi-there\nhello out\nproj\nsub out\n");
    // Its own history: the last line before the question above it, the first one of all before that.
    rig.ok(&["send-keys", "-t", "work", "Up", "Up"]);
    wait_for_text(&rig, "work", &format!("$ {}", &set[..20]));
}

#[test]
fn bash_comes_back_after_a_crash_of_both() {
    comes_back_after_a_crash("bash");
}

#[test]
fn zsh_comes_back_after_a_crash_of_both() {
    comes_back_after_a_crash("zsh");
}

#[test]
fn fish_comes_back_after_a_crash_of_both() {
    comes_back_after_a_crash("fish");
}

#[test]
fn live_shell_goes_on_after_a_crash_of_the_server_whatever_is_kept() {
    for shell in ["bash", "zsh", "fish"] {
        let Some(rig) = world(shell) else {
            continue;
        };
        let set = if shell == "fish" { "set -g n " } else { "n=" };
        begin(&rig, "work");
        run_and_capture(&rig, "work", &format!("{set}old"));
        enter(&rig, "work", &format!("{set}new"));
        let old = shell_of(&rig, "work");
        rig.server().kill_9();
        assert!(!is_asleep(&rig, "work"), "{shell}");
        assert_eq!(shell_of(&rig, "work").pid, old.pid, "{shell}");
        enter(&rig, "work", "echo still $n");
        wait_for_text(&rig, "work", "\nstill new\n");
        // The next server captures what ran while the one before died.
        rig.wait_until("a capture", || captured(&rig, "work") > 0);
        hibernate(&rig, "work");
        rig.ok(&["restore", "-t", "work"]);
        enter(&rig, "work", "echo again $n");
        wait_for_text(&rig, "work", "\nagain new\n");
    }
}

#[test]
fn newest_state_and_directory_count_and_a_new_shell_begins_anew() {
    let Some(rig) = world("bash") else {
        return;
    };
    begin(&rig, "work");
    run_and_capture(&rig, "work", "n=1");
    run_and_capture(&rig, "work", "n=2");
    kill_both(&rig);
    enter(&rig, "work", "echo have $n");
    wait_for_text(&rig, "work", "\nhave 2\n");
    // Another shell in the same pane is not to come back as the one before.
    rig.ok(&["respawn-pane", "-k", "-t", "work"]);
    wait_for_prompt(&rig, "work");
    kill_both(&rig);
    rig.ok(&["restore", "-t", "work"]);
    enter(&rig, "work", "echo have [$n]");
    wait_for_text(&rig, "work", "\nhave []\n");
}

#[test]
fn program_that_ran_comes_back_in_the_captured_shell() {
    let Some(rig) = world("bash") else {
        return;
    };
    begin(&rig, "work");
    rig.write("home/proj/notes", "to be read\n");
    run_and_capture(&rig, "work", "mine=kept");
    enter(&rig, "work", "cd proj");
    wait_for_text(&rig, "work", "cd proj\n$");
    enter(&rig, "work", "less notes");
    wait_for_text(&rig, "work", "to be read\n");
    rig.wait_until("a note of the program", || {
        let sessions = std::fs::read_dir(rig.path("state/shellkeep/sessions")).unwrap();
        let mut texts = sessions.map(|entry| {
            let file = entry.unwrap().path().join("session.json");
            std::fs::read_to_string(file).unwrap_or_default()
        });
        texts.any(|text| text.contains("\"notes\""))
    });
    kill_both(&rig);
    rig.ok(&["restore", "-t", "work"]);
    wait_for_text(&rig, "work", "to be read\n");
    rig.ok(&["send-keys", "-t", "work", "q"]);
    wait_for_text(&rig, "work", "less notes\n$");
    enter(&rig, "work", "echo $mine in $(basename $PWD)");
    wait_for_text(&rig, "work", "\nkept in proj\n");
}

fn both_die_in_every_step(shell: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(rig) = world(shell) else {
        return;
    };
    let set = if shell == "fish" { "set -g n " } else { "n=" };
    begin(&rig, "work");
    for step in ["capture-asked", "capture-told", "capture-written"] {
        run_and_capture(&rig, "work", &format!("{set}before-{step}"));
        rig.write("run/shellkeep/default.stop-at", step);
        let (server, keeper) = (rig.server(), rig.keeper());
        enter(&rig, "work", &format!("{set}after-{step}"));
        rig.wait_until(&format!("a server that stops at {step}"), || {
            server.is_stopped()
        });
        keeper.signal(Signal::SIGKILL);
        server.signal(Signal::SIGKILL);
        server.wait_gone();
        keeper.wait_gone();
        rig.ok(&["restore", "-t", "work"]);
        enter(&rig, "work", "echo then $n");
        let when = if step == "capture-written" {
            "after"
        } else {
            "before"
        };
        wait_for_text(&rig, "work", &format!("\nthen {when}-{step}\n"));
    }
}

#[test]
fn both_killed_in_every_step_leave_bash_as_it_was_before_or_after() {
    both_die_in_every_step("bash");
}

#[test]
fn both_killed_in_every_step_leave_zsh_as_it_was_before_or_after() {
    both_die_in_every_step("zsh");
}

#[test]
fn both_killed_in_every_step_leave_fish_as_it_was_before_or_after() {
    both_die_in_every_step("fish");
}

#[test]
fn shell_with_a_job_is_not_captured_before_the_next_quiet_prompt() {
    let Some(rig) = world("bash") else {
        return;
    };
    begin(&rig, "work");
    enter(&rig, "work", "sleep 1000 & echo n$((1+1)); n=1");
    wait_for_text(&rig, "work", "\nn2\n");
    begin(&rig, "other");
    run_and_capture(&rig, "other", "n=2");
    // The other one was quiet later, and is captured already.
    assert_eq!(captured(&rig, "work"), 0);
    enter(&rig, "work", "kill %1; wait");
    rig.wait_until("a capture", || captured(&rig, "work") > 0);
}

#[test]
fn nothing_is_captured_if_that_is_switched_off_or_nothing_ran() {
    let Some(rig) = world("bash") else {
        return;
    };
    begin(&rig, "idle");
    begin(&rig, "off");
    rig.ok(&["set", "-t", "off", "capture-after", "0"]);
    enter(&rig, "off", "n=1; echo se''t");
    wait_for_text(&rig, "off", "\nset\n");
    begin(&rig, "work");
    run_and_capture(&rig, "work", "n=1");
    run_and_capture(&rig, "work", "n=2");
    assert_eq!(captured(&rig, "idle"), 0);
    assert_eq!(captured(&rig, "off"), 0);
}

#[test]
fn keys_go_to_a_shell_that_is_asked() {
    for shell in ["bash", "zsh", "fish"] {
        let Some(rig) = world(shell) else {
            continue;
        };
        if !cfg!(debug_assertions) {
            continue;
        }
        begin(&rig, "work");
        rig.write("run/shellkeep/default.stop-at", "capture-asked");
        let server = rig.server();
        enter(&rig, "work", "echo one");
        rig.wait_until("a server that stops", || server.is_stopped());
        // The first thing that the server hears of when it goes on, before the answer.
        let keys = ["send-keys", "-t", "work", "echo two", "Enter"];
        let mut typing = crate::hibernate::spawn(&rig, &keys);
        server.signal(Signal::SIGCONT);
        typing.wait().unwrap();
        wait_for_text(&rig, "work", "\ntwo\n");
        rig.wait_until("a capture", || captured(&rig, "work") > 0);
        let text = rig.ok(&["capture-pane", "-p", "-t", "work"]);
        assert_eq!(text.matches("\ntwo\n").count(), 1, "{shell}: {text}");
    }
}
