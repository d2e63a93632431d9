//! `doctor` of a store of a later version, and of sessions, buffers and what else is kept there when it is damaged, set aside or
//! no file.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use crate::doctor::{Said, doctor, halve, keep_session, state, type_command};
use crate::faults::file_below;
use crate::keeping::kill_both;
use crate::rig;

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
fn panes_without_a_session_are_one_when_the_fix_is_typed() {
    let rig = rig();
    for name in ["stays", "work"] {
        rig.open(name, "echo shown; cat");
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
