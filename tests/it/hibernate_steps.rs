//! The server dies in every step of putting a pane to sleep and of waking it, alone or with the keeper: the pane runs on as if
//! nobody had asked it, or comes back with its state.

use std::time::Duration;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Rig, nothing_happens_for};

use crate::hibernate::{
    SHELLS, ask, assert_shown_once, assignment, begin, clear, enter, hibernate, is_asleep,
    killed_at, picture, rig_with_config, set_all, shell_of, sleep_and_wake, spawn, stopped_server,
    wait_for_picture, wait_for_prompt, wait_for_text, with_each_shell,
};
use crate::keeping::kill_both;

/// In their order: the shell was asked, has told its state, its screen is written, and read back, all is on disk, the keeper
/// knows, the shell has ended.
const STEPS: [&str; 7] = [
    "asked",
    "captured",
    "written",
    "read-back",
    "noted",
    "told",
    "ended",
];

/// Those behind which nobody but the disk knows of the shell's state.
const IS_NOTED: [&str; 3] = ["noted", "told", "ended"];

/// Sets a variable to something that was never there before.
fn set(rig: &Rig, shell: &str, value: &str) {
    let set = assignment(shell, "n", value);
    enter(rig, "work", &format!("{set}; echo se''t {value}"));
    wait_for_text(rig, "work", &format!("\nset {value}\n$"));
    wait_for_prompt(rig, "work");
}

/// The shell has what was set, and says so behind this.
fn assert_is_set(rig: &Rig, value: &str, when: &str) {
    enter(rig, "work", &format!("echo still $n {when}"));
    wait_for_text(rig, "work", &format!("\nstill {value} {when}\n"));
}

#[test]
fn server_killed_in_every_step_leaves_a_shell_running_or_asleep() {
    if !cfg!(debug_assertions) {
        return;
    }
    with_each_shell(&SHELLS, |rig, shell| {
        begin(rig, "work");
        for step in STEPS {
            set(rig, shell, step);
            let old = shell_of(rig, "work").pid;
            killed_at(rig, step, &["hibernate", "-t", "work"]);
            let is_asleep = is_asleep(rig, "work");
            assert_eq!(is_asleep, step == "ended", "{shell} at {step}");
            if !is_asleep {
                assert_eq!(shell_of(rig, "work").pid, old, "{shell} at {step}");
            }
            assert_is_set(rig, step, &format!("at {step}"));
        }
        wait_for_prompt(rig, "work");
        // A shell that came back outlives the server as any other.
        sleep_and_wake(rig, "work");
        let pid = shell_of(rig, "work").pid;
        rig.server().kill_9();
        assert!(!is_asleep(rig, "work"));
        assert_eq!(shell_of(rig, "work").pid, pid);
        hibernate(rig, "work");
    });
}

/// Numbers that are the same in every run.
fn moments(count: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32)
}

#[test]
fn server_killed_at_any_moment_leaves_a_shell_running_or_restorable() {
    with_each_shell(&SHELLS, |rig, shell| {
        begin(rig, "work");
        for (round, moment) in moments(20).enumerate() {
            set(rig, shell, &round.to_string());
            let old = shell_of(rig, "work").pid;
            let mut child = spawn(rig, &["hibernate", "-t", "work"]);
            // Somewhere on the way to sleep, which takes some twenty milliseconds, or just behind it.
            nothing_happens_for(Duration::from_millis(moment % 60));
            // The client first: it would ask the next server again.
            let server = rig.server();
            let _ = child.kill();
            server.kill_9();
            child.wait().unwrap();
            if !is_asleep(rig, "work") {
                assert_eq!(shell_of(rig, "work").pid, old, "{shell} {round}");
            }
            assert_is_set(rig, &round.to_string(), &round.to_string());
        }
    });
}

#[test]
fn both_killed_in_every_step_leave_a_pane_that_says_what_it_lost_or_has_its_state() {
    if !cfg!(debug_assertions) {
        return;
    }
    // Only what hibernation leaves behind is looked at here.
    let Some(rig) = rig_with_config("bash", "set -g capture-after 0\n") else {
        return;
    };
    begin(&rig, "work");
    for step in STEPS {
        set(&rig, "bash", step);
        let (server, mut child) = stopped_server(&rig, step, &["hibernate", "-t", "work"]);
        let _ = child.kill();
        let keeper = rig.keeper();
        keeper.signal(Signal::SIGKILL);
        server.signal(Signal::SIGKILL);
        server.wait_gone();
        keeper.wait_gone();
        child.wait().unwrap();
        assert!(is_asleep(&rig, "work"), "at {step}");
        wait_for_text(&rig, "work", &format!("\nset {step}\n$"));
        rig.ok(&["restore", "-t", "work"]);
        enter(&rig, "work", &format!("echo then $n at {step}"));
        // Read back, the state is where a capture would have put it.
        let is_captured = step == "read-back";
        let value = if IS_NOTED.contains(&step) || is_captured {
            step
        } else {
            ""
        };
        let shown = format!("\nthen {value} at {step}\n").replace("  ", " ");
        wait_for_text(&rig, "work", &shown);
        let is_said = rig
            .ok(&["capture-pane", "-p", "-t", "work", "-S", "-"])
            .contains("ended with the server");
        assert_eq!(is_said, value.is_empty() || is_captured, "at {step}");
        clear(&rig, "work");
        // What is cleared goes into the history, so that comes last.
        rig.ok(&["clear-history", "-t", "work"]);
    }
}

