//! A store of a later version, and sessions, panes and what else is kept there when it is damaged, set aside or no file.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, SystemTime};

use shellkeep_command::cmd::doctor::Args;
use shellkeep_store::{Checkpoint, Store};
use shellkeep_testkit::doctor::{halve, keep_session, keep_session_with_pane};

use crate::{World, type_command};

#[test]
fn store_of_a_later_version_is_a_problem_and_stays_as_it_is() {
    let world = World::new();
    keep_session(&world.state(), "work");
    let later = "{\"format\": \"shellkeep store\", \"version\": 9}";
    let path = world.write("store.json", later);
    for said in [world.doctor(), world.rebuild()] {
        assert_eq!(said.status, 1);
        let fix = said.says(
            "sessions",
            "problem",
            "written by a later shellkeep (format 9",
        );
        assert!(fix.contains("or a later one"), "{fix}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), later);
    }
}

#[test]
fn files_in_quarantine_are_named() {
    let world = World::new();
    let id = keep_session(&world.state(), "work");
    let screen = world.write(&format!("quarantine/{id}/{id}/screen.1700000000000"), "x");
    world.write(&format!("quarantine/buffers/{id}.1700000000000"), "x");
    let dir = world.state().join("quarantine");
    let (sentence, fix) = world.doctor().finding("quarantine", "warning");
    for part in [
        &format!("buffers/{id}.1700000000000 (a paste buffer)")[..],
        "screen.1700000000000 (a checkpoint of a screen)",
        "2 files were found damaged and set aside",
    ] {
        assert!(sentence.contains(part), "{part}: {sentence}");
    }
    assert!(fix.ends_with(&format!("rm -r {}", dir.display())), "{fix}");
    // What only may not be read is no damage, and can be had again.
    std::fs::set_permissions(screen, Permissions::from_mode(0o000)).unwrap();
    let (sentence, fix) = world.doctor().finding("quarantine", "warning");
    let expected = "2 files were found damaged, or could not be read, and set aside";
    assert!(sentence.contains(expected), "{sentence}");
    let expected = "screen.1700000000000 (a checkpoint of a screen; it may not be read)";
    assert!(sentence.contains(expected), "{sentence}");
    let expected = format!("chmod -R u+rwX {}; look for ", dir.display());
    assert!(fix.starts_with(&expected), "{fix}");
}

#[test]
fn session_file_that_is_damaged_is_named() {
    let world = World::new();
    let id = keep_session(&world.state(), "work");
    let file = world.state().join(format!("sessions/{id}/session.json"));
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("work", "wark")).unwrap();
    world.doctor().says(
        "sessions",
        "warning",
        "session.json is damaged: its checksum is wrong",
    );
    assert!(file.exists(), "looking moves nothing");
}

#[test]
fn pipe_among_what_is_kept_holds_up_nobody() {
    let world = World::new();
    let id = keep_session(&world.state(), "work");
    let pipe = world.state().join(format!("sessions/{id}/session.json"));
    std::fs::remove_file(&pipe).unwrap();
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    for said in [world.doctor(), world.rebuild()] {
        assert_eq!(said.status, 1);
        said.says("sessions", "problem", "session.json is a pipe and no file");
    }
    type_command(&world.doctor().finding("sessions", "problem").1);
    assert_eq!(world.doctor().status, 0);
}

#[test]
fn state_of_a_shell_that_is_damaged_is_named() {
    let world = World::new();
    let store = Store::open(&world.state(), "default").unwrap();
    let (id, pane) = keep_session_with_pane(&store, "work");
    let pane = store.pane(id, pane);
    pane.write_shell(b"what a shell was like").unwrap();
    world
        .doctor()
        .says_at_its_end("sessions", "ok", "all of them readable");
    halve(&pane.path().join("shell"));
    let fix = world.doctor().says_at_its_end(
        "sessions",
        "warning",
        "/shell is damaged: it ends in the middle (session work)",
    );
    assert!(fix.starts_with("shellkeep attach -t work: "), "{fix}");
    let said = world.examine_as("other", &Args::default(), &[]);
    let (_, fix) = said.finding("sessions", "warning");
    assert!(
        fix.starts_with("shellkeep -L default attach -t work: "),
        "{fix}"
    );
    let aside = world.state().join("quarantine").join(id.to_string());
    assert!(
        pane.path().join("shell").exists() && !aside.exists(),
        "looking moves nothing"
    );
}

#[test]
fn screen_that_is_damaged_in_the_archive_is_named() {
    let world = World::new();
    let store = Store::open(&world.state(), "default").unwrap();
    let (id, pane_id) = keep_session_with_pane(&store, "work");
    let checkpoint = Checkpoint {
        journal: 1,
        history_end: 0,
        time: 1_700_000_000_000,
        facts: serde_json::json!({ "title": "shown" }),
        dump: b"shown".to_vec(),
    };
    let pane = store.pane(id, pane_id);
    pane.write_screen(&checkpoint).unwrap();
    store.archive(id, 1_700_000_000_000).unwrap();
    let screen = store.pane(id, pane_id).path().join("screen");
    keep_session(&world.state(), "stays");
    let (sentence, _) = world.doctor().finding("sessions", "ok");
    assert_eq!(
        sentence,
        "1 session kept, 1 in the archive, all of them readable"
    );
    std::fs::write(&screen, "").unwrap();
    for said in [world.doctor(), world.rebuild()] {
        let (sentence, fix) = said.finding("sessions", "warning");
        let expected = "/screen is damaged: it ends in the middle (session work, in the archive)";
        assert!(sentence.ends_with(expected), "{sentence}");
        let expected = format!("shellkeep reopen {id}: ");
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

#[test]
fn files_from_the_future_are_told() {
    let world = World::new();
    let id = keep_session(&world.state(), "work");
    let file = world.state().join(format!("sessions/{id}/session.json"));
    let future = SystemTime::now() + Duration::from_secs(3 * 3600 + 30);
    let file = File::options().write(true).open(&file).unwrap();
    file.set_modified(future).unwrap();
    world
        .doctor()
        .says("clock", "warning", "was written 3 hours in the future");
}
