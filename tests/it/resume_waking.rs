//! When a pane wakes, by a key or by itself, and which of many do, in what order.

use nix::sys::signal::Signal;
use serde_json::Value;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{begin, enter, hibernate, is_asleep, wait_for_text};
use crate::resume::{attach, force, rig_with_programs, run};

/// A client that is shown frames.
fn key_wakes_and_nothing_else(rig: &Rig) {
    begin(rig, "work");
    enter(rig, "work", "kept=yes; clear; echo rea''dy");
    wait_for_text(rig, "work", "ready\n$");
    hibernate(rig, "work");
    let terminal = attach(rig, "work");
    terminal.wait_for_text("asleep: a key wakes it");
    terminal.wait_for_text("ready");
    terminal.resize(30, 100);
    rig.ok(&["display", "-p", "-t", "work", "#{pane_pid}"]);
    assert!(is_asleep(rig, "work"), "being looked at woke it");
    terminal.enter("echo $kept behind");
    terminal.wait_for_text("yes behind");
    assert!(!is_asleep(rig, "work"));
    let text = terminal.text();
    assert_eq!(text.matches("$ echo $kept behind").count(), 1, "{text}");
    assert!(!text.contains("asleep:"), "{text}");
}

/// A client that hears the pane itself sees its prompt once when it wakes.
fn native_client_sees_the_prompt_once(rig: &Rig) {
    begin(rig, "native");
    enter(rig, "native", "echo above");
    wait_for_text(rig, "native", "\nabove\n$");
    let terminal = rig.attach(&["attach", "--native", "-t", "native"], (24, 80));
    terminal.wait_for_text("above");
    terminal.type_text("echo ha");
    terminal.wait_for_text("$ echo ha");
    hibernate(rig, "native");
    terminal.type_text("lf");
    terminal.wait_for_text("$ echo half");
    let text = terminal.text();
    assert_eq!(text.matches("echo ha").count(), 1, "{text}");
    terminal.keys("Enter");
    terminal.wait_until("its output", |screen| {
        screen.rows().iter().any(|row| row.trim_end() == "half")
    });
}

#[test]
fn revive_on_key_wakes_by_a_key_and_by_nothing_else() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    rig.ok(&["start-server"]);
    rig.ok(&["set", "-g", "revive-on", "key"]);
    key_wakes_and_nothing_else(&rig);
    native_client_sees_the_prompt_once(&rig);
}

#[test]
fn pane_that_wakes_by_itself_is_not_painted_with_a_word_of_keys_first() {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "plain");
    enter(&rig, "plain", "echo he''re");
    wait_for_text(&rig, "plain", "\nhere\n$");
    run(&rig, "program", "ssh here");
    hibernate(&rig, "plain");
    force(&rig, "program");
    for name in ["plain", "program"] {
        // It stops when the first frame is painted.
        rig.write("run/shellkeep/default.stop-at", "tidied");
        let terminal = attach(&rig, name);
        let server = rig.server();
        rig.wait_until("the server to stop", || server.is_stopped());
        terminal.wait_for_text("here");
        assert!(!terminal.text().contains("asleep"), "{}", terminal.text());
        server.signal(Signal::SIGCONT);
        // The prompt, or what is typed for the user behind it.
        terminal.wait_until("the shell", |screen| {
            let prompts = screen.rows();
            prompts.iter().filter(|row| row.starts_with('$')).count() == 2
        });
    }
}

#[test]
fn visible_panes_wake_first_and_others_in_turn_as_long_as_the_budget_lasts() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let names = ["s1", "s2", "s3", "s9"];
    for name in names {
        begin(&rig, name);
    }
    rig.ok(&["set", "-g", "revive-on", "key"]);
    rig.ok(&["set", "-s", "revive-budget", "1"]);
    rig.ok(&[
        "set-hook",
        "-g",
        "pane-revived",
        "run-shell \"echo '#{session_name}' >>$HOME/told\"",
    ]);
    for name in names {
        hibernate(&rig, name);
    }
    let terminal = attach(&rig, "s9");
    terminal.wait_for_text("asleep: a key wakes it");
    let json = rig.ok(&["restore", "-a", "--json"]);
    let told: Value = serde_json::from_str(&json).unwrap();
    let done = |at: usize| told[at]["done"].as_bool().unwrap();
    assert!(done(0) && done(3), "{json}");
    assert!(!done(2), "{json}");
    let reason = told[2]["text"].as_str().unwrap();
    assert!(
        reason.contains("revive-budget of 1 MiB is used up"),
        "{reason}"
    );
    rig.wait_until("the hooks", || rig.read("home/told").lines().count() >= 2);
    assert!(
        rig.read("home/told").starts_with("s9\n"),
        "the visible one is first"
    );
    assert!(is_asleep(&rig, "s3"));
    // Without a limit all of them do, and whoever is looked at does in any case.
    rig.ok(&["set", "-s", "revive-budget", "0"]);
    rig.ok(&["restore", "-a"]);
    let states = rig.ok(&["ls", "-F", "#{session_name} #{session_state}"]);
    assert_eq!(states, "s1 active\ns2 active\ns3 active\ns9 active\n");
    wake_one_after_another(&rig, names);
}

/// However many are told to wake at once.
fn wake_one_after_another(rig: &Rig, names: [&str; 4]) {
    for name in names {
        hibernate(rig, name);
    }
    rig.ok(&["set", "-g", "revive-rc", "on"]);
    // Whoever starts while another is not done finds its mark.
    let profile = rig.read("home/.profile");
    let slow = "mkdir $HOME/mark || touch $HOME/together; sleep 0.1; rmdir $HOME/mark\n";
    rig.write("home/.profile", &format!("{profile}{slow}"));
    let said = rig.ok(&["restore", "-a"]);
    assert_eq!(said.matches("awake after").count(), 4, "{said}");
    assert!(!rig.path("home/together").exists());
}
