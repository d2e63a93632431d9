//! What happens around sleep without anybody's doing: jobs end, servers die, clients that hear a pane hear that it is retouched.

use std::os::unix::fs::PermissionsExt as _;

use nix::sys::signal::Signal;

use crate::control::Speaker;
use crate::hibernate::{
    ask, begin, enter, hibernate, is_asleep, killed_at, picture, rig_with, shell_of,
    wait_for_picture, wait_for_prompt, wait_for_text,
};

#[test]
fn session_sleeps_when_the_last_of_its_jobs_has_ended() {
    for (shell, job) in [("bash", "sleep"), ("zsh", "sleep"), ("fish", "sleep")] {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        enter(&rig, "work", &format!("{job} 1400 &"));
        enter(&rig, "work", &format!("{job} 1401 &"));
        let jobs = ["1400", "1401"]
            .map(|time| rig.wait_for("a job", || rig.processes_with(time).into_iter().next()));
        rig.wait_until("a reason", || {
            let reasons = rig.ok(&["ls", "-F", "#{session_busy}"]);
            reasons.contains("a background job: sleep 140")
        });
        rig.ok(&["set", "-g", "hibernate-after", "1s"]);
        // Somebody else's sleep tells that it was looked at.
        begin(&rig, "other");
        rig.wait_until("a look", || is_asleep(&rig, "other"));
        assert!(!is_asleep(&rig, "work"));
        for job in jobs {
            assert!(!is_asleep(&rig, "work"));
            job.kill_9();
        }
        rig.wait_until("it asleep", || is_asleep(&rig, "work"));
    }
}

#[test]
fn half_typed_line_outlives_a_server_that_dies_before_the_prompt() {
    if !cfg!(debug_assertions) {
        return;
    }
    for shell in ["bash", "zsh", "fish"] {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        enter(&rig, "work", "echo above");
        wait_for_text(&rig, "work", "\nabove\n$");
        rig.ok(&["send-keys", "-t", "work", "-l", "echo half typed"]);
        rig.ok(&["send-keys", "-t", "work", "Left", "Left"]);
        rig.wait_until("the cursor in the line", || {
            ask(&rig, "work", "#{cursor_x}") == "15"
        });
        let before = picture(&rig, "work");
        for step in ["tidied", "woken"] {
            hibernate(&rig, "work");
            killed_at(&rig, step, &["restore", "-t", "work"]);
            assert!(is_asleep(&rig, "work"), "{shell} at {step}");
            rig.ok(&["restore", "-t", "work"]);
            wait_for_picture(&rig, "work", &before);
        }
        rig.enter("work", "X");
        wait_for_text(&rig, "work", "\nhalf typXed\n");
    }
}

#[test]
fn control_client_that_asks_for_it_hears_who_sleeps_and_wakes() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    let own = rig.path("home/bash");
    std::fs::copy("/usr/bin/bash", &own).unwrap();
    let config = format!("set -g default-shell {}\n", own.display());
    rig.write("config/shellkeep/shellkeep.conf", &config);
    begin(&rig, "work");
    begin(&rig, "far");
    let attach = |flags: &str| {
        let mut client = Speaker::start(rig.command(&["-C", "attach", "-f", flags, "-t", "far"]));
        let _ = client.line("display-message -p ready");
        client
    };
    let (mut hears, mut does_not) = (attach("sleep-notices"), attach("no-output"));
    let flags = hears.line("list-clients -F '#{client_flags}'");
    assert!(
        flags.iter().any(|line| line.contains("sleep-notices")),
        "{flags:?}"
    );
    let told = |wanted: &[&str]| {
        let heard = hears.hear_notices(wanted.len(), |line| {
            line.contains("hibernate") || line.contains("revive")
        });
        for (line, wanted) in heard.iter().zip(wanted) {
            assert!(line.starts_with(wanted), "{heard:?}");
        }
    };
    hibernate(&rig, "work");
    told(&["%pane-hibernated %0", "%session-hibernated $0 work"]);
    rig.ok(&["restore", "-t", "work"]);
    told(&["%pane-revived %0 awake after ", "%session-revived $0 work"]);
    wait_for_prompt(&rig, "work");
    // One that does not answer: it is called off. It is asked only when it has read all of its state, behind the prompt.
    rig.wait_until("a shell that could sleep", || {
        let said = rig.run(&["hibernate", "--dry-run", "-t", "work"]);
        said.stdout.contains("would sleep")
    });
    let shell = shell_of(&rig, "work");
    shell.signal(Signal::SIGSTOP);
    let refused = rig.run(&["hibernate", "-t", "work"]);
    assert_ne!(refused.status, 0);
    shell.signal(Signal::SIGCONT);
    told(&[
        "%pane-hibernate-failed %0 its shell did not answer",
        "%session-hibernate-failed $0 its shell did not answer",
    ]);
    hibernate(&rig, "work");
    told(&["%pane-hibernated %0", "%session-hibernated $0 work"]);
    // One that cannot be started: it sleeps on.
    std::fs::remove_file(&own).unwrap();
    std::fs::write(&own, "\u{7f}no program").unwrap();
    std::fs::set_permissions(&own, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_ne!(rig.run(&["restore", "-t", "work"]).status, 0);
    told(&["%pane-revive-failed %0 ", "%session-revive-failed $0 "]);
    let heard = does_not.line("display-message -p end");
    let is_of_sleep = |line: &String| line.contains("hibernate") || line.contains("revive");
    assert!(!heard.iter().any(is_of_sleep), "{heard:?}");
}

#[test]
fn client_that_hears_a_pane_sees_its_prompt_once_when_it_wakes() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    rig.ok(&["new", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    wait_for_prompt(&rig, "work");
    rig.ok(&["set", "-g", "revive-on", "key"]);
    enter(&rig, "work", "echo above");
    wait_for_text(&rig, "work", "\nabove\n$");
    let terminal = rig.attach(&["attach", "--native", "-t", "work"], (24, 80));
    terminal.wait_for_text("above");
    terminal.type_text("echo ha");
    terminal.wait_for_text("$ echo ha");
    hibernate(&rig, "work");
    terminal.type_text("lf");
    terminal.wait_for_text("$ echo half");
    let text = terminal.text();
    assert_eq!(text.matches("echo ha").count(), 1, "{text}");
    terminal.keys("Enter");
    terminal.wait_until("its output", |screen| {
        screen.rows().iter().any(|row| row.trim_end() == "half")
    });
}
