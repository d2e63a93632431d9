//! `doctor`: what it says of a setup that is well, and of each that can be made ill, with the real program. What it says to type
//! is typed.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use shellkeep_store::catalogue::{Catalogue, Filter};
use shellkeep_store::{Store, StoreId};
use shellkeep_testkit::real::{Output, Rig};

use crate::faults::{directory_of, file_below, stop};
use crate::faults_disk::Mounted;
use crate::keeping::kill_both;
use crate::refused::ordinary;
use crate::{hibernate, rig, skip};

/// What one `doctor --json` has said.
struct Said {
    status: i32,
    checks: Vec<Value>,
}

impl Said {
    #[track_caller]
    fn of(output: &Output) -> Self {
        assert_eq!(output.stderr, "", "{output:?}");
        let json: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
        Self {
            status: output.status,
            checks: json["checks"].as_array().unwrap().clone(),
        }
    }

    /// The finding of a check that has this status, as its sentence and its fix.
    #[track_caller]
    fn finding(&self, name: &str, status: &str) -> (String, String) {
        let mut found = self.checks.iter().filter(|check| check["name"] == name);
        let found = found.find(|check| check["status"] == status);
        let found = found.unwrap_or_else(|| panic!("{name} {status}: {:#?}", self.checks));
        let text = |field: &str| found[field].as_str().unwrap_or_default().to_owned();
        (text("sentence"), text("fix"))
    }

    fn problems(&self) -> Vec<&Value> {
        let problems = self
            .checks
            .iter()
            .filter(|check| check["status"] == "problem");
        problems.collect()
    }
}

fn doctor(rig: &Rig) -> Said {
    Said::of(&rig.run(&["doctor", "--json"]))
}

/// Types what the doctor said to type.
#[track_caller]
fn type_it(rig: &Rig, fix: &str) {
    let mut command = rig.other_command("sh");
    command.args(["-c", fix]);
    rig.finish(command).ok();
}

/// Types the command that a fix begins with, before it says what for. What only root may is done here by root, or not at all.
#[track_caller]
fn type_command(rig: &Rig, fix: &str) {
    let command = fix.split(": ").next().unwrap_or_default();
    if command.contains("sudo ") && !nix::unistd::geteuid().is_root() {
        return skip("only root may do what the doctor says");
    }
    let mut shell = rig.other_command("sh");
    shell.args(["-c", &command.replace("sudo ", "")]);
    let output = rig.finish(shell);
    assert_eq!(output.status, 0, "{command}: {output:?}");
}

/// A disk of its own for all that is kept.
fn small_disk(rig: &Rig, options: &str) -> Option<Mounted> {
    let options = format!("mode=700,{options}");
    Mounted::new(
        &["-t", "tmpfs", "-o", &options, "tmpfs"],
        &rig.path("state"),
    )
}

/// Has the disk of what is kept hold nothing more.
fn fill(rig: &Rig) -> PathBuf {
    let path = rig.path("state/filler");
    let mut file = File::create(&path).unwrap();
    for size in [1 << 16, 1 << 12, 1] {
        while std::io::Write::write_all(&mut file, &vec![1; size]).is_ok() {}
    }
    path
}

/// Makes files until no more can be made.
fn use_up_files(rig: &Rig) -> Vec<PathBuf> {
    let names = (0..).map(|number| rig.path(&format!("state/file{number}")));
    let fresh = names.filter(|path| !path.exists());
    fresh
        .take_while(|path| File::create(path).is_ok())
        .collect()
}

fn state(rig: &Rig) -> PathBuf {
    rig.path("state/shellkeep")
}

/// Keeps a session in the store, as a server would; returns its id.
fn keep_session(rig: &Rig, name: &str) -> StoreId {
    let store = Store::open(&state(rig), "default").unwrap();
    let id = StoreId::new(1_700_000_000_000);
    let body = json!({ "name": name, "created": 1, "activity": 2, "windows": [{ "panes": [1] }] });
    store.write_session(id, &body).unwrap();
    id
}

#[test]
fn setup_that_is_well_has_no_problem() {
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
    let (sentence, _) = said.finding("socket", "ok");
    assert!(
        sentence.contains("of this version: shellkeep "),
        "{sentence}"
    );
    let (sentence, _) = said.finding("lock", "ok");
    assert!(
        sentence.ends_with(&format!("process {}", server.pid)),
        "{sentence}"
    );
    let (sentence, _) = said.finding("keeper", "ok");
    assert!(
        sentence.ends_with(&format!("process {}", keeper.pid)),
        "{sentence}"
    );
    // Being looked at has cost the server neither its keeper nor its sessions.
    rig.ok(&["new", "-d", "-s", "more"]);
    assert_eq!(rig.ok(&["ls"]).lines().count(), 2);
    assert_eq!((rig.server(), rig.keeper()), (server, keeper));
}

