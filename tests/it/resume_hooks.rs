//! Hooks tell of sleep and revival, with the report, and of a pane that cannot be woken or put to sleep.

use nix::sys::signal::Signal;

use crate::hibernate::{
    begin, enter, hibernate, is_asleep, shell_of, wait_for_prompt, wait_for_text,
};
use crate::resume::{attach, begin_in_own_bash, force, make_executable, rig_with_programs};

#[test]
fn hooks_tell_of_sleep_and_revival_with_the_report() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "work");
    rig.ok(&["split-window", "-d", "-t", "work"]);
    wait_for_prompt(&rig, "work:0.1");
    let about = "#{hook} #{hook_session_name}#{hook_pane}|#{hook_missing}|#{hook_program}|#{hook_sent}|#{hook_state}|#{hook_reason}|#{hook_report}";
    for hook in [
        "pane-hibernated",
        "pane-hibernate-failed",
        "pane-revived",
        "pane-revive-failed",
        "session-hibernated",
        "session-hibernate-failed",
        "session-revived",
        "session-revive-failed",
    ] {
        let note = format!("run-shell \"echo '{about}' >>$HOME/told\"");
        rig.ok(&["set-hook", "-g", hook, &note]);
    }
    let told = |count: usize| {
        rig.wait_for("all hooks", || {
            let told = rig.read("home/told");
            let lines: Vec<String> = told.lines().map(str::to_owned).collect();
            (lines.len() == count).then_some(lines)
        })
    };
    let has = |told: &[String], start: &str| {
        assert!(
            told.iter().any(|line| line.starts_with(start)),
            "{start} in {told:?}"
        );
    };
    hibernate(&rig, "work:0.0");
    has(&told(1), "pane-hibernated %0|||||");
    enter(&rig, "work:0.1", "ssh host");
    wait_for_text(&rig, "work:0.1", "\n[ssh host]");
    force(&rig, "work:0.1");
    let lines = told(3);
    has(&lines, "pane-hibernated %1|");
    has(&lines, "session-hibernated work|");
    rig.ok(&["restore", "-t", "work:0.1"]);
    let lines = told(5);
    has(&lines, "pane-revived %1|ssh host ended when");
    has(&lines, "session-revived work|");
    let revived = lines
        .iter()
        .find(|line| line.starts_with("pane-revived"))
        .unwrap();
    assert!(revived.contains("|ssh host|0|0||awake after "), "{revived}");
    // The session is awake already: only the pane is told of.
    rig.ok(&["restore", "-t", "work:0.0"]);
    has(&told(6), "pane-revived %0||||1||awake after ");
}

#[test]
fn pane_in_which_nothing_can_be_started_sleeps_on_and_is_told() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let own = begin_in_own_bash(&rig);
    for hook in ["pane-revive-failed", "session-revive-failed"] {
        let note = "run-shell \"echo '#{hook} #{hook_reason}' >>$HOME/told\"";
        rig.ok(&["set-hook", "-g", hook, note]);
    }
    enter(&rig, "work", "echo kept");
    wait_for_text(&rig, "work", "\nkept\n$");
    hibernate(&rig, "work");
    let good = std::fs::read(&own).unwrap();
    std::fs::remove_file(&own).unwrap();
    std::fs::write(&own, "\u{7f}no program").unwrap();
    make_executable(&own);
    let refused = rig.run(&["restore", "-t", "work"]).fails();
    assert!(refused.contains("stays as it is"), "{refused}");
    assert!(is_asleep(&rig, "work"));
    rig.wait_until("both hooks", || {
        let told = rig.read("home/told");
        told.contains("pane-revive-failed ") && told.contains("session-revive-failed ")
    });
    let terminal = attach(&rig, "work");
    terminal.wait_for_text("cannot wake: a key tries again");
    terminal.wait_for_text("kept");
    std::fs::remove_file(&own).unwrap();
    std::fs::write(&own, good).unwrap();
    make_executable(&own);
    terminal.enter("echo ba''ck");
    terminal.wait_for_text("back");
    assert!(!is_asleep(&rig, "work"));
}

#[test]
fn shell_that_does_not_answer_is_told_as_a_failure_and_stays() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "work");
    for hook in ["pane-hibernate-failed", "session-hibernate-failed"] {
        let note = "run-shell \"echo '#{hook} #{hook_reason}' >>$HOME/told\"";
        rig.ok(&["set-hook", "-g", hook, note]);
    }
    let shell = shell_of(&rig, "work");
    shell.signal(Signal::SIGSTOP);
    let refused = rig.run(&["hibernate", "-t", "work"]).fails();
    shell.signal(Signal::SIGCONT);
    assert!(refused.contains("its shell did not answer"), "{refused}");
    rig.wait_until("both hooks", || rig.read("home/told").lines().count() == 2);
    for line in rig.read("home/told").lines() {
        assert!(
            line.ends_with("-hibernate-failed its shell did not answer"),
            "{line}"
        );
    }
    enter(&rig, "work", "echo al''ive");
    wait_for_text(&rig, "work", "\nalive\n");
}