#[test]
fn both_killed_while_a_pane_sleeps_leave_it_restorable_every_time() {
    with_each_shell(&SHELLS, |rig, shell| {
        begin(rig, "work");
        set_all(rig, "work", shell);
        rig.ok(&["send-keys", "-t", "work", "-l", "echo half"]);
        wait_for_text(rig, "work", "\n$ echo half\n");
        let before = picture(rig, "work");
        hibernate(rig, "work");
        kill_both(rig);
        assert!(rig.ok(&["ls"]).contains("(hibernated)"));
        assert_eq!(picture(rig, "work"), before, "{shell}");
        rig.ok(&["restore", "-t", "work"]);
        wait_for_picture(rig, "work", &before);
        enter(rig, "work", "; greet; echo $myvar");
        wait_for_text(rig, "work", "\nhalf\nhi-there\nhello\n");
        if shell != "bash" {
            return;
        }
        // However soon after the answer, and without being asked for it.
        wait_for_prompt(rig, "work");
        for round in 0..8 {
            set(rig, shell, &round.to_string());
            hibernate(rig, "work");
            kill_both(rig);
            enter(rig, "work", &format!("echo still $n {round}"));
            wait_for_text(rig, "work", &format!("\nstill {round} {round}\n$"));
        }
    });
}

/// Has a pane woken by keys, and what they run shown once, although a process dies when the server stops at this step.
fn keys_come_once(rig: &Rig, shell: &str, step: &str, dies: impl Fn(&[&str])) {
    set(rig, shell, step);
    hibernate(rig, "work");
    let line = format!("echo ahead $n at {step}");
    dies(&["send-keys", "-t", "work", &line, "Enter"]);
    wait_for_text(rig, "work", &format!("\nahead {step} at {step}\n$"));
    wait_for_prompt(rig, "work");
    assert_shown_once(rig, "work", &format!("ahead {step} at {step}"));
}

/// The keeper dies while keys are delivered that were typed ahead.
fn keeper_dies_while_keys_are_delivered(rig: &Rig) {
    for step in ["delivering", "delivered"] {
        keys_come_once(rig, "bash", step, |keys| {
            let (server, mut child) = stopped_server(rig, step, keys);
            rig.keeper().kill_9();
            server.signal(Signal::SIGCONT);
            child.wait().unwrap();
        });
        // The new keeper has all that is left of it, which is nothing: the next server types nothing again.
        rig.server().kill_9();
        wait_for_prompt(rig, "work");
        assert_shown_once(rig, "work", &format!("ahead {step} at {step}"));
        clear(rig, "work");
    }
}

/// The server dies before the prompt of a pane with a half-typed line.
fn half_typed_line_outlives_the_server(rig: &Rig, shell: &str) {
    begin(rig, "typed");
    enter(rig, "typed", "echo above");
    wait_for_text(rig, "typed", "\nabove\n$");
    rig.ok(&["send-keys", "-t", "typed", "-l", "echo half typed"]);
    rig.ok(&["send-keys", "-t", "typed", "Left", "Left"]);
    rig.wait_until("the cursor in the line", || {
        ask(rig, "typed", "#{cursor_x}") == "15"
    });
    let before = picture(rig, "typed");
    for step in ["tidied", "woken"] {
        hibernate(rig, "typed");
        killed_at(rig, step, &["restore", "-t", "typed"]);
        assert!(is_asleep(rig, "typed"), "{shell} at {step}");
        rig.ok(&["restore", "-t", "typed"]);
        wait_for_picture(rig, "typed", &before);
    }
    rig.enter("typed", "X");
    wait_for_text(rig, "typed", "\nhalf typXed\n");
}

#[test]
fn keys_and_half_typed_lines_outlive_a_process_that_dies_in_a_revival() {
    if !cfg!(debug_assertions) {
        return;
    }
    with_each_shell(&SHELLS, |rig, shell| {
        half_typed_line_outlives_the_server(rig, shell);
        begin(rig, "work");
        if shell == "bash" {
            keeper_dies_while_keys_are_delivered(rig);
        }
        for step in ["woken", "prompted", "delivering", "delivered"] {
            keys_come_once(rig, shell, step, |keys| killed_at(rig, step, keys));
        }
    });
}
