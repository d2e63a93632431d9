//! Files that are made durable together: nothing is in effect before it is finished, and nothing is left of what is
//! dropped.

use serde_json::json;
use shellkeep_store::{Page, Unsynced, sync_dirs, sync_together};

use crate::sample::{self, new_pane, open, page, scratch, session_id};

#[test]
fn unfinished_files_have_no_effect() {
    let temp = scratch();
    let store = open(temp.path());
    let pane = new_pane(&store);
    let history = pane.load().unwrap().history;
    let end = history.append([page(0, "kept")]).unwrap();
    pane.write_screen(&sample::checkpoint(1, end)).unwrap();
    pane.write_shell(b"old").unwrap();
    store
        .write_session(session_id(), &json!({"name": "old"}))
        .unwrap();
    let files = |path: &std::path::Path| {
        let entries = std::fs::read_dir(path).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = files(pane.path());
    let (pages, later_end) = history.append_unsynced([page(1, "new")]).unwrap();
    assert!(later_end > end);
    let written = [
        Unsynced::from(pages.unwrap()),
        pane.write_screen_unsynced(&sample::checkpoint(2, later_end))
            .unwrap(),
        pane.write_shell_unsynced(b"new").unwrap(),
        store
            .write_session_unsynced(session_id(), &json!({"name": "new"}))
            .unwrap(),
    ];
    assert_eq!(history.page(1), None);
    let refs: Vec<&Unsynced> = written.iter().collect();
    assert!(sync_together(&refs).iter().all(Result::is_ok));
    drop(written);
    assert_eq!(files(pane.path()), before);
    assert_eq!(history.end(), end);
    assert_eq!(pane.read_screen().unwrap().unwrap().journal, 1);
    assert_eq!(pane.read_shell().unwrap().unwrap(), b"old");
    let session = store.read_session(session_id()).unwrap();
    assert_eq!(session.body["name"], "old");
    let length = std::fs::metadata(pane.path().join("history"))
        .unwrap()
        .len();
    assert_eq!(length, end);
}

#[test]
fn finished_files_are_found() {
    let temp = scratch();
    let store = open(temp.path());
    let pane = new_pane(&store);
    let history = pane.load().unwrap().history;
    let (pages, end) = history.append_unsynced([page(0, "one")]).unwrap();
    let written = vec![
        Unsynced::from(pages.unwrap()),
        pane.write_screen_unsynced(&sample::checkpoint(2, end))
            .unwrap(),
        pane.write_shell_unsynced(b"state").unwrap(),
        store
            .write_session_unsynced(session_id(), &json!({"name": "new"}))
            .unwrap(),
    ];
    let refs: Vec<&Unsynced> = written.iter().collect();
    assert!(sync_together(&refs).iter().all(Result::is_ok));
    let dirs: Vec<_> = written.iter().filter_map(Unsynced::dir).collect();
    let dirs: Vec<_> = dirs.into_iter().map(Into::into).collect();
    for one in written {
        one.finish().unwrap();
    }
    assert!(sync_dirs(&dirs).iter().all(Result::is_ok));
    assert_eq!(
        (history.end(), history.page(0)),
        (end, Some(b"one".to_vec()))
    );
    let recovery = pane.load().unwrap();
    assert!(recovery.damage.is_empty());
    assert_eq!(recovery.history.page(0).unwrap(), b"one");
    assert_eq!(pane.read_shell().unwrap().unwrap(), b"state");
    let session = store.read_session(session_id()).unwrap();
    assert_eq!(session.body["name"], "new");
    let nothing: [Page; 0] = [];
    assert!(history.append_unsynced(nothing).unwrap().0.is_none());
}