#[test]
fn doctor_without_a_server_starts_none_and_makes_nothing() {
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
    assert!(rig.processes().is_empty());
    assert!(!state(&rig).exists() && !rig.path("run/shellkeep").exists());
    let output = rig.run(&["doctor", "--rebuild"]);
    assert!(
        output.stdout.contains("nothing to rebuild"),
        "{}",
        output.stdout
    );
    assert!(!state(&rig).exists());
    let refused = rig.run(&["doctor", "--nonsense"]).fails();
    assert!(
        refused.starts_with("command doctor: unknown flag --nonsense"),
        "{refused}"
    );
    assert!(
        rig.ok(&["doctor", "--help"])
            .starts_with("Say what is wrong")
    );
}

#[test]
fn permissions_that_are_too_wide_are_a_problem_until_the_fix_is_typed() {
    let rig = rig();
    let id = keep_session(&rig, "work");
    let file = state(&rig).join(format!("sessions/{id}/session.json"));
    std::fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    std::fs::set_permissions(state(&rig), Permissions::from_mode(0o755)).unwrap();
    let said = doctor(&rig);
    assert_eq!(said.status, 1);
    let (sentence, fix) = said.finding("state-directory", "problem");
    assert!(sentence.contains("(mode 755)"), "{sentence}");
    type_it(&rig, &fix);
    let (sentence, fix) = said.finding("permissions", "problem");
    assert!(sentence.contains("session.json (mode 644)"), "{sentence}");
    type_it(&rig, &fix);
    let said = doctor(&rig);
    assert_eq!(said.problems(), Vec::<&Value>::new());
    assert_eq!(said.status, 0);
}

#[test]
fn state_directory_that_cannot_be_made_is_a_problem_until_the_fix_is_typed() {
    let rig = rig();
    // A link that leads nowhere, and a file where a directory should be.
    std::fs::remove_dir(rig.path("state")).unwrap();
    std::os::unix::fs::symlink("far/away", rig.path("state")).unwrap();
    let said = doctor(&rig);
    let (sentence, fix) = said.finding("state-directory", "problem");
    assert!(
        sentence.contains("is a link to what is not there"),
        "{sentence}"
    );
    assert_eq!(said.status, 1);
    type_command(&rig, &fix);
    doctor(&rig).finding("state-directory", "ok");
    std::fs::remove_file(rig.path("state")).unwrap();
    rig.write("state", "in the way");
    let said = rig.run(&["new", "-d", "-s", "work"]).stderr;
    assert!(said.contains("(shellkeep doctor explains)"), "{said}");
    let said = doctor(&rig);
    assert_eq!(
        said.finding("state-directory", "problem").1,
        said.finding("saving", "problem").1
    );
    type_command(&rig, &said.finding("state-directory", "problem").1);
    rig.wait_until("all to be kept", || doctor(&rig).status == 0);
    doctor(&rig).finding("state-directory", "ok");
}

#[test]
fn state_directory_below_one_of_root_is_a_problem_until_the_fix_is_typed() {
    let Some((_dir, rig)) = ordinary() else {
        return;
    };
    std::fs::set_permissions(rig.path("state"), Permissions::from_mode(0o755)).unwrap();
    if nix::unistd::geteuid().is_root() {
        std::os::unix::fs::chown(rig.path("state"), Some(0), Some(0)).unwrap();
    } else {
        std::fs::set_permissions(rig.path("state"), Permissions::from_mode(0o555)).unwrap();
    }
    let said = rig.run(&["new", "-d", "-s", "work"]).stderr;
    assert!(said.contains("Permission denied"), "{said}");
    let said = doctor(&rig);
    assert_eq!(said.status, 1);
    let (sentence, fix) = said.finding("state-directory", "problem");
    assert!(
        sentence.contains("state/shellkeep cannot be made, so nothing can be kept: "),
        "{sentence}"
    );
    assert!(
        said.finding("saving", "problem")
            .0
            .contains("Permission denied")
    );
    type_command(&rig, &fix);
    rig.wait_until("all to be kept", || doctor(&rig).problems().is_empty());
}

// ---- what the server cannot save ----

