//! `doctor` of what is kept of panes and buffers when it is damaged or gone while a server is at work, and of what comes back.

use std::path::{Path, PathBuf};

use nix::sys::signal::Signal;
use serde_json::Value;
use shellkeep_testkit::doctor::halve;
use shellkeep_testkit::real::Rig;

use crate::doctor::{doctor, state, type_command};
use crate::faults::{directory_of, file_below, stop};
use crate::keeping::kill_both;
use crate::{hibernate, rig};

/// The only file of this name among those of the panes of the session that is kept under this name.
#[track_caller]
fn file_of_pane(rig: &Rig, session: &str, name: &str) -> PathBuf {
    let session = directory_of(&state(rig), session);
    let mut found = Vec::new();
    for pane in std::fs::read_dir(session).unwrap().flatten() {
        let path = pane.path().join(name);
        found.extend(path.exists().then_some(path));
    }
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// The doctor finds all of the sessions in order.
#[track_caller]
fn all_are_readable(rig: &Rig) {
    doctor(rig).says_at_its_end("sessions", "ok", "all of them readable");
}

/// A session whose shell has run this line, in a terminal that is wide enough for what is said.
fn open_wide(rig: &Rig, session: &str, line: &str, shown: &str) {
    rig.ok(&["new", "-d", "-s", session, "-x", "300", "-y", "24"]);
    rig.wait_for_pane("a prompt", session, |text| text.contains('$'));
    rig.enter(session, line);
    rig.wait_for_pane("its text", session, |text| text.contains(shown));
}

#[test]
fn screen_or_page_that_is_damaged_is_named_and_told_once_in_its_pane() {
    let rig = rig();
    open_wide(&rig, "work", "echo shown-$((1+1))", "shown-2");
    rig.ok(&["hibernate", "--force", "-t", "work"]);
    rig.end_and_keep();
    let screen = file_of_pane(&rig, "work", "screen");
    assert!(!screen.with_file_name("history").exists());
    std::fs::remove_file(screen).unwrap();
    // The journal has it.
    all_are_readable(&rig);
    std::fs::remove_file(file_of_pane(&rig, "work", "journal.1.old")).unwrap();
    let (sentence, fix) = doctor(&rig).finding("sessions", "warning");
    let expected = "/screen is damaged: it is not there (session work)";
    assert!(sentence.ends_with(expected), "{sentence}");
    assert!(fix.starts_with("shellkeep attach -t work: "), "{fix}");
    let terminal = rig.attach(&["attach", "-t", "work"], (24, 300));
    terminal.wait_for_text("/screen is damaged: it is not there]");
    rig.wait_until("a checkpoint", || doctor(&rig).is_well("sessions"));
    all_are_readable(&rig);
    drop(terminal);

    open_wide(&rig, "long", "seq 1 9000; echo and-$((1+1))", "and-2");
    rig.end_and_keep();
    let path = file_of_pane(&rig, "long", "history");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, &bytes).unwrap();
    let fix = doctor(&rig).says("sessions", "warning", "/history is damaged: ");
    rig.sh(&fix).ok();
    let told = rig.wait_for_pane("a word of it", "long", |text| {
        text.contains("/history is damaged: ")
    });
    assert!(told.contains(" (set aside as "), "{told}");
    all_are_readable(&rig);
    doctor(&rig).says("quarantine", "warning", "/history.");
    // The next server has nothing to say of it, and has the word.
    rig.end_and_keep();
    rig.sh(&fix).ok();
    let text = rig.ok(&["capture-pane", "-p", "-S", "-", "-t", "long"]);
    assert_eq!(text.matches("/history is damaged: ").count(), 1, "{text}");
    assert!(text.contains("\n9000\n") && !text.contains("cannot be read:"));
}

/// What `stats` says of a session.
fn stats_of(rig: &Rig, name: &str) -> Value {
    let stats: Value = serde_json::from_str(&rig.ok(&["stats", "--json"])).unwrap();
    let sessions = stats["sessions"].as_array().unwrap().iter();
    let mut named = sessions.filter(|session| session["session_name"] == name);
    named.next().unwrap().clone()
}

