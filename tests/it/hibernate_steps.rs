//! The server dies in every step of putting a pane to sleep, alone or with the keeper: the pane runs on as if nobody had asked
//! it, or comes back with its state.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    begin, enter, hibernate, is_asleep, killed_at, rig_with, shell_of, spawn, stopped_server,
    wait_for_prompt, wait_for_text,
};

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
    let set = if shell == "fish" { "set -g n " } else { "n=" };
    enter(rig, "work", &format!("{set}{value}; echo se''t {value}"));
    wait_for_text(rig, "work", &format!("\nset {value}\n$"));
    wait_for_prompt(rig, "work");
}

fn server_dies_in_every_step(shell: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(rig) = rig_with(shell) else {
        return;
    };
    begin(&rig, "work");
    for step in STEPS {
        set(&rig, shell, step);
        let old = shell_of(&rig, "work").pid;
        let (server, mut child) = stopped_server(&rig, step, &["hibernate", "-t", "work"]);
        // The client first: it would ask the next server again.
        let _ = child.kill();
        server.kill_9();
        child.wait().unwrap();
        let is_asleep = is_asleep(&rig, "work");
        assert_eq!(is_asleep, step == "ended", "{shell} at {step}");
        if !is_asleep {
            assert_eq!(shell_of(&rig, "work").pid, old, "{shell} at {step}");
        }
        enter(&rig, "work", &format!("echo still $n at {step}"));
        wait_for_text(&rig, "work", &format!("\nstill {step} at {step}\n"));
    }
    wait_for_prompt(&rig, "work");
    hibernate(&rig, "work");
}

#[test]
fn server_killed_in_every_step_leaves_bash_running_or_asleep() {
    server_dies_in_every_step("bash");
}

#[test]
fn server_killed_in_every_step_leaves_zsh_running_or_asleep() {
    server_dies_in_every_step("zsh");
}

#[test]
fn server_killed_in_every_step_leaves_fish_running_or_asleep() {
    server_dies_in_every_step("fish");
}

#[test]
fn both_killed_in_every_step_leave_a_pane_that_says_what_it_lost_or_has_its_state() {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(rig) = rig_with("bash") else {
        return;
    };
    // Only what hibernation leaves behind is looked at here.
    let config = rig.read("config/shellkeep/shellkeep.conf") + "set -g capture-after 0\n";
    rig.write("config/shellkeep/shellkeep.conf", &config);
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
        rig.ok(&["send-keys", "-t", "work", "C-l"]);
        // What is cleared goes into the history, so that comes last.
        rig.wait_for_pane("a clear screen", "work", |text| text.trim() == "$");
        rig.ok(&["clear-history", "-t", "work"]);
    }
}

#[test]
fn both_killed_after_the_answer_leave_the_state_every_time() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    for round in 0..8 {
        set(&rig, "bash", &round.to_string());
        hibernate(&rig, "work");
        let (server, keeper) = (rig.server(), rig.keeper());
        // In this order: it would start another keeper.
        server.signal(Signal::SIGKILL);
        keeper.signal(Signal::SIGKILL);
        server.wait_gone();
        keeper.wait_gone();
        enter(&rig, "work", &format!("echo still $n {round}"));
        wait_for_text(&rig, "work", &format!("\nstill {round} {round}\n$"));
    }
}

#[test]
fn input_during_a_sleep_that_is_called_off_goes_to_the_old_shell() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    let shell = shell_of(&rig, "work");
    // It cannot answer, and loses nothing of what is typed.
    shell.signal(Signal::SIGSTOP);
    let mut child = spawn(&rig, &["hibernate", "-t", "work"]);
    rig.wait_until("a question", || {
        !rig.read("run/shellkeep/default.shells/0/request")
            .is_empty()
    });
    enter(&rig, "work", "echo still $$");
    child.wait().unwrap();
    assert!(!is_asleep(&rig, "work"));
    shell.signal(Signal::SIGCONT);
    wait_for_text(&rig, "work", &format!("\nstill {}\n$", shell.pid));
}

#[test]
fn input_during_a_sleep_that_comes_about_goes_to_the_new_shell() {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    for step in ["captured", "written", "read-back", "noted"] {
        set(&rig, "bash", step);
        let old = shell_of(&rig, "work");
        let (server, mut child) = stopped_server(&rig, step, &["hibernate", "-t", "work"]);
        // These wait for the server, and are the first thing that it hears of when it goes on.
        let keys = ["send-keys", "-t", "work", "echo new $n", "Enter"];
        let mut typing = spawn(&rig, &keys);
        server.signal(Signal::SIGCONT);
        child.wait().unwrap();
        typing.wait().unwrap();
        wait_for_text(&rig, "work", &format!("\nnew {step}\n$"));
        let text = rig.ok(&["capture-pane", "-p", "-t", "work"]);
        assert_eq!(
            text.matches(&format!("\nnew {step}\n")).count(),
            1,
            "{text}"
        );
        old.wait_gone();
    }
}

#[test]
fn keys_typed_ahead_come_once_if_the_keeper_dies_while_they_are_delivered() {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    for step in ["delivering", "delivered"] {
        set(&rig, "bash", step);
        hibernate(&rig, "work");
        let line = format!("echo ahead $n at {step}");
        let keys = ["send-keys", "-t", "work", &line, "Enter"];
        let (server, mut child) = stopped_server(&rig, step, &keys);
        rig.keeper().kill_9();
        server.signal(Signal::SIGCONT);
        child.wait().unwrap();
        // The new keeper has all that is left of it, which is nothing: the next server types nothing again.
        wait_for_text(&rig, "work", &format!("\nahead {step} at {step}\n$"));
        wait_for_prompt(&rig, "work");
        server.kill_9();
        wait_for_prompt(&rig, "work");
        let text = rig.ok(&["capture-pane", "-p", "-t", "work"]);
        let shown = format!("\nahead {step} at {step}\n");
        assert_eq!(text.matches(&shown).count(), 1, "{text}");
    }
}

/// Has a pane woken by keys, and the server die when it stops at this step.
fn dies_while_waking(rig: &Rig, step: &str, line: &str) {
    hibernate(rig, "work");
    killed_at(rig, step, &["send-keys", "-t", "work", line, "Enter"]);
}

#[test]
fn keys_typed_ahead_outlive_a_server_that_dies_in_a_revival() {
    if !cfg!(debug_assertions) {
        return;
    }
    for shell in ["bash", "zsh", "fish"] {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        for step in ["woken", "prompted", "delivering", "delivered"] {
            set(&rig, shell, step);
            dies_while_waking(&rig, step, &format!("echo ahead $n at {step}"));
            wait_for_text(&rig, "work", &format!("\nahead {step} at {step}\n$"));
            wait_for_prompt(&rig, "work");
            let text = rig.ok(&["capture-pane", "-p", "-t", "work"]);
            let shown = format!("\nahead {step} at {step}\n");
            assert_eq!(text.matches(&shown).count(), 1, "{shell}: {text}");
        }
    }
}
