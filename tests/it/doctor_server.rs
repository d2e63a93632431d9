//! `doctor` of a server and a keeper that were killed, hang, may open no more files or cannot have their directory.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::doctor::{doctor, type_command, type_it};
use crate::{rig, skip};

#[test]
fn server_that_may_open_no_more_files_is_a_problem_until_it_may() {
    let rig = rig();
    let mut command = rig.other_command("sh");
    command.args(["-c", "ulimit -n 64; exec shellkeep new -d -s s0 -- cat"]);
    rig.finish(command).ok();
    let (sentence, fix) = doctor(&rig).finding("limits", "warning");
    assert!(
        sentence.starts_with("the server may have 64 files open"),
        "{sentence}"
    );
    assert!(
        fix.contains("--nofile=65536:65536 && sudo prlimit"),
        "{fix}"
    );
    let mut number = 0;
    let mut another = || {
        number += 1;
        rig.run(&["new", "-d", "-s", &format!("s{number}"), "--", "cat"])
    };
    let refused = rig.wait_for("a refusal", || {
        Some(another()).filter(|said| said.status != 0)
    });
    assert!(
        refused
            .stderr
            .contains("the server has as many files open as it may"),
        "{refused:?}"
    );
    // Whoever is there goes on, and is saved.
    let keeper = rig.keeper();
    assert!(!rig.ok(&["stats"]).contains("now not"));
    let said = doctor(&rig);
    assert_eq!(said.status, 1);
    said.finding("saving", "ok");
    let (sentence, fix) = said.finding("limits", "problem");
    assert!(sentence.starts_with("the server has "), "{sentence}");
    // Root may everything, but not in every container.
    let raise = "ulimit -n 64; ulimit -n 65536";
    let mut shell = Command::new("sh");
    if !shell.args(["-c", raise]).status().unwrap().success() {
        return skip("no limit can be raised here");
    }
    type_command(&rig, &fix);
    // The keeper may have more, too, and goes on to.
    for _ in 0..30 {
        another().ok();
    }
    let said = doctor(&rig);
    assert_eq!(said.problems(), Vec::<&Value>::new());
    said.finding("limits", "ok");
    assert_eq!(rig.keeper(), keeper);
}

#[test]
fn server_killed_leaves_a_lock_a_socket_and_a_keeper_that_are_told() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let server = rig.server();
    server.kill_9();
    server.wait_gone();
    let said = doctor(&rig);
    assert_eq!(said.problems(), Vec::<&Value>::new());
    let (sentence, _) = said.finding("lock", "warning");
    assert!(
        sentence.contains(&format!("(process {}) ended without a word", server.pid)),
        "{sentence}"
    );
    let (sentence, _) = said.finding("socket", "warning");
    assert!(
        sentence.ends_with("was left behind by a server that is gone"),
        "{sentence}"
    );
    let (sentence, fix) = said.finding("keeper", "warning");
    assert!(
        sentence.contains("holds programs, and no server is running"),
        "{sentence}"
    );
    assert!(fix.starts_with("shellkeep ls: "), "{fix}");
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    let said = doctor(&rig);
    for name in ["socket", "lock", "keeper"] {
        said.finding(name, "ok");
    }
}

#[test]
fn lock_of_a_process_that_is_gone_is_in_nobodys_way() {
    let rig = rig();
    rig.ok(&["new", "-d"]);
    rig.ok(&["kill-server"]);
    rig.wait_until("the end", || rig.processes().is_empty());
    // A process that is on its way out has no environment any more to know it by, and still has its lock.
    let said = rig.wait_for("the lock's end", || {
        let said = doctor(&rig);
        (said.status == 0).then_some(said)
    });
    assert_eq!(said.finding("lock", "ok").0, "free: no server is running");
}

#[test]
fn server_and_keeper_that_hang_are_problems() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let (server, keeper) = (rig.server(), rig.keeper());
    for process in [server, keeper] {
        process.signal(Signal::SIGSTOP);
        rig.wait_until("the stop", || process.is_stopped());
    }
    let said = doctor(&rig);
    assert_eq!(said.status, 1);
    let (sentence, fix) = said.finding("socket", "problem");
    assert!(
        sentence.ends_with("does not answer within a second"),
        "{sentence}"
    );
    assert!(
        fix.starts_with(&format!("kill -9 {}; ", server.pid)),
        "{fix}"
    );
    let (sentence, _) = said.finding("keeper", "problem");
    assert!(
        sentence.ends_with("does not answer within a second"),
        "{sentence}"
    );
    for process in [server, keeper] {
        process.signal(Signal::SIGCONT);
    }
    rig.wait_until("both", || doctor(&rig).status == 0);
    assert!(rig.ok(&["ls"]).starts_with("work: "));
}

#[test]
fn runtime_directory_that_others_can_write_to_is_a_problem() {
    let rig = rig();
    std::fs::create_dir(rig.path("run/shellkeep")).unwrap();
    std::fs::set_permissions(rig.path("run/shellkeep"), Permissions::from_mode(0o777)).unwrap();
    let said = doctor(&rig);
    assert_eq!(said.status, 1);
    let (sentence, fix) = said.finding("runtime-directory", "problem");
    assert!(
        sentence.contains("(mode 777), so no server can start"),
        "{sentence}"
    );
    type_it(&rig, &fix);
    doctor(&rig).finding("runtime-directory", "ok");
    rig.ok(&["new", "-d"]);
}
