//! The keeper dies at every step of a restart, and no program ends: from the old program's last moment to the new one's first, two
//! processes hold the terminals.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Process, Rig};

use crate::hibernate::stopped_server;
use crate::rig;

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
    rig.ok(&["send-keys", "-t", name, text, "Enter"]);
    rig.wait_for_pane("the echo, and what cat prints", name, |shown| {
        shown.matches(text).count() == 2
    });
}

#[test]
fn keeper_killed_at_any_step_of_a_restart_ends_no_program() {
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
}

#[test]
fn descriptors_of_a_restart_are_not_left_open() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "-x", "80", "-y", "24", "cat"]);
    let server = rig.server();
    let count = || {
        let fds = std::fs::read_dir(format!("/proc/{}/fd", server.pid));
        fds.unwrap().count()
    };
    rig.ok(&["restart-server"]);
    answers(&rig, "work", "first");
    let before = count();
    for _ in 0..5 {
        rig.ok(&["restart-server"]);
    }
    answers(&rig, "work", "last");
    rig.wait_until("as many descriptors as before", || count() <= before);
    // A program that the server starts inherits none.
    let fds = rig.ok(&["run-shell", "ls -l /proc/self/fd"]);
    assert!(!fds.contains("ptmx"), "{fds}");
}
