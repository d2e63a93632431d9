//! `doctor` with the real program: what it says of a setup that is well, hangs or was killed, and how it is asked. What it says to
//! type is typed. Made-up stores and surroundings are in the tests of its crate.

use std::fs::File;
use std::path::PathBuf;

use nix::sys::signal::Signal;
use serde_json::Value;
use shellkeep_store::catalogue::Catalogue;
use shellkeep_testkit::doctor::{Said, keep_session};
use shellkeep_testkit::real::{Output, Rig};

use crate::{rig, skip};

/// What `doctor --json` says with more words.
#[track_caller]
pub(crate) fn doctor_with(rig: &Rig, before: &[&str], behind: &[&str]) -> Said {
    said(rig.run(&[before, &["doctor", "--json"], behind].concat()))
}

#[track_caller]
pub(crate) fn doctor(rig: &Rig) -> Said {
    doctor_with(rig, &[], &[])
}

#[track_caller]
fn said(output: Output) -> Said {
    assert_eq!(output.stderr, "", "{output:?}");
    Said::of(&output.stdout, output.status)
}

/// Types the command that a fix begins with, before it says what for. What only root may is done here by root, or not at all.
#[track_caller]
pub(crate) fn type_command(rig: &Rig, fix: &str) {
    let command = fix.split(": ").next().unwrap_or_default();
    if command.contains("sudo ") && !nix::unistd::geteuid().is_root() {
        return skip("only root may do what the doctor says");
    }
    let output = rig.sh(&command.replace("sudo ", ""));
    assert_eq!(output.status, 0, "{command}: {output:?}");
}

pub(crate) fn state(rig: &Rig) -> PathBuf {
    rig.path("state/shellkeep")
}

#[test]
fn server_and_keeper_that_are_well_hang_or_were_killed_are_told() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let (server, keeper) = (rig.server(), rig.keeper());
    let said = doctor(&rig);
    assert_eq!(said.problems(), Vec::<&Value>::new());
    assert_eq!(said.status, 0);
    for name in [
        "state-directory",
        "permissions",
        "sessions",
        "quarantine",
        "runtime-directory",
    ] {
        said.finding(name, "ok");
    }
    said.says("socket", "ok", "of this version: shellkeep ");
    for (name, process) in [("lock", server), ("keeper", keeper)] {
        let (sentence, _) = said.finding(name, "ok");
        let expected = format!("process {}", process.pid);
        assert!(sentence.ends_with(&expected), "{sentence}");
    }
    // Being looked at has cost the server neither its keeper nor its sessions.
    rig.ok(&["new", "-d", "-s", "xmore"]);
    assert_eq!(rig.ok(&["ls"]).lines().count(), 2);
    assert_eq!((rig.server(), rig.keeper()), (server, keeper));

    // Both hang.
    for process in [server, keeper] {
        process.signal(Signal::SIGSTOP);
        rig.wait_until("the stop", || process.is_stopped());
    }
    let said = doctor(&rig);
    assert_eq!(said.status, 1);
    for name in ["socket", "keeper"] {
        let (sentence, _) = said.finding(name, "problem");
        assert!(
            sentence.ends_with("does not answer within a second"),
            "{sentence}"
        );
    }
    let (_, fix) = said.finding("socket", "problem");
    assert!(
        fix.starts_with(&format!("kill -9 {}; ", server.pid)),
        "{fix}"
    );
    for process in [server, keeper] {
        process.signal(Signal::SIGCONT);
    }
    rig.wait_until("both", || doctor(&rig).status == 0);
    assert!(rig.ok(&["ls"]).starts_with("work: "));

    // The server was killed: it leaves a lock, a socket and a keeper.
    server.kill_9();
    server.wait_gone();
    let said = doctor(&rig);
    assert_eq!(said.problems(), Vec::<&Value>::new());
    said.says(
        "lock",
        "warning",
        &format!("(process {}) ended without a word", server.pid),
    );
    said.says_at_its_end(
        "socket",
        "warning",
        "was left behind by a server that is gone",
    );
    let fix = said.says(
        "keeper",
        "warning",
        "holds programs, and no server is running",
    );
    assert!(fix.starts_with("shellkeep ls: "), "{fix}");
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    let said = doctor(&rig);
    for name in ["socket", "lock", "keeper"] {
        said.finding(name, "ok");
    }

    // It has ended.
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
fn doctor_without_a_server_starts_none_and_makes_nothing_of_its_own() {
    let rig = rig();
    let output = rig.run(&["doctor"]);
    assert_eq!((output.status, &output.stderr[..]), (0, ""), "{output:?}");
    assert!(
        output
            .stdout
            .contains("\nok       socket             no server is running"),
        "{}",
        output.stdout
    );
    let is_nothing = || !state(&rig).exists() && !rig.path("run/shellkeep").exists();
    assert!(is_nothing());
    let output = rig.run(&["doctor", "--rebuild"]);
    assert!(
        output.stdout.contains("nothing to rebuild"),
        "{}",
        output.stdout
    );
    assert!(is_nothing());
    let refused = rig.run(&["doctor", "--nonsense"]).fails();
    assert!(
        refused.starts_with("command doctor: unknown flag --nonsense"),
        "{refused}"
    );
    let help = rig.ok(&["doctor", "--help"]);
    assert!(help.starts_with("Report what is wrong"), "{help}");

    // The unit names this program.
    let unit = rig.ok(&["doctor", "--unit"]);
    let program = env!("CARGO_BIN_EXE_shellkeep");
    let start = format!("ExecStart=\"{program}\" start-server");
    for part in [&start[..], "ExecStop=", "kill-server --keep"] {
        assert!(unit.contains(part), "{part}: {unit}");
    }
    // The caller's limits are judged.
    let said = said(rig.sh("ulimit -n 512; ulimit -f 100000; exec shellkeep doctor --json"));
    let told = said
        .checks
        .iter()
        .filter(|check| check["name"] == "limits" && check["status"] == "warning");
    assert_eq!(told.count(), 2, "{:#?}", said.checks);

    // What is to be typed names the server that it was asked about.
    keep_session(&state(&rig), "work");
    let path = rig.path("its socket").display().to_string();
    for (server, named) in [
        (["-L", "default"], String::new()),
        (["-L", "other"], "-L other ".to_owned()),
        (["-S", &path], format!("-S '{path}' ")),
    ] {
        let broken = rig.write("state/shellkeep/catalogue.db", "broken");
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(broken, private).unwrap();
        let (_, fix) = doctor_with(&rig, &server, &[]).finding("catalogue", "problem");
        assert_eq!(fix, format!("shellkeep {named}doctor --rebuild"));
        rig.sh(&format!("{fix} > /dev/null")).ok();
        doctor_with(&rig, &server, &[]).finding("catalogue", "ok");
    }
    assert!(rig.processes().is_empty());
}

