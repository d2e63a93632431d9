//! Idle capture: shells whose server and keeper died come back with what they were when they were last quiet at their prompt.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    SHELLS, ask, assert_shown_once, assignment, begin, enter, is_asleep, rig_with_config, shell_of,
    sleep_and_wake, spawn, wait_for_prompt, wait_for_text, with_each_configured_shell,
};
use crate::keeping::kill_both;
use crate::resume::wait_for_note;

/// Shells are captured as soon as possible.
const SOON: &str = "set -g capture-after 1s\n";

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

#[test]
fn shell_comes_back_after_a_crash_of_both() {
    with_each_configured_shell(&SHELLS, SOON, |rig, shell| {
        begin(rig, "work");
        let old = shell_of(rig, "work");
        let (set, show) = setting(shell);
        run_and_capture(rig, "work", set);
        assert_eq!(shell_of(rig, "work").pid, old.pid, "{shell} was ended");
        // A line that is being typed is left alone, and seen by whoever comes back.
        rig.ok(&["send-keys", "-t", "work", "-l", "echo unfinished"]);
        wait_for_text(rig, "work", "$ echo unfinished");
        kill_both(rig);
        old.wait_gone();
        assert!(is_asleep(rig, "work"));
        let said = rig.ok(&["restore", "-t", "work"]);
        assert!(said.contains(", as of "), "{said}");
        assert!(!said.contains("did not return"), "{said}");
        wait_for_prompt(rig, "work");
        let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "work"]);
        assert!(text.contains("$ echo unfinished\n"), "{text}");
        assert!(
            text.contains("[shellkeep: the shell ended with the server; it is as it was at "),
            "{text}"
        );
        enter(rig, "work", show);
        wait_for_text(rig, "work", "\nhi-there\nhello out\nproj\nsub out\n");
        // Its own history: the last line before the question above it, the first one of all before that.
        rig.ok(&["send-keys", "-t", "work", "Up", "Up"]);
        wait_for_text(rig, "work", &format!("$ {}", &set[..20]));
    });
}

/// Keys that come while a shell is asked, in which nothing has run before, go to it.
fn keys_go_to_a_shell_that_is_asked(rig: &Rig) {
    rig.write("run/shellkeep/default.stop-at", "capture-asked");
    let server = rig.server();
    enter(rig, "work", "echo one");
    rig.wait_until("a server that stops", || server.is_stopped());
    // The first thing that the server hears of when it goes on, before the answer.
    let keys = ["send-keys", "-t", "work", "echo two", "Enter"];
    let mut typing = spawn(rig, &keys);
    server.signal(Signal::SIGCONT);
    typing.wait().unwrap();
    wait_for_text(rig, "work", "\ntwo\n");
    rig.wait_until("a capture", || captured(rig, "work") > 0);
    assert_shown_once(rig, "work", "two");
}

#[test]
fn live_shell_is_asked_for_its_state_and_goes_on_whatever_is_kept_and_dies() {
    with_each_configured_shell(&SHELLS, SOON, |rig, shell| {
        begin(rig, "work");
        if cfg!(debug_assertions) {
            keys_go_to_a_shell_that_is_asked(rig);
        }
        run_and_capture(rig, "work", &assignment(shell, "n", "old"));
        enter(rig, "work", &assignment(shell, "n", "new"));
        let old = shell_of(rig, "work");
        rig.server().kill_9();
        assert!(!is_asleep(rig, "work"), "{shell}");
        assert_eq!(shell_of(rig, "work").pid, old.pid, "{shell}");
        enter(rig, "work", "echo still $n");
        wait_for_text(rig, "work", "\nstill new\n");
        // The next server captures what ran while the one before died.
        rig.wait_until("a capture", || captured(rig, "work") > 0);
        sleep_and_wake(rig, "work");
        enter(rig, "work", "echo again $n");
        wait_for_text(rig, "work", "\nagain new\n");
    });
}