#[test]
fn disk_without_room_for_files_is_a_problem_until_there_is() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig, "size=2g,nr_inodes=60") else {
        return;
    };
    rig.ok(&["new", "-d", "-s", "work", "--", "cat"]);
    let files = use_up_files(&rig);
    let _ = rig.run(&["new", "-d", "-s", "late", "--", "cat"]);
    rig.wait_until("the complaint", || rig.ok(&["stats"]).contains("now not"));
    let said = doctor(&rig);
    assert_eq!(said.status, 1);
    let (sentence, fix) = said.finding("saving", "problem");
    assert!(sentence.contains("No space left on device"), "{sentence}");
    assert!(fix.starts_with("df -i "), "{fix}");
    type_command(&rig, &fix);
    let (sentence, _) = said.finding("room", "problem");
    assert!(sentence.starts_with("no file can be made"), "{sentence}");
    for file in files {
        std::fs::remove_file(file).unwrap();
    }
    rig.wait_until("all to be kept", || doctor(&rig).problems().is_empty());
    assert_eq!(
        doctor(&rig).finding("saving", "ok").0,
        "the server can save everything it has"
    );
}

#[test]
fn full_disk_is_told_as_such_whatever_else_it_looks_like() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig, "size=24m") else {
        return;
    };
    rig.ok(&["new", "-d", "-s", "work", "--", "cat"]);
    rig.wait_until("the catalogue", || {
        state(&rig).join("catalogue.db").exists()
    });
    let filler = fill(&rig);
    rig.ok(&["new", "-d", "-s", "late", "--", "cat"]);
    rig.wait_until("the complaint", || rig.ok(&["stats"]).contains("now not"));
    for words in [
        &["doctor", "--json"][..],
        &["doctor", "--json", "--rebuild"],
    ] {
        let said = Said::of(&rig.run(words));
        assert_eq!(said.status, 1);
        for problem in said.problems() {
            let fix = problem["fix"].as_str().unwrap_or_default();
            assert!(fix.starts_with("df -h "), "{problem}");
            type_command(&rig, fix);
        }
        for name in ["saving", "room"] {
            said.finding(name, "problem");
        }
        // The session that was made meanwhile is not written down yet, and not lost.
        let sessions = said
            .checks
            .iter()
            .filter(|check| check["name"] == "sessions");
        assert!(
            sessions.clone().all(|check| check["status"] == "ok"),
            "{:#?}",
            said.checks
        );
    }
    std::fs::remove_file(filler).unwrap();
    rig.wait_until("all to be kept", || doctor(&rig).problems().is_empty());
    rig.ok(&["has-session", "-t", "late"]);
}

#[test]
fn catalogue_that_somebody_else_writes_to_is_not_blamed() {
    let rig = rig();
    keep_session(&rig, "work");
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
    let said = Said::of(&rig.run(&["doctor", "--rebuild", "--json"]));
    let (sentence, fix) = said.finding("rebuild", "problem");
    assert!(sentence.contains("database is locked"), "{sentence}");
    assert!(
        fix.starts_with(&format!("ps -p {}: ", std::process::id())),
        "{fix}"
    );
    drop((shared, open));
    assert_eq!(rig.run(&["doctor", "--rebuild"]).status, 0);
}

#[test]
fn catalogue_that_cannot_be_opened_goes_when_the_fix_is_typed() {
    let rig = rig();
    keep_session(&rig, "work");
    std::fs::create_dir_all(state(&rig).join("catalogue.db/inside")).unwrap();
    let (_, fix) = doctor(&rig).finding("catalogue", "problem");
    type_command(&rig, &fix);
    assert_eq!(rig.run(&["doctor", "--rebuild"]).status, 0);
    assert_eq!(
        doctor(&rig).finding("catalogue", "ok").0,
        "sound, with 1 session"
    );
}

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
fn store_of_a_later_version_is_a_problem_and_stays_as_it_is() {
    let rig = rig();
    keep_session(&rig, "work");
    let later = "{\"format\": \"shellkeep store\", \"version\": 9}";
    std::fs::write(state(&rig).join("store.json"), later).unwrap();
    for args in [
        &["doctor", "--json"][..],
        &["doctor", "--json", "--rebuild"],
    ] {
        let said = Said::of(&rig.run(args));
        assert_eq!(said.status, 1);
        let (sentence, fix) = said.finding("sessions", "problem");
        assert!(
            sentence.contains("written by a later shellkeep (format 9"),
            "{sentence}"
        );
        assert!(fix.contains("or a later one"), "{fix}");
        assert_eq!(rig.read("state/shellkeep/store.json"), later);
    }
}

