//! What `hibernate` says of panes that cannot sleep now: it waits for a prompt that is about to come, and refuses what would wake at once.

use crate::hibernate::{begin, enter, is_asleep, rig_with, wait_for_prompt, wait_for_text};

#[test]
fn zsh_that_has_just_come_back_sleeps_again() {
    let Some(rig) = rig_with("zsh") else {
        return;
    };
    let rc = "autoload -Uz compinit; compinit -u -d ~/.zcompdump; PS1='$ '\n";
    rig.write("home/.zshrc", rc);
    begin(&rig, "work");
    for _ in 0..10 {
        rig.ok(&["hibernate", "-t", "work"]);
        rig.ok(&["restore", "-t", "work"]);
    }
}

#[test]
fn prompt_that_is_about_to_come_is_waited_for() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    // The shell's own work between a command and its prompt.
    let work = "PROMPT_COMMAND='echo at work $((++round)); for i in {1..100000}; do :; done'";
    rig.write("home/.profile", &format!("PS1='$ '; {work}\n"));
    begin(&rig, "work");
    enter(&rig, "work", "true");
    wait_for_text(&rig, "work", "at work 2");
    rig.ok(&["hibernate", "-t", "work"]);
    assert!(is_asleep(&rig, "work"));
}

#[test]
fn pane_in_sight_is_refused_unless_it_wakes_by_a_key_alone() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    begin(&rig, "other");
    let terminal = rig.attach(&["attach", "-t", "work"], (24, 80));
    terminal.wait_for_text("$");
    let in_sight = "work:0.0: stays as it is: somebody looks at it, and it would wake at once";
    let refused = rig.run(&["hibernate", "-t", "work"]).fails();
    assert!(refused.contains(in_sight), "{refused}");
    let dry = rig.run(&["hibernate", "--dry-run", "-t", "work"]).fails();
    assert!(dry.contains(in_sight), "{dry}");
    enter(&rig, "work", "sleep 1000");
    wait_for_text(&rig, "work", "sleep 1000\n");
    let told = rig.ok(&["hibernate", "-a", "--force"]);
    assert!(told.contains(in_sight), "{told}");
    assert!(told.contains("other:0.0: asleep"), "{told}");
    assert!(is_asleep(&rig, "other") && !is_asleep(&rig, "work"));
    rig.ok(&["send-keys", "-t", "work", "C-c"]);
    rig.ok(&["set", "-g", "revive-on", "key"]);
    wait_for_prompt_again(&rig);
    crate::hibernate::hibernate(&rig, "work");
    assert!(is_asleep(&rig, "work"));
}

fn wait_for_prompt_again(rig: &shellkeep_testkit::real::Rig) {
    rig.ok(&["send-keys", "-t", "work", "C-l"]);
    wait_for_prompt(rig, "work");
}

#[test]
fn session_of_that_very_name_sleeps_and_no_window_whose_name_begins_so() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "ba");
    begin(&rig, "hub");
    // Whoever names no place is in the session used last, which has a window called bash.
    wait_for_window_name(&rig, "hub", "bash");
    rig.ok(&["hibernate", "-t", "ba"]);
    assert!(is_asleep(&rig, "ba:") && !is_asleep(&rig, "hub:"));
    rig.ok(&["restore", "-t", "=ba"]);
    assert!(!is_asleep(&rig, "ba:"));
    rig.ok(&["hibernate", "-t", "bas"]);
    assert!(is_asleep(&rig, "hub:"));
}

fn wait_for_window_name(rig: &shellkeep_testkit::real::Rig, session: &str, name: &str) {
    let target = format!("{session}:");
    let format = ["display", "-p", "-t", &target, "#{window_name}"];
    let is_named = || rig.ok(&format).trim() == name;
    rig.wait_until(&format!("a window called {name}"), is_named);
}

#[test]
fn shell_that_tells_nothing_sleeps_by_force_and_comes_back_where_it_was() {
    for shell in ["bash", "sh"] {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        let config = rig.read("config/shellkeep/shellkeep.conf") + "set -g shell-integration off\n";
        rig.write("config/shellkeep/shellkeep.conf", &config);
        begin(&rig, "work");
        enter(&rig, "work", "cd proj; umask 027; echo th''ere");
        wait_for_text(&rig, "work", "\nthere\n$");
        let refused = rig.run(&["hibernate", "-t", "work"]).fails();
        assert!(refused.contains("does not tell where"), "{refused}");
        let dry = rig.ok(&["hibernate", "--force", "--dry-run", "-t", "work"]);
        assert!(dry.contains("would sleep, and end its shell"), "{dry}");
        rig.ok(&["hibernate", "--force", "-t", "work"]);
        assert!(is_asleep(&rig, "work"));
        let told = rig.ok(&["restore", "-t", "work"]);
        let said = "a new shell; the one before ended when the pane was put to sleep";
        assert!(told.contains(said), "{told}");
        enter(&rig, "work", "pwd; umask");
        wait_for_text(&rig, "work", "/home/proj\n0027\n");
        wait_for_text(&rig, "work", "\nthere\n");
    }
}

#[test]
fn sleeper_is_told_as_such_whatever_is_asked() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    crate::hibernate::hibernate(&rig, "work");
    for flags in [&[][..], &["--dry-run"], &["--dry-run", "--force"]] {
        let args = [&["hibernate", "-t", "work"], flags].concat();
        let refused = rig.run(&args).fails();
        assert!(
            refused.contains("stays as it is: sleeps already"),
            "{refused}"
        );
    }
    let json = rig.ok(&["hibernate", "--dry-run", "--json", "-t", "work"]);
    assert!(json.contains("\"text\": \"sleeps already\""), "{json}");
}