#[test]
fn catalogue_is_not_blamed_for_a_writer_and_replaced_only_with_leave() {
    let rig = rig();
    keep_session(&state(&rig), "work");
    assert_eq!(rig.run(&["doctor", "--rebuild"]).status, 0);
    let open = Catalogue::open(&state(&rig)).unwrap();
    let path = state(&rig).join("catalogue.db-shm");
    let shared = File::options().read(true).write(true).open(path).unwrap();
    // As SQLite has it while it writes.
    let lock = nix::libc::flock {
        l_type: nix::libc::F_WRLCK as _,
        l_whence: nix::libc::SEEK_SET as _,
        l_start: 120,
        l_len: 1,
        l_pid: 0,
    };
    nix::fcntl::fcntl(&shared, nix::fcntl::FcntlArg::F_SETLK(&lock)).unwrap();
    let said = doctor_with(&rig, &[], &["--rebuild"]);
    let fix = said.says("rebuild", "problem", "database is locked");
    assert!(
        fix.starts_with(&format!("ps -p {}: ", std::process::id())),
        "{fix}"
    );
    drop((shared, open));
    assert_eq!(rig.run(&["doctor", "--rebuild"]).status, 0);

    // One of a later version: on a terminal somebody can be asked.
    let path = state(&rig).join("catalogue.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // Where SQLite keeps the user's version.
    bytes[60..64].copy_from_slice(&9u32.to_be_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let said = doctor_with(&rig, &[], &["--rebuild"]);
    said.says("rebuild", "problem", "later version 9");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let mut terminal = rig.attach(&["doctor", "--rebuild"], (40, 160));
    terminal.wait_for_text("[y/N]");
    terminal.keys("y Enter");
    terminal.wait_for_text("was made anew, with 1 session");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn server_that_may_open_no_more_files_is_a_problem_until_it_may() {
    let rig = rig();
    rig.sh("ulimit -n 64; exec shellkeep new -d -s s0 -- cat")
        .ok();
    let fix = doctor(&rig).says_first("limits", "warning", "the server may have 64 files open");
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
    let fix = said.says_first("limits", "problem", "the server has ");
    // Root may everything, but not in every container.
    let raise = "ulimit -n 64; ulimit -n 65536";
    if rig.sh(raise).status != 0 {
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
