//! `doctor` of a catalogue that is broken, locked, damaged inside or of a later version, and `doctor --rebuild`.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;
use shellkeep_store::catalogue::{Catalogue, Filter};

use crate::doctor::{Said, doctor, keep_session, state, type_command, type_it};
use crate::rig;

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