#[test]
fn catalogue_broken_is_a_problem_until_it_is_rebuilt() {
    let rig = rig();
    let id = keep_session(&rig, "work");
    let path = state(&rig).join("catalogue.db");
    std::fs::write(&path, [0xa5; 9000]).unwrap();
    std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    let said = doctor(&rig);
    assert_eq!(said.status, 1);
    let (sentence, fix) = said.finding("catalogue", "problem");
    assert!(
        sentence.contains("it is broken; no session depends on it"),
        "{sentence}"
    );
    assert_eq!(
        std::fs::read(&path).unwrap(),
        [0xa5; 9000],
        "looking changes nothing"
    );
    type_it(&rig, &format!("{fix} > /dev/null"));

    let said = doctor(&rig);
    assert_eq!(said.problems(), Vec::<&Value>::new());
    let (sentence, _) = said.finding("catalogue", "ok");
    assert_eq!(sentence, "sound, with 1 session");
    let mut catalogue = Catalogue::open(&state(&rig)).unwrap().catalogue;
    let listed = catalogue.list(&Filter::default()).unwrap();
    assert_eq!((listed[0].id, &listed[0].name[..]), (id, "work"));
    // The broken one was kept until somebody deletes it.
    let (sentence, fix) = said.finding("catalogue", "warning");
    assert!(
        sentence.starts_with("1 catalogue that could not be used lies beside it"),
        "{sentence}"
    );
    type_it(&rig, &fix);
    assert!(
        !doctor(&rig)
            .checks
            .iter()
            .any(|check| check["name"] == "catalogue" && check["status"] == "warning")
    );
}

#[test]
fn what_the_doctor_says_to_type_names_the_server_it_was_asked_about() {
    let rig = rig();
    keep_session(&rig, "work");
    rig.write("state/shellkeep/catalogue.db", "broken");
    let path = rig.path("its socket").display().to_string();
    for (server, named) in [
        (["-L", "default"], String::new()),
        (["-L", "other"], "-L other ".to_owned()),
        (["-S", &path], format!("-S '{path}' ")),
    ] {
        let words = [&server[..], &["doctor", "--json"]].concat();
        let (_, fix) = Said::of(&rig.run(&words)).finding("catalogue", "problem");
        assert_eq!(fix, format!("shellkeep {named}doctor --rebuild"));
    }
}

