//! A catalogue that is broken, damaged inside or of a later version, and `--rebuild`.

use serde_json::Value;
use shellkeep_command::cmd::doctor::Args;
use shellkeep_store::catalogue::{Catalogue, Filter};
use shellkeep_testkit::doctor::keep_session;

use crate::{World, type_command, type_it};

#[test]
fn catalogue_that_cannot_be_opened_goes_when_the_fix_is_typed() {
    let world = World::new();
    keep_session(&world.state(), "work");
    std::fs::create_dir_all(world.state().join("catalogue.db/inside")).unwrap();
    let (_, fix) = world.doctor().finding("catalogue", "problem");
    type_command(&fix);
    assert_eq!(world.rebuild().status, 0);
    assert_eq!(
        world.doctor().finding("catalogue", "ok").0,
        "sound, with 1 session"
    );
}

#[test]
fn catalogue_broken_is_a_problem_until_it_is_rebuilt() {
    let world = World::new();
    let id = keep_session(&world.state(), "work");
    let path = world.write("catalogue.db", [0xa5; 9000]);
    let said = world.doctor();
    assert_eq!(said.status, 1);
    let fix = said.says(
        "catalogue",
        "problem",
        "it is broken; no session depends on it",
    );
    assert_eq!(
        std::fs::read(&path).unwrap(),
        [0xa5; 9000],
        "looking changes nothing"
    );
    assert_eq!(fix, "shellkeep doctor --rebuild");
    assert_eq!(world.rebuild().status, 0);

    let said = world.doctor();
    assert_eq!(said.problems(), Vec::<&Value>::new());
    let (sentence, _) = said.finding("catalogue", "ok");
    assert_eq!(sentence, "sound, with 1 session");
    let mut catalogue = Catalogue::open(&world.state()).unwrap().catalogue;
    let listed = catalogue.list(&Filter::default()).unwrap();
    assert_eq!((listed[0].id, &listed[0].name[..]), (id, "work"));
    // The broken catalogue stays until the user deletes it.
    let fix = said.says_first(
        "catalogue",
        "warning",
        "1 catalogue that could not be used lies beside it",
    );
    type_it(&fix);
    assert!(world.doctor().is_well("catalogue"));
}

#[test]
fn catalogue_damaged_inside_is_found_and_rebuilt() {
    let world = World::new();
    keep_session(&world.state(), "work");
    assert_eq!(world.rebuild().status, 0);
    let path = world.state().join("catalogue.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // The first two pages are what is looked at when it is opened; every other one is hit.
    bytes[2 * 4096..].fill(0x5a);
    std::fs::write(&path, &bytes).unwrap();
    let said = world.doctor();
    assert_eq!(said.status, 1);
    said.says_first("catalogue", "problem", "the catalogue is damaged");
    assert_eq!(
        std::fs::read(&path).unwrap(),
        bytes,
        "looking changes nothing"
    );
    let said = world.rebuild();
    assert_eq!(said.problems(), Vec::<&Value>::new());
    assert_eq!(
        said.finding("rebuild", "ok").0,
        "the catalogue was made anew, with 1 session"
    );
}

#[test]
fn catalogue_of_a_later_version_is_rebuilt_only_with_leave() {
    let world = World::new();
    keep_session(&world.state(), "work");
    drop(Catalogue::open(&world.state()).unwrap());
    let path = world.state().join("catalogue.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // Where SQLite keeps the user's version.
    bytes[60..64].copy_from_slice(&9u32.to_be_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let said = world.rebuild();
    assert_eq!(said.status, 1);
    let fix = said.says(
        "rebuild",
        "problem",
        "later version 9 and was left as it is",
    );
    assert!(fix.contains("doctor --rebuild -y"), "{fix}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let said = world.examine(&Args {
        rebuild: true,
        yes: true,
        ..Args::default()
    });
    assert_eq!(said.finding("catalogue", "ok").0, "sound, with 1 session");
}