/// Sessions that are not captured: nothing ran, something runs, or it is not wanted.
const NOT_CAPTURED: [&str; 3] = ["idle", "job", "off"];

fn begin_what_is_not_captured(rig: &Rig) {
    for name in NOT_CAPTURED {
        begin(rig, name);
    }
    rig.ok(&["set", "-t", "off", "capture-after", "0"]);
    enter(rig, "off", "n=1; echo se''t");
    wait_for_text(rig, "off", "\nset\n");
    enter(rig, "job", "sleep 1000 & echo n$((1+1)); n=1");
    wait_for_text(rig, "job", "\nn2\n");
}

/// Another was quiet later than these, and is captured already.
fn assert_is_not_captured(rig: &Rig) {
    for name in NOT_CAPTURED {
        assert_eq!(captured(rig, name), 0, "{name}");
    }
    enter(rig, "job", "kill %1; wait");
    rig.wait_until("a capture", || captured(rig, "job") > 0);
}

#[test]
fn quiet_shells_are_captured_and_the_newest_state_counts_until_a_new_shell_begins() {
    let Some(rig) = rig_with_config("bash", SOON) else {
        return;
    };
    begin_what_is_not_captured(&rig);
    begin(&rig, "work");
    begin(&rig, "reads");
    rig.write("home/proj/notes", "to be read\n");
    run_and_capture(&rig, "reads", "mine=kept");
    enter(&rig, "reads", "cd proj");
    wait_for_text(&rig, "reads", "cd proj\n$");
    enter(&rig, "reads", "less notes");
    wait_for_text(&rig, "reads", "to be read\n");
    run_and_capture(&rig, "work", "n=1");
    run_and_capture(&rig, "work", "n=2");
    assert_is_not_captured(&rig);
    wait_for_note(&rig, "\"notes\"");
    kill_both(&rig);
    enter(&rig, "work", "echo have $n");
    wait_for_text(&rig, "work", "\nhave 2\n");
    rig.ok(&["restore", "-t", "reads"]);
    wait_for_text(&rig, "reads", "to be read\n");
    rig.ok(&["send-keys", "-t", "reads", "q"]);
    wait_for_text(&rig, "reads", "less notes\n$");
    enter(&rig, "reads", "echo $mine in $(basename $PWD)");
    wait_for_text(&rig, "reads", "\nkept in proj\n");
    // Another shell in the same pane is not to come back as the one before.
    rig.ok(&["respawn-pane", "-k", "-t", "work"]);
    wait_for_prompt(&rig, "work");
    kill_both(&rig);
    rig.ok(&["restore", "-t", "work"]);
    enter(&rig, "work", "echo have [$n]");
    wait_for_text(&rig, "work", "\nhave []\n");
}

#[test]
fn both_killed_in_every_step_leave_a_shell_as_it_was_before_or_after() {
    if !cfg!(debug_assertions) {
        return;
    }
    with_each_configured_shell(&SHELLS, SOON, |rig, shell| {
        begin(rig, "work");
        for step in ["capture-asked", "capture-told", "capture-written"] {
            let set = |when: &str| assignment(shell, "n", &format!("{when}-{step}"));
            run_and_capture(rig, "work", &set("before"));
            rig.write("run/shellkeep/default.stop-at", step);
            let (server, keeper) = (rig.server(), rig.keeper());
            enter(rig, "work", &set("after"));
            rig.wait_until(&format!("a server that stops at {step}"), || {
                server.is_stopped()
            });
            keeper.signal(Signal::SIGKILL);
            server.signal(Signal::SIGKILL);
            server.wait_gone();
            keeper.wait_gone();
            rig.ok(&["restore", "-t", "work"]);
            enter(rig, "work", "echo then $n");
            let when = if step == "capture-written" {
                "after"
            } else {
                "before"
            };
            wait_for_text(rig, "work", &format!("\nthen {when}-{step}\n"));
        }
    });
}