#[test]
fn catalogue_damaged_inside_is_found_and_rebuilt() {
    let rig = rig();
    keep_session(&rig, "work");
    assert_eq!(rig.run(&["doctor", "--rebuild"]).status, 0);
    let path = state(&rig).join("catalogue.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // The first two pages are what is looked at when it is opened; every other one is hit.
    bytes[2 * 4096..].fill(0x5a);
    std::fs::write(&path, &bytes).unwrap();
    let said = doctor(&rig);
    assert_eq!(said.status, 1);
    let (sentence, _) = said.finding("catalogue", "problem");
    assert!(
        sentence.starts_with("the catalogue is damaged"),
        "{sentence}"
    );
    assert_eq!(
        std::fs::read(&path).unwrap(),
        bytes,
        "looking changes nothing"
    );
    let said = Said::of(&rig.run(&["doctor", "--rebuild", "--json"]));
    assert_eq!(said.problems(), Vec::<&Value>::new());
    assert_eq!(
        said.finding("rebuild", "ok").0,
        "the catalogue was made anew, with 1 session"
    );
}

#[test]
fn catalogue_of_a_later_version_is_rebuilt_only_with_leave() {
    let rig = rig();
    keep_session(&rig, "work");
    drop(Catalogue::open(&state(&rig)).unwrap());
    let path = state(&rig).join("catalogue.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // Where SQLite keeps the user's version.
    bytes[60..64].copy_from_slice(&9u32.to_be_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let said = Said::of(&rig.run(&["doctor", "--rebuild", "--json"]));
    assert_eq!(said.status, 1);
    let (sentence, fix) = said.finding("rebuild", "problem");
    assert!(
        sentence.contains("later version 9 and was left as it is"),
        "{sentence}"
    );
    assert!(fix.contains("doctor --rebuild -y"), "{fix}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let said = Said::of(&rig.run(&["doctor", "--rebuild", "-y", "--json"]));
    assert_eq!(said.finding("catalogue", "ok").0, "sound, with 1 session");

    // On a terminal somebody can be asked.
    std::fs::write(&path, &bytes).unwrap();
    let mut terminal = rig.attach(&["doctor", "--rebuild"], (40, 160));
    terminal.wait_for_text("[y/N]");
    terminal.keys("y Enter");
    terminal.wait_for_text("was made anew, with 1 session");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn files_in_quarantine_are_named() {
    let rig = rig();
    let id = keep_session(&rig, "work");
    rig.write(
        &format!("state/shellkeep/quarantine/{id}/{id}/screen.1700000000000"),
        "x",
    );
    rig.write(
        &format!("state/shellkeep/quarantine/buffers/{id}.1700000000000"),
        "x",
    );
    let dir = state(&rig).join("quarantine");
    let said = doctor(&rig);
    let (sentence, fix) = said.finding("quarantine", "warning");
    assert!(
        sentence.contains(&format!("buffers/{id}.1700000000000 (a paste buffer)")),
        "{sentence}"
    );
    assert!(
        sentence.contains("screen.1700000000000 (a checkpoint of a screen)"),
        "{sentence}"
    );
    assert!(fix.ends_with(&format!("rm -r {}", dir.display())), "{fix}");
    assert!(
        sentence.contains("2 files were found damaged and set aside"),
        "{sentence}"
    );
    // What only may not be read is no damage, and can be had again.
    let path = dir.join(format!("{id}/{id}/screen.1700000000000"));
    std::fs::set_permissions(path, Permissions::from_mode(0o000)).unwrap();
    let (sentence, fix) = doctor(&rig).finding("quarantine", "warning");
    let expected = "2 files were found damaged, or could not be read, and set aside";
    assert!(sentence.contains(expected), "{sentence}");
    let expected = "screen.1700000000000 (a checkpoint of a screen; it may not be read)";
    assert!(sentence.contains(expected), "{sentence}");
    let expected = format!("chmod -R u+rwX {}; look for ", dir.display());
    assert!(fix.starts_with(&expected), "{fix}");
}

#[test]
fn session_file_that_is_damaged_is_named() {
    let rig = rig();
    let id = keep_session(&rig, "work");
    let file = state(&rig).join(format!("sessions/{id}/session.json"));
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("work", "wark")).unwrap();
    let said = doctor(&rig);
    let (sentence, _) = said.finding("sessions", "warning");
    assert!(
        sentence.contains("session.json is damaged: its checksum is wrong"),
        "{sentence}"
    );
    assert!(file.exists(), "looking moves nothing");
}

/// Cuts a file in half.
fn halve(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    assert!(length > 1, "{}", path.display());
    file.set_len(length / 2).unwrap();
}

#[test]
fn state_of_a_shell_that_is_damaged_is_named() {
    let rig = rig();
    let id = keep_session(&rig, "work");
    let store = Store::open(&state(&rig), "default").unwrap();
    let pane = store.pane(id, StoreId::new(1_700_000_000_001));
    pane.create().unwrap();
    pane.write_shell(b"what a shell was like").unwrap();
    let (sentence, _) = doctor(&rig).finding("sessions", "ok");
    assert!(sentence.ends_with("all of them readable"), "{sentence}");
    halve(&pane.path().join("shell"));
    let said = doctor(&rig);
    let (sentence, fix) = said.finding("sessions", "warning");
    assert!(
        sentence.ends_with("/shell is damaged: it ends in the middle (session work)"),
        "{sentence}"
    );
    assert!(fix.starts_with("shellkeep attach -t work: "), "{fix}");
    let words = ["-L", "other", "doctor", "--json"];
    let (_, fix) = Said::of(&rig.run(&words)).finding("sessions", "warning");
    assert!(
        fix.starts_with("shellkeep -L default attach -t work: "),
        "{fix}"
    );
    assert!(
        pane.path().join("shell").exists()
            && !state(&rig).join("quarantine").join(id.to_string()).exists(),
        "looking moves nothing"
    );
}

#[test]
fn screen_that_is_damaged_in_the_archive_is_named() {
    let rig = rig();
    for name in ["stays", "work"] {
        rig.ok(&["new", "-d", "-s", name, "--", "sh", "-c", "echo shown; cat"]);
        rig.wait_for_pane("its text", name, |text| text.contains("shown"));
    }
    rig.ok(&["kill-session", "-t", "work"]);
    let store = Store::look(&state(&rig)).unwrap();
    let screen = rig.wait_for("the archive", || {
        let archived = store.archived().sessions;
        let session = archived.first()?;
        let screen = store.pane(session.id, *session.panes.first()?);
        Some(screen.path().join("screen")).filter(|path| path.exists())
    });
    let (sentence, _) = doctor(&rig).finding("sessions", "ok");
    assert_eq!(
        sentence,
        "1 session kept, 1 in the archive, all of them readable"
    );
    File::options()
        .write(true)
        .open(&screen)
        .unwrap()
        .set_len(0)
        .unwrap();
    for words in [
        &["doctor", "--json"][..],
        &["doctor", "--rebuild", "--json"],
    ] {
        let said = Said::of(&rig.run(words));
        let (sentence, fix) = said.finding("sessions", "warning");
        let expected = "/screen is damaged: it ends in the middle (session work, in the archive)";
        assert!(sentence.ends_with(expected), "{sentence}");
        let session = screen.ancestors().nth(2).unwrap().file_name().unwrap();
        let expected = format!("shellkeep reopen {}: ", session.display());
        assert!(fix.starts_with(&expected), "{fix}");
        let (sentence, _) = said.finding("sessions", "ok");
        assert_eq!(sentence, "1 session kept, 1 in the archive");
    }
    assert_eq!(
        std::fs::read(&screen).unwrap(),
        b"",
        "looking moves nothing"
    );
}

/// The only file of this name among those of the panes.
fn file_of_pane(rig: &Rig, name: &str) -> PathBuf {
    let mut found = Vec::new();
    for session in Store::look(&state(rig)).unwrap().sessions().sessions {
        for pane in session.panes {
            let path = state(rig).join(format!("sessions/{}/{pane}/{name}", session.id));
            found.extend(path.exists().then_some(path));
        }
    }
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// Ends the server, and keeps all that it has.
fn end_and_keep(rig: &Rig) {
    rig.ok(&["kill-server", "--keep"]);
    rig.wait_until("the end", || rig.processes().is_empty());
}

#[test]
fn screen_that_is_gone_is_named_and_its_pane_says_so_once() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "-x", "300", "-y", "24"]);
    rig.wait_for_pane("a prompt", "work", |text| text.contains('$'));
    rig.ok(&["send-keys", "-t", "work", "echo shown-$((1+1))", "Enter"]);
    rig.wait_for_pane("its text", "work", |text| text.contains("shown-2"));
    rig.ok(&["hibernate", "--force", "-t", "work"]);
    end_and_keep(&rig);
    assert!(
        !file_of_pane(&rig, "screen")
            .with_file_name("history")
            .exists()
    );
    std::fs::remove_file(file_of_pane(&rig, "screen")).unwrap();
    let (sentence, fix) = doctor(&rig).finding("sessions", "warning");
    let expected = "/screen is damaged: it is not there (session work)";
    assert!(sentence.ends_with(expected), "{sentence}");
    assert!(fix.starts_with("shellkeep attach -t work: "), "{fix}");
    let terminal = rig.attach(&["attach", "-t", "work"], (24, 300));
    terminal.wait_for_text("/screen is damaged: it is not there]");
    rig.wait_until("a checkpoint", || {
        let (sentence, _) = doctor(&rig).finding("sessions", "ok");
        sentence.ends_with("all of them readable")
    });
}

#[test]
fn page_of_history_that_is_damaged_is_told_in_its_pane_and_no_more_when_the_fix_is_typed() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "-x", "300", "-y", "24"]);
    rig.wait_for_pane("a prompt", "work", |text| text.contains('$'));
    rig.ok(&[
        "send-keys",
        "-t",
        "work",
        "seq 1 9000; echo and-$((1+1))",
        "Enter",
    ]);
    rig.wait_for_pane("its text", "work", |text| text.contains("and-2"));
    end_and_keep(&rig);
    let path = file_of_pane(&rig, "history");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, &bytes).unwrap();
    let (sentence, fix) = doctor(&rig).finding("sessions", "warning");
    assert!(sentence.contains("/history is damaged: "), "{sentence}");
    type_it(&rig, &fix);
    let told = rig.wait_for_pane("a word of it", "work", |text| {
        text.contains("/history is damaged: ")
    });
    assert!(told.contains(" (set aside as "), "{told}");
    let (sentence, _) = doctor(&rig).finding("sessions", "ok");
    assert!(sentence.ends_with("all of them readable"), "{sentence}");
    let (sentence, _) = doctor(&rig).finding("quarantine", "warning");
    assert!(sentence.contains("/history."), "{sentence}");
    // The next server has nothing to say of it, and has the word.
    end_and_keep(&rig);
    type_it(&rig, &fix);
    let text = rig.ok(&["capture-pane", "-p", "-S", "-", "-t", "work"]);
    assert_eq!(text.matches("/history is damaged: ").count(), 1, "{text}");
    assert!(text.contains("\n9000\n") && !text.contains("cannot be read:"));
}

