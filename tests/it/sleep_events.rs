//! What happens around sleep without anybody's doing: jobs end, and hooks and clients that hear a pane hear that it sleeps, wakes or
//! cannot.

use std::path::Path;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::Rig;

use crate::control::Speaker;
use crate::hibernate::{
    SHELLS, ask, begin, enter, hibernate, is_asleep, shell_of, wait_for_prompt, wait_for_text,
    with_each_shell,
};
use crate::resume::{attach, begin_in_own_bash, force, make_executable, rig_with_programs};

#[test]
fn session_sleeps_when_the_last_of_its_jobs_has_ended() {
    with_each_shell(&SHELLS, |rig, _| {
        begin(rig, "work");
        enter(rig, "work", "sleep 1400 &");
        enter(rig, "work", "sleep 1401 &");
        let jobs = ["1400", "1401"]
            .map(|time| rig.wait_for("a job", || rig.processes_with(time).into_iter().next()));
        rig.wait_until("a reason", || {
            let reasons = rig.ok(&["ls", "-F", "#{session_busy}"]);
            reasons.contains("a background job: sleep 140")
        });
        rig.ok(&["set", "-g", "hibernate-after", "1s"]);
        // Somebody else's sleep tells that it was looked at.
        begin(rig, "other");
        rig.wait_until("a look", || is_asleep(rig, "other"));
        assert!(!is_asleep(rig, "work"));
        for job in jobs {
            assert!(!is_asleep(rig, "work"));
            job.kill_9();
        }
        rig.wait_until("it asleep", || is_asleep(rig, "work"));
    });
}

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
    let facts = |pane: &str| ask(&rig, pane, "#{pane_hibernated} #{session_state}");
    assert_eq!(facts("work:0.0"), "0 active");
    hibernate(&rig, "work:0.0");
    assert_eq!(facts("work:0.0"), "1 active");
    has(&told(1), "pane-hibernated %0|||||");
    enter(&rig, "work:0.1", "ssh host");
    wait_for_text(&rig, "work:0.1", "\n[ssh host]");
    force(&rig, "work:0.1");
    assert_eq!(facts("work:0.1"), "1 hibernated");
    let lines = told(3);
    has(&lines, "pane-hibernated %1|");
    has(&lines, "session-hibernated work|");
    rig.ok(&["restore", "-t", "work:0.1"]);
    assert_eq!(facts("work:0.1"), "0 active");
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

/// Control clients: one hears the notices, the other did not ask for them.
struct Clients {
    hears: Speaker,
    does_not: Speaker,
}

impl Clients {
    fn attach(rig: &Rig) -> Self {
        let attach = |flags: &str| {
            let attach = rig.command(&["-C", "attach", "-f", flags, "-t", "far"]);
            let mut client = Speaker::start(attach);
            let _ = client.line("display-message -p ready");
            client
        };
        let (mut hears, does_not) = (attach("sleep-notices"), attach("no-output"));
        let flags = hears.line("list-clients -F '#{client_flags}'");
        let has_flag = |line: &String| line.contains("sleep-notices");
        assert!(flags.iter().any(has_flag), "{flags:?}");
        Self { hears, does_not }
    }

    #[track_caller]
    fn are_told(&self, wanted: &[&str]) {
        let heard = self.hears.hear_notices(wanted.len(), is_of_sleep);
        for (line, wanted) in heard.iter().zip(wanted) {
            assert!(line.starts_with(wanted), "{heard:?}");
        }
    }
}

fn is_of_sleep(line: &str) -> bool {
    line.contains("hibernate") || line.contains("revive")
}

/// A shell that does not answer is called off and stays.
fn does_not_answer(rig: &Rig, clients: &Clients) {
    // It is asked only when it has read all of its state, behind the prompt.
    rig.wait_until("a shell that could sleep", || {
        let said = rig.run(&["hibernate", "--dry-run", "-t", "work"]);
        said.stdout.contains("would sleep")
    });
    let shell = shell_of(rig, "work");
    shell.signal(Signal::SIGSTOP);
    let refused = rig.run(&["hibernate", "-t", "work"]).fails();
    shell.signal(Signal::SIGCONT);
    assert!(refused.contains("its shell did not answer"), "{refused}");
    clients.are_told(&[
        "%pane-hibernate-failed %0 its shell did not answer",
        "%session-hibernate-failed $0 its shell did not answer",
    ]);
    rig.wait_until("both hooks", || rig.read("home/told").lines().count() == 2);
    for line in rig.read("home/told").lines() {
        let said = "-hibernate-failed its shell did not answer";
        assert!(line.ends_with(said), "{line}");
    }
    enter(rig, "work", "echo al''ive; echo kept");
    wait_for_text(rig, "work", "\nalive\nkept\n$");
}

/// A pane in which nothing can be started sleeps on, and tries again with a key.
fn cannot_be_started(rig: &Rig, own: &Path, clients: &Clients) {
    hibernate(rig, "work");
    clients.are_told(&["%pane-hibernated %0", "%session-hibernated $0 work"]);
    let good = std::fs::read(own).unwrap();
    let replace = |program: &[u8]| {
        std::fs::remove_file(own).unwrap();
        std::fs::write(own, program).unwrap();
        make_executable(own);
    };
    replace(b"\x7fno program");
    let refused = rig.run(&["restore", "-t", "work"]).fails();
    assert!(refused.contains("stays as it is"), "{refused}");
    assert!(is_asleep(rig, "work"));
    clients.are_told(&["%pane-revive-failed %0 ", "%session-revive-failed $0 "]);
    rig.wait_until("both hooks", || {
        let told = rig.read("home/told");
        told.contains("pane-revive-failed ") && told.contains("session-revive-failed ")
    });
    let terminal = attach(rig, "work");
    terminal.wait_for_text("cannot wake: a key tries again");
    terminal.wait_for_text("kept");
    replace(&good);
    terminal.enter("echo ba''ck");
    terminal.wait_for_text("back");
    assert!(!is_asleep(rig, "work"));
}

#[test]
fn hooks_and_control_clients_that_ask_for_it_hear_who_sleeps_wakes_and_cannot() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let own = begin_in_own_bash(&rig);
    begin(&rig, "far");
    for at in ["hibernate", "revive"] {
        for of in ["pane", "session"] {
            let note = "run-shell \"echo '#{hook} #{hook_reason}' >>$HOME/told\"";
            rig.ok(&["set-hook", "-g", &format!("{of}-{at}-failed"), note]);
        }
    }
    let mut clients = Clients::attach(&rig);
    hibernate(&rig, "work");
    clients.are_told(&["%pane-hibernated %0", "%session-hibernated $0 work"]);
    rig.ok(&["restore", "-t", "work"]);
    clients.are_told(&["%pane-revived %0 awake after ", "%session-revived $0 work"]);
    wait_for_prompt(&rig, "work");
    does_not_answer(&rig, &clients);
    cannot_be_started(&rig, &own, &clients);
    let heard = clients.does_not.line("display-message -p end");
    let is_of_sleep = |line: &String| is_of_sleep(line);
    assert!(!heard.iter().any(is_of_sleep), "{heard:?}");
}
