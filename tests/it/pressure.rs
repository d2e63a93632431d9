//! More sessions than may be awake, with keys sent to all of them while they fall asleep and wake: none is closed, and whatever was
//! sent to them has run, once.

use std::collections::BTreeSet;
use std::process::{Child, Stdio};

use shellkeep_testkit::real::Rig;

use crate::hibernate::rig_with;

/// So many sessions are opened with one command.
const AT_ONCE: usize = 10;

/// How many sessions there are in the end.
fn sessions() -> usize {
    let chosen = std::env::var("SHELLKEEP_PRESSURE_SESSIONS").ok();
    let chosen = chosen.map(|count| count.parse().expect("a number of sessions"));
    chosen.unwrap_or(200)
}

/// Types a line into each of these sessions, which leaves its own words in a file.
fn send(rig: &Rig, sessions: std::ops::Range<usize>, round: &str) -> Vec<String> {
    let lines: Vec<String> = sessions.map(|at| format!("{round}-s{at}")).collect();
    let path = rig.path("lines");
    let mut command = Vec::new();
    for line in &lines {
        let (_, session) = line.split_once('-').unwrap();
        let typed = format!("echo {line} >> {}", path.display());
        command.extend(["send-keys", "-t", session, &typed, "Enter", ";"].map(str::to_owned));
    }
    rig.ok(&command.iter().map(String::as_str).collect::<Vec<_>>());
    lines
}

/// Begins to put everything to sleep that can.
fn hibernate(rig: &Rig) -> Child {
    let mut command = rig.command(&["hibernate", "-a"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("it can be started")
}

#[test]
fn keys_above_max_active_all_run_once_and_close_no_session() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    rig.write("lines", "");
    let mut sent = Vec::new();
    for round in 0..sessions().div_ceil(AT_ONCE) {
        let (first, end) = (round * AT_ONCE, (round + 1) * AT_ONCE);
        let names: Vec<String> = (first..end).map(|at| format!("s{at}")).collect();
        let mut command = Vec::new();
        for name in &names {
            command.extend(["new-session", "-d", "-s", name, ";"]);
        }
        rig.ok(&command);
        sent.extend(send(&rig, first..end, &format!("{round}a")));
        let mut hibernation = hibernate(&rig);
        // Those before sleep, fall asleep or wake meanwhile.
        for again in ["b", "c", "d"] {
            let from = first.saturating_sub(AT_ONCE);
            sent.extend(send(&rig, from..end, &format!("{round}{again}")));
        }
        hibernation.wait().expect("it ends");
    }
    let expected: BTreeSet<&str> = sent.iter().map(String::as_str).collect();
    let read = || rig.read("lines");
    rig.wait_until("every line has run", || {
        let text = read();
        let run: BTreeSet<&str> = text.lines().collect();
        expected.is_subset(&run)
    });
    let (text, log) = (read(), rig.log());
    assert_eq!(text.lines().count(), sent.len(), "a line has run twice");
    assert!(!log.contains("session closed"), "{log}");
    let listed = rig.ok(&["list-sessions", "-F", "#{session_name}"]);
    assert_eq!(
        listed.lines().count(),
        sessions().div_ceil(AT_ONCE) * AT_ONCE
    );
}