#[test]
fn buffer_and_version_that_are_damaged_are_named() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "cat"]);
    rig.ok(&["set-buffer", "-b", "first", "copied"]);
    let buffer = rig.wait_for("the buffer", || {
        file_below(&state(&rig).join("buffers"), "0")
    });
    let version = state(&rig).join("store.json");
    doctor(&rig).finding("buffers", "ok");
    let harm = || {
        halve(&buffer);
        halve(&version);
    };
    harm();
    let said = doctor(&rig);
    let (sentence, fix) = said.finding("buffers", "warning");
    assert!(
        sentence.contains(&buffer.display().to_string()) && sentence.contains("is damaged"),
        "{sentence}"
    );
    assert!(fix.starts_with("shellkeep list-buffers: "), "{fix}");
    assert!(
        fix.ends_with("; then shellkeep restart-server sets the file aside"),
        "{fix}"
    );
    let (sentence, fix) = said.finding("sessions", "warning");
    assert!(sentence.contains("store.json is damaged"), "{sentence}");
    assert!(buffer.exists() && version.exists(), "looking moves nothing");
    type_command(&rig, &fix);
    let said = doctor(&rig);
    said.finding("buffers", "ok");
    said.finding("sessions", "ok");
    // Without a server.
    rig.ok(&["set-buffer", "-b", "first", "copied again"]);
    let buffer = rig.wait_for("the buffer", || {
        file_below(&state(&rig).join("buffers"), "0")
    });
    kill_both(&rig);
    halve(&buffer);
    halve(&version);
    let said = doctor(&rig);
    let (_, fix) = said.finding("buffers", "warning");
    assert_eq!(fix, "shellkeep ls sets the file aside");
    type_command(&rig, &said.finding("sessions", "warning").1);
    let said = doctor(&rig);
    said.finding("buffers", "ok");
    said.finding("sessions", "ok");
}

