//! The keeper dies at every step of a restart, and no program ends: from the old program's last moment to the new one's first, two
//! processes hold the terminals.

use std::process::Command;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Process, Rig, Terminal};

use crate::attach::as_nobody;
use crate::hibernate::stopped_server;
use crate::{rig, side_by_side};

/// In the order in which a restart comes to them. The program is replaced behind the first two.
const STEPS: [&str; 6] = [
    "leaving",
    "handed-over",
    "replaced",
    "keeper-found",
    "hello",
    "recovered",
];

fn program_of(rig: &Rig, name: &str) -> Process {
    let pid = rig.ok(&["display", "-p", "-t", name, "#{pane_pid}"]);
    let pid = pid.trim().parse().expect("a pid");
    Process::find(pid).expect("a program that lives")
}

/// Types something that the program prints again.
fn answers(rig: &Rig, name: &str, text: &str) {
    rig.enter(name, text);
    rig.wait_for_pane("the echo, and what cat prints", name, |shown| {
        shown.matches(text).count() == 2
    });
}

/// Descriptors of a restart are not left open.
fn restarts_leave_no_descriptors(rig: &Rig) {
    let server = rig.server();
    let count = || {
        let fds = std::fs::read_dir(format!("/proc/{}/fd", server.pid));
        fds.unwrap().count()
    };
    rig.ok(&["restart-server"]);
    answers(rig, "work", "first");
    let before = count();
    for _ in 0..5 {
        rig.ok(&["restart-server"]);
    }
    answers(rig, "work", "last");
    rig.wait_until("as many descriptors as before", || count() <= before);
    // A program that the server starts inherits none.
    let fds = rig.ok(&["run-shell", "ls -l /proc/self/fd"]);
    assert!(!fds.contains("ptmx"), "{fds}");
}

#[test]
fn keeper_killed_at_any_step_of_a_restart_ends_no_program_and_leaks_nothing() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "-x", "80", "-y", "40", "cat"]);
    rig.ok(&["new", "-d", "-s", "other", "-x", "80", "-y", "40", "cat"]);
    rig.ok(&["set-option", "-g", "@note", "kept"]);
    let programs = ["work", "other"].map(|name| program_of(&rig, name));
    for step in STEPS {
        let keeper = rig.keeper();
        let (server, mut restarting) = stopped_server(&rig, step, &["restart-server"]);
        keeper.kill_9();
        server.signal(Signal::SIGCONT);
        let status = restarting.wait().unwrap();
        assert!(status.success(), "killed at {step}: {status}");
        assert_eq!(rig.server().pid, server.pid, "killed at {step}");
        for (name, program) in ["work", "other"].into_iter().zip(&programs) {
            assert_eq!(program_of(&rig, name).pid, program.pid, "killed at {step}");
            answers(&rig, name, step);
        }
        assert_eq!(rig.ok(&["show-options", "-gv", "@note"]).trim(), "kept");
        assert_ne!(rig.keeper().pid, keeper.pid, "killed at {step}");
        // The new keeper has all of it: the server may die as well.
        server.kill_9();
        for (name, program) in ["work", "other"].into_iter().zip(&programs) {
            assert_eq!(program_of(&rig, name).pid, program.pid, "after {step}");
        }
    }
    restarts_leave_no_descriptors(&rig);
}

/// Writes all that is typed into a file, key by key.
const READS_KEYS: &str = "stty raw -echo; echo ready; exec cat >$HOME/got";

/// So often the server restarts while somebody types.
const RESTARTS: usize = 5;

/// So many bytes may be on their way. With more, a restart would wait for keys that were typed long before it.
const ON_THEIR_WAY: usize = 1000;

/// Types numbers for as long as the server restarts, and looks whether each arrives once and in its place.
fn type_through_restarts(rig: &Rig, terminal: &Terminal, restart: impl Fn() -> Command) {
    terminal.wait_for_text("ready");
    let came = || std::fs::metadata(rig.path("home/got")).map_or(0, |file| file.len());
    let mut typed = String::new();
    for number in 0..RESTARTS {
        let mut restarting = restart().spawn().unwrap();
        let status = loop {
            if let Some(status) = restarting.try_wait().unwrap() {
                break status;
            }
            let key = format!("{:07} ", typed.len());
            terminal.send(key.as_bytes());
            typed.push_str(&key);
            let wanted = typed.len().saturating_sub(ON_THEIR_WAY) as u64;
            rig.wait_until("the program to keep up", || came() >= wanted);
        };
        assert!(status.success(), "restart {number}: {status}");
    }
    terminal.send(b"end");
    typed.push_str("end");
    rig.wait_until("the last key", || rig.read("home/got").ends_with("end"));
    let got = rig.read("home/got");
    let place = typed.bytes().zip(got.bytes()).take_while(|(a, b)| a == b);
    let place = place.count();
    assert!(
        got == typed,
        "{} of {} bytes came; they differ at {place}: {:?}",
        got.len(),
        typed.len(),
        got.get(place.saturating_sub(20)..(place + 40).min(got.len())),
    );
}

/// The server reads the terminal itself.
fn server_reads_keys() {
    let rig = rig();
    let terminal = rig.attach(&["new", "-s", "work", READS_KEYS], (24, 80));
    type_through_restarts(&rig, &terminal, || rig.command(&["restart-server"]));
}

/// The server cannot open the terminal.
fn client_passes_keys() {
    let rig = rig();
    let Some(words) = as_nobody(&rig) else { return };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let argv = [&words[..], &["new", "-s", "work", READS_KEYS]].concat();
    let terminal = rig.start(&argv, &[], (24, 80));
    terminal.wait_for_text("ready");
    assert!(rig.log().contains("it passes the bytes"), "{}", rig.log());
    type_through_restarts(&rig, &terminal, || {
        let mut command = rig.other_command(words[0]);
        command.args(&words[1..]).arg("restart-server");
        command
    });
}

#[test]
fn keys_typed_through_restarts_arrive_once_and_in_order() {
    let rows = [
        ("read by the server", server_reads_keys as fn()),
        ("passed by the client", client_passes_keys),
    ];
    side_by_side(&rows, |_, check| check());
}

#[test]
fn input_that_a_full_terminal_did_not_take_outlives_the_server() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", READS_KEYS]);
    rig.wait_for_pane("the program", "work", |shown| shown.contains("ready"));
    let program = program_of(&rig, "work");
    program.signal(Signal::SIGSTOP);
    let mut typed = String::new();
    let mut type_much = |mark: &str| {
        let text = mark.repeat(10_000);
        rig.ok(&["send-keys", "-t", "work", "-l", &text]);
        typed.push_str(&text);
    };
    type_much("first ");
    type_much("second ");
    rig.ok(&["restart-server"]);
    type_much("third ");
    rig.server().kill_9();
    type_much("fourth ");
    rig.keeper().kill_9();
    type_much("fifth ");
    program.signal(Signal::SIGCONT);
    rig.wait_until("all of it", || rig.read("home/got").len() >= typed.len());
    assert!(rig.read("home/got") == typed, "something is lost or twice");
    assert_eq!(program_of(&rig, "work").pid, program.pid);
}
