//! `doctor` of what is kept of a pane, its screen, its history and its shell's state, when it is damaged or gone.

use std::fs::File;
use std::path::PathBuf;

use shellkeep_store::schema::{PaneHome, SessionFile, StoredPane, StoredSession, StoredWindow};
use shellkeep_store::{Store, StoreId};
use shellkeep_testkit::real::Rig;

use crate::doctor::{Said, doctor, halve, keep_session, state, type_command, type_it};
use crate::faults::{directory_of, file_below, stop};
use crate::{hibernate, rig};

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

/// The description of a session `work` with one pane.
fn file_with_pane(home: PaneHome) -> serde_json::Value {
    let pane = StoredPane {
        home: Some(home),
        ..StoredPane::default()
    };
    let window = StoredWindow {
        panes: vec![pane],
        ..StoredWindow::default()
    };
    let session = StoredSession {
        name: "work".to_owned(),
        ..StoredSession::default()
    };
    let file = SessionFile {
        session,
        windows: vec![window],
        part_of: None,
    };
    serde_json::to_value(file).unwrap()
}

/// Ends the server, and keeps all that it has.
fn end_and_keep(rig: &Rig) {
    rig.ok(&["kill-server", "--keep"]);
    rig.wait_until("the end", || rig.processes().is_empty());
}

#[test]
fn state_of_a_shell_that_is_damaged_is_named() {
    let rig = rig();
    let id = keep_session(&rig, "work");
    let store = Store::open(&state(&rig), "default").unwrap();
    let pane_id = StoreId::new(1_700_000_000_001);
    let home = PaneHome {
        session: id,
        pane: pane_id,
    };
    store.write_session(id, &file_with_pane(home)).unwrap();
    let pane = store.pane(id, pane_id);
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
        rig.open(name, "echo shown; cat");
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

#[test]
fn screen_that_is_gone_is_named_and_its_pane_says_so_once() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "-x", "300", "-y", "24"]);
    rig.wait_for_pane("a prompt", "work", |text| text.contains('$'));
    rig.enter("work", "echo shown-$((1+1))");
    rig.wait_for_pane("its text", "work", |text| text.contains("shown-2"));
    rig.ok(&["hibernate", "--force", "-t", "work"]);
    end_and_keep(&rig);
    assert!(
        !file_of_pane(&rig, "screen")
            .with_file_name("history")
            .exists()
    );
    std::fs::remove_file(file_of_pane(&rig, "screen")).unwrap();
    let (sentence, _) = doctor(&rig).finding("sessions", "ok");
    let expected = "all of them readable";
    assert!(
        sentence.ends_with(expected),
        "the journal has it: {sentence}"
    );
    std::fs::remove_file(file_of_pane(&rig, "journal.1.old")).unwrap();
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
    rig.enter("work", "seq 1 9000; echo and-$((1+1))");
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
fn pane_that_no_session_names_is_told_and_comes_back() {
    let rig = rig();
    for name in ["stays", "work"] {
        rig.open(name, &format!("echo text-of-{name}; cat"));
        rig.wait_for_pane("its text", name, |text| text.contains("text-of"));
    }
    end_and_keep(&rig);
    // As a server left it that had no place for a pane: in the directory of another session, and in no description.
    let (stays, work) = (
        directory_of(&state(&rig), "stays"),
        directory_of(&state(&rig), "work"),
    );
    let pane = std::fs::read_dir(&work).unwrap().flatten();
    let pane = pane
        .map(|entry| entry.path())
        .find(|path| path.is_dir())
        .unwrap();
    let stray = stays.join(pane.file_name().unwrap());
    std::fs::rename(&pane, &stray).unwrap();
    std::fs::remove_dir_all(&work).unwrap();
    let (sentence, fix) = doctor(&rig).finding("sessions", "warning");
    assert_eq!(
        sentence,
        format!("{} belongs to no session", stray.display())
    );
    type_command(&rig, &fix);
    let names = rig.ok(&["ls", "-F", "#{session_name}"]);
    let recovered = names
        .lines()
        .find(|name| name.starts_with("recovered-"))
        .unwrap();
    assert!(
        rig.ok(&["capture-pane", "-p", "-t", recovered])
            .contains("text-of-work")
    );
    end_and_keep(&rig);
    let (sentence, _) = doctor(&rig).finding("sessions", "ok");
    assert_eq!(
        sentence,
        "2 sessions kept, 0 in the archive, all of them readable"
    );
}