#[test]
fn pane_whose_files_are_gone_is_named_until_it_is_woken() {
    let Some(rig) = hibernate::rig_with("bash") else {
        return;
    };
    for name in ["stays", "work"] {
        hibernate::begin(&rig, name);
    }
    hibernate::hibernate(&rig, "work");
    let pane = |name: &str| {
        let screen = file_below(&directory_of(&state(&rig), name), "screen");
        screen.map(|screen| screen.parent().unwrap().to_owned())
    };
    let gone = rig.wait_for("its files", || pane("work"));
    std::fs::remove_dir_all(gone).unwrap();
    let (sentence, fix) = rig.wait_for("the doctor to see it", || {
        let said = doctor(&rig);
        let mut warnings = said
            .checks
            .iter()
            .filter(|check| check["status"] == "warning");
        let is_told = warnings.any(|check| check["name"] == "sessions");
        is_told.then(|| said.finding("sessions", "warning"))
    });
    assert_eq!(
        sentence,
        "1 pane of session work is not on disk any more, with all that was shown there"
    );
    assert!(fix.starts_with("shellkeep attach -t work: "), "{fix}");
    let terminal = rig.attach(&["attach", "-t", "work"], (24, 80));
    terminal.wait_for_text("what was kept cannot be read");
    rig.wait_until("peace", || {
        let said = doctor(&rig);
        let mut sessions = said
            .checks
            .iter()
            .filter(|check| check["name"] == "sessions");
        sessions.all(|check| check["status"] == "ok")
    });
    drop(terminal);
    // Without a server.
    stop(&rig);
    let gone = rig.wait_for("its files", || pane("work"));
    std::fs::remove_dir_all(gone).unwrap();
    let (sentence, _) = doctor(&rig).finding("sessions", "warning");
    assert!(
        sentence.starts_with("1 pane of session work is not on disk"),
        "{sentence}"
    );
}

