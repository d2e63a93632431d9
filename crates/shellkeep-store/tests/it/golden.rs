//! The bytes of version 1, stored in the repository: they must stay the same, and stay readable.
//!
//! Written with `SHELLKEEP_WRITE_GOLDEN=1`. A new zstd may compress differently: then the old files must still be read,
//! and may be kept beside new ones.

use std::path::{Path, PathBuf};

use serde_json::json;
use shellkeep_store::{History, Store, StoreError};

use crate::sample::{self, files, open, pane_id, replayed, scratch, session_id, whole_pane};

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/v1")
}

/// A store with one of every file.
fn write_store(root: &Path) {
    let store = open(root);
    whole_pane(&store);
    store
        .write_session(session_id(), &json!({"name": "first"}))
        .unwrap();
    let body =
        json!({"name": "work", "tags": ["a"], "windows": [{"index": 0, "panes": [pane_id()]}]});
    store.write_session(session_id(), &body).unwrap();
    let (id, buffer) = sample::buffer();
    store.put_buffer(id, &buffer).unwrap();
}

/// Without the locks, which contain a pid.
fn lasting(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = files(root);
    found.retain(|(path, _)| !path.starts_with("servers"));
    found
}

#[test]
fn bytes_written_are_those_of_version_one() {
    let temp = scratch();
    write_store(temp.path());
    if std::env::var_os("SHELLKEEP_WRITE_GOLDEN").is_some() {
        for (path, bytes) in lasting(temp.path()) {
            let path = kept().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }
    let (written, kept) = (lasting(temp.path()), lasting(&kept()));
    let names = |files: &[(PathBuf, Vec<u8>)]| -> Vec<_> {
        files.iter().map(|(path, _)| path.clone()).collect()
    };
    assert_eq!(names(&written), names(&kept));
    for ((path, written), (_, kept)) in written.iter().zip(&kept) {
        assert!(
            written == kept,
            "{} is not written as version 1 any more",
            path.display()
        );
    }
}

#[test]
fn store_of_version_one_is_read() {
    let look = Store::look(&kept()).unwrap();
    let sweep = look.sessions();
    assert!(sweep.complaints.is_empty() && sweep.orphans.is_empty());
    let session = &sweep.sessions[0];
    assert_eq!(
        (session.id, &session.panes[..]),
        (session_id(), &[pane_id()][..])
    );
    assert_eq!(
        (session.body["name"].as_str(), session.label.as_str()),
        (Some("work"), "default")
    );
    let pane = look.pane(session_id(), pane_id());
    let mut recovery = pane.load().unwrap();
    assert_eq!(
        recovery.checkpoint,
        Some(sample::checkpoint(2, recovery.history.end()))
    );
    assert_eq!(
        replayed(&mut recovery).len(),
        sample::every_record().len() + 1
    );
    assert_eq!(recovery.next_journal, 4);
    assert_eq!(recovery.history.page(0).unwrap(), b"one\ntwo\nthree\n");
    assert_eq!(recovery.history.page(1).unwrap(), b"one\ntwo\nfour\n");
    assert!(recovery.damage.is_empty());
    assert_eq!(pane.read_start().unwrap(), Some(sample::start()));
    assert_eq!(
        pane.read_shell().unwrap().unwrap(),
        b"declare -x EDITOR=vim\n"
    );
}

#[test]
fn buffer_of_version_one_is_read() {
    let temp = scratch();
    let (id, buffer) = sample::buffer();
    let store = open(temp.path());
    let dir = temp.path().join("buffers");
    std::fs::create_dir(&dir).unwrap();
    let kept = kept().join("buffers").join(id.to_string());
    std::fs::copy(kept, dir.join(id.to_string())).unwrap();
    assert_eq!(store.buffers().buffers, [(id, buffer)]);
}

/// The same header with another version, as a later shellkeep would write it.
fn from_the_future(bytes: &[u8]) -> Vec<u8> {
    let mut later = bytes.to_vec();
    later[4] = 9;
    let check = crc32fast::hash(&later[..12]);
    later[12..16].copy_from_slice(&check.to_le_bytes());
    later
}

#[test]
fn pane_with_a_file_from_the_future_is_refused_and_untouched() {
    for name in ["screen", "history", "journal.2", "journal.3"] {
        let temp = scratch();
        let store = open(temp.path());
        let pane = whole_pane(&store);
        let path = pane.path().join(name);
        let later = from_the_future(&std::fs::read(&path).unwrap());
        std::fs::write(&path, later).unwrap();
        let before = files(temp.path());
        let error = pane.load().unwrap_err().to_string();
        assert!(
            error.contains(name) && error.contains("later shellkeep"),
            "{error}"
        );
        assert!(files(temp.path()) == before, "{name}");
    }
}

#[test]
fn nothing_is_written_in_the_place_of_a_file_from_the_future() {
    let temp = scratch();
    let store = open(temp.path());
    let pane = whole_pane(&store);
    for name in ["screen", "history", "start", "shell"] {
        let path = pane.path().join(name);
        let later = from_the_future(&std::fs::read(&path).unwrap());
        std::fs::write(&path, later).unwrap();
    }
    let before = files(temp.path());
    let tries = [
        pane.write_screen(&sample::checkpoint(9, 0)),
        pane.write_start(&sample::start()),
        pane.write_shell(b"state"),
        pane.remove_shell(),
        History::open(&pane, 0).map(|_| ()),
    ];
    for tried in tries {
        assert!(matches!(tried, Err(StoreError::Newer { .. })), "{tried:?}");
    }
    assert!(files(temp.path()) == before);
}

#[test]
fn start_and_shell_from_the_future_are_refused_and_untouched() {
    let temp = scratch();
    let pane = whole_pane(&open(temp.path()));
    for name in ["start", "shell"] {
        let path = pane.path().join(name);
        let later = from_the_future(&std::fs::read(&path).unwrap());
        std::fs::write(&path, later).unwrap();
    }
    let before = files(temp.path());
    for error in [
        pane.read_start().unwrap_err(),
        pane.read_shell().unwrap_err(),
    ] {
        assert!(error.to_string().contains("later shellkeep"), "{error}");
    }
    assert!(files(temp.path()) == before);
}

#[test]
fn session_from_the_future_is_refused_and_untouched() {
    let temp = scratch();
    let store = open(temp.path());
    store.write_session(session_id(), &json!({})).unwrap();
    store.write_session(session_id(), &json!({})).unwrap();
    let path = temp
        .path()
        .join(format!("sessions/{}/session.json", session_id()));
    let check = crc32fast::hash(b"2\n{\"new\":true}");
    let text = format!(
        "{{\"format\":\"shellkeep session\",\"version\":2,\"check\":\"{check:08x}\",\"body\":{{\"new\":true}}}}"
    );
    std::fs::write(&path, text).unwrap();
    let before = files(temp.path());
    let sweep = store.sessions();
    assert!(sweep.sessions.is_empty() && sweep.orphans.is_empty());
    assert!(sweep.complaints[0].to_string().contains("later shellkeep"));
    for tried in [
        store.write_session(session_id(), &json!({})),
        store.put_session(session_id(), &json!({})),
    ] {
        assert!(matches!(tried, Err(StoreError::Newer { .. })), "{tried:?}");
    }
    assert!(files(temp.path()) == before);
}