#[test]
fn pane_whose_files_are_gone_is_named_and_not_said_to_be_saved_until_it_is_woken() {
    let Some(rig) = hibernate::rig_with("bash") else {
        return;
    };
    for name in ["stays", "work"] {
        hibernate::begin(&rig, name);
    }
    hibernate::hibernate(&rig, "work");
    // A screen that was looked at stays in memory for a while.
    rig.server().signal(Signal::SIGTERM);
    rig.wait_until("the server's end", || rig.find_server().is_none());
    assert_eq!(stats_of(&rig, "work")["saved"], "yes");
    let pane = |name: &str| {
        let screen = file_below(&directory_of(&state(&rig), name), "screen");
        screen.map(|screen| screen.parent().unwrap().to_owned())
    };
    let remove = || -> PathBuf {
        let gone = rig.wait_for("its files", || pane("work"));
        std::fs::remove_dir_all(&gone).unwrap();
        gone
    };
    let gone = remove();
    assert_eq!(stats_of(&rig, "stays")["saved"], "yes");
    let said = stats_of(&rig, "work");
    assert_eq!(said["saved"], "lost");
    assert_eq!(said["saved_error"], format!("{} is gone", gone.display()));
    let text = rig.ok(&["stats"]);
    assert!(
        text.contains("; but files of 1 session are gone\n"),
        "{text}"
    );
    let (sentence, fix) = rig.wait_for("the doctor to see it", || {
        let said = doctor(&rig);
        (!said.is_well("sessions")).then(|| said.finding("sessions", "warning"))
    });
    assert_eq!(
        sentence,
        "1 pane of session work is not on disk any more, with all that was shown there"
    );
    assert!(fix.starts_with("shellkeep attach -t work: "), "{fix}");
    let terminal = rig.attach(&["attach", "-t", "work"], (24, 80));
    terminal.wait_for_text("what was kept cannot be read");
    rig.wait_until("peace", || doctor(&rig).is_well("sessions"));
    terminal.enter("echo awake-$((40+2))");
    terminal.wait_for_text("awake-42");
    rig.wait_until("it to be kept again", || {
        stats_of(&rig, "work")["saved"] == "yes"
    });
    drop(terminal);
    // Without a server.
    stop(&rig);
    remove();
    doctor(&rig).says_first(
        "sessions",
        "warning",
        "1 pane of session work is not on disk",
    );
}

/// The first directory of a pane in that of a session.
fn pane_below(session: &Path) -> PathBuf {
    let entries = std::fs::read_dir(session).unwrap().flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.find(|path| path.is_dir()).unwrap()
}

#[test]
fn panes_without_a_session_are_told_and_come_back_when_the_fix_is_typed() {
    let rig = rig();
    for name in ["stays", "stray", "work"] {
        rig.open_saying(name, &format!("text-of-{name}"));
    }
    // Nothing but its panes is left of one in the archive.
    rig.ok(&["kill-session", "-t", "work"]);
    let description = rig.wait_for("the archive", || {
        file_below(&state(&rig).join("archive"), "session.json")
    });
    let session = description.parent().unwrap();
    for name in ["session.json", "session.json.old"] {
        let _ = std::fs::remove_file(session.join(name));
    }
    let fix = doctor(&rig).says_at_its_end(
        "sessions",
        "warning",
        "only 1 pane is left, its name and layout are lost",
    );
    type_command(&rig, &fix);
    let id = session.file_name().unwrap().display().to_string();
    let of_archive = format!("recovered-{id}");
    rig.wait_for_pane("its text", &of_archive, |text| {
        text.contains("text-of-work")
    });
    rig.wait_until("peace", || doctor(&rig).is_well("sessions"));

    rig.end_and_keep();
    // As a server left it that had no place for a pane: in the directory of another session, and in no description.
    let strays = directory_of(&state(&rig), "stray");
    let pane = pane_below(&strays);
    let stray = directory_of(&state(&rig), "stays").join(pane.file_name().unwrap());
    std::fs::rename(&pane, &stray).unwrap();
    std::fs::remove_dir_all(&strays).unwrap();
    let (sentence, fix) = doctor(&rig).finding("sessions", "warning");
    assert_eq!(
        sentence,
        format!("{} belongs to no session", stray.display())
    );
    type_command(&rig, &fix);
    let names = rig.ok(&["ls", "-F", "#{session_name}"]);
    let mut names = names.lines();
    let recovered = names.find(|name| name.starts_with("recovered-") && *name != of_archive);
    let capture = ["capture-pane", "-p", "-t", recovered.unwrap()];
    let text = rig.ok(&capture);
    assert!(text.contains("text-of-stray"), "{text}");
    rig.end_and_keep();
    let (sentence, _) = doctor(&rig).finding("sessions", "ok");
    assert_eq!(
        sentence,
        "3 sessions kept, 0 in the archive, all of them readable"
    );
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
    let fix = said.says("sessions", "warning", "store.json is damaged");
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
