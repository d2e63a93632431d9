//! `doctor` where nothing can be kept: a state directory that cannot be made, a disk without room.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use shellkeep_testkit::real::Rig;

use crate::doctor::{doctor, doctor_with, state, type_command};
use crate::faults_disk::Mounted;
use crate::refused::ordinary;
use crate::rig;

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

#[test]
fn state_directory_that_cannot_be_made_is_a_problem_until_the_fix_is_typed() {
    let rig = rig();
    // A file where a directory should be.
    std::fs::remove_dir(rig.path("state")).unwrap();
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
    let fix = said.says(
        "state-directory",
        "problem",
        "state/shellkeep cannot be made, so nothing can be kept: ",
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
    let fix = said.says("saving", "problem", "No space left on device");
    assert!(fix.starts_with("df -i "), "{fix}");
    type_command(&rig, &fix);
    said.says_first("room", "problem", "no file can be made");
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
    for words in [&[][..], &["--rebuild"]] {
        let said = doctor_with(&rig, &[], words);
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
        assert!(said.is_well("sessions"), "{:#?}", said.checks);
    }
    std::fs::remove_file(filler).unwrap();
    rig.wait_until("all to be kept", || doctor(&rig).problems().is_empty());
    rig.ok(&["has-session", "-t", "late"]);
}