#[test]
fn panes_without_a_session_are_one_when_the_fix_is_typed() {
    let rig = rig();
    for name in ["stays", "work"] {
        rig.ok(&["new", "-d", "-s", name, "--", "sh", "-c", "echo shown; cat"]);
        rig.wait_for_pane("its text", name, |text| text.contains("shown"));
    }
    rig.ok(&["kill-session", "-t", "work"]);
    let description = rig.wait_for("the archive", || {
        file_below(&state(&rig).join("archive"), "session.json")
    });
    let session = description.parent().unwrap();
    for name in ["session.json", "session.json.old"] {
        let _ = std::fs::remove_file(session.join(name));
    }
    let (sentence, fix) = doctor(&rig).finding("sessions", "warning");
    assert!(
        sentence.ends_with("only 1 pane is left, its name and layout are lost"),
        "{sentence}"
    );
    type_command(&rig, &fix);
    let id = session.file_name().unwrap().display().to_string();
    let name = format!("recovered-{id}");
    rig.wait_for_pane("its text", &name, |text| text.contains("shown"));
    rig.wait_until("peace", || {
        let said = doctor(&rig);
        said.checks
            .iter()
            .all(|check| check["name"] != "sessions" || check["status"] == "ok")
    });
}

#[test]
fn pipe_among_what_is_kept_holds_up_nobody() {
    let rig = rig();
    let id = keep_session(&rig, "work");
    let pipe = state(&rig).join(format!("sessions/{id}/session.json"));
    std::fs::remove_file(&pipe).unwrap();
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    for words in [
        &["doctor", "--json"][..],
        &["doctor", "--json", "--rebuild"],
    ] {
        let said = Said::of(&rig.run(words));
        assert_eq!(said.status, 1);
        let (sentence, _) = said.finding("sessions", "problem");
        assert!(
            sentence.contains("session.json is a pipe and no file"),
            "{sentence}"
        );
    }
    type_command(&rig, &doctor(&rig).finding("sessions", "problem").1);
    assert_eq!(doctor(&rig).status, 0);
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

#[test]
fn files_from_the_future_are_told() {
    let rig = rig();
    let id = keep_session(&rig, "work");
    let file = state(&rig).join(format!("sessions/{id}/session.json"));
    let future = SystemTime::now() + Duration::from_secs(3 * 3600 + 30);
    File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_modified(future)
        .unwrap();
    let (sentence, _) = doctor(&rig).finding("clock", "warning");
    assert!(
        sentence.contains("was written 3 hours in the future"),
        "{sentence}"
    );
}

#[test]
fn terminal_and_shell_are_judged_by_the_environment() {
    let rig = rig();
    let mut command = rig.command(&["doctor", "--json"]);
    command
        .env("TERM", "dumb")
        .env("LANG", "C")
        .env("SHELL", "/no/such/shell");
    let said = Said::of(&rig.finish(command));
    assert_eq!(said.status, 1);
    assert!(said.finding("terminal", "problem").0.contains("TERM=dumb"));
    assert!(
        said.finding("terminal", "warning")
            .0
            .contains("the locale C is not UTF-8")
    );
    assert!(
        said.finding("shell", "problem")
            .0
            .contains("SHELL=/no/such/shell is no program")
    );
    for shell in ["bash", "zsh", "fish"] {
        if crate::is_installed(shell) {
            let mut command = rig.command(&["doctor", "--json"]);
            command.env("SHELL", format!("/usr/bin/{shell}"));
            let (sentence, _) = Said::of(&rig.finish(command)).finding("shell", "ok");
            assert!(sentence.contains(&format!(" is {shell} ")), "{sentence}");
        }
    }
}

#[test]
fn limits_of_the_caller_are_judged() {
    let rig = rig();
    let mut command = rig.other_command("sh");
    command.args([
        "-c",
        "ulimit -n 512; ulimit -f 100000; exec shellkeep doctor --json",
    ]);
    let said = Said::of(&rig.finish(command));
    let told = said
        .checks
        .iter()
        .filter(|check| check["name"] == "limits" && check["status"] == "warning");
    assert_eq!(told.count(), 2, "{:#?}", said.checks);
}

#[test]
fn unit_names_this_program() {
    let rig = rig();
    let unit = rig.ok(&["doctor", "--unit"]);
    let program = env!("CARGO_BIN_EXE_shellkeep");
    assert!(
        unit.contains(&format!("ExecStart=\"{program}\" start-server")),
        "{unit}"
    );
    assert!(
        unit.contains("ExecStop=") && unit.contains("kill-server --keep"),
        "{unit}"
    );
}

#[test]
fn doctor_inside_of_a_server_says_where_it_belongs() {
    let rig = rig();
    rig.ok(&["new", "-d"]);
    let said = rig.run(&["run-shell", "-C", "doctor"]).fails();
    assert_eq!(said, "doctor is for a shell: shellkeep doctor");
}
