//! Symbolic links in place of directories: their targets are not read, written or removed.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::json;
use shellkeep_store::{Store, StoreError};

use crate::sample::{NOW, buffer, files, open, page, pane_id, scratch, session_id, whole_pane};

/// Moves a directory out of the store, and leaves a link to it.
fn move_out(root: &Path, dir: &Path) -> PathBuf {
    let outside = root.with_extension("outside");
    std::fs::rename(dir, &outside).unwrap();
    symlink(&outside, dir).unwrap();
    outside
}

fn filled(root: &Path) -> Store {
    let store = open(root);
    store
        .write_session(session_id(), &json!({"session": {"name": "a"}}))
        .unwrap();
    whole_pane(&store);
    let (id, buffer) = buffer();
    store.put_buffer(id, &buffer).unwrap();
    store
}

fn is_link(error: &StoreError) -> bool {
    error.to_string().ends_with("it is a symbolic link")
}

#[test]
fn link_in_place_of_a_pane_is_set_aside_and_the_pane_begins_anew() {
    let temp = scratch();
    let root = temp.path().join("state");
    let store = filled(&root);
    let pane = store.pane(session_id(), pane_id());
    let outside = move_out(&root, pane.path());
    let before = files(&outside);
    let looked = Store::look(&root).unwrap();
    let seen = looked.pane(session_id(), pane_id());
    assert!(is_link(&seen.load().unwrap_err()));
    assert!(is_link(&seen.inspect().unwrap_err()));
    assert!(is_link(&seen.read_shell().unwrap_err()));
    let recovery = pane.load().unwrap();
    assert_eq!(recovery.damage.len(), 1, "{:?}", recovery.damage);
    assert_eq!(recovery.damage[0].what, "it is a symbolic link");
    let aside = recovery.damage[0].kept_at.clone().unwrap();
    assert_eq!(std::fs::read_link(aside).unwrap(), outside);
    assert!(recovery.checkpoint.is_none());
    pane.create().unwrap();
    recovery.history.append([page(0, "new\n")]).unwrap();
    pane.write_shell(b"new").unwrap();
    assert!(pane.is_there());
    assert_eq!(files(&outside), before);
}

#[test]
fn link_in_place_of_a_session_is_told_of_and_left() {
    let temp = scratch();
    let root = temp.path().join("state");
    let store = filled(&root);
    let dir = root.join("sessions").join(session_id().to_string());
    let outside = move_out(&root, &dir);
    let before = files(&outside);
    let sweep = store.sessions();
    assert!(sweep.sessions.is_empty() && sweep.orphans.is_empty());
    assert!(
        is_link(&sweep.complaints[0].error),
        "{:?}",
        sweep.complaints
    );
    let body = json!({"session": {"name": "b"}});
    assert!(is_link(
        &store.write_session(session_id(), &body).unwrap_err()
    ));
    assert!(is_link(
        &store.put_session(session_id(), &body).unwrap_err()
    ));
    assert!(is_link(&store.mark_closed(session_id()).unwrap_err()));
    let pane = store.pane(session_id(), pane_id());
    assert!(is_link(&pane.load().unwrap_err()));
    assert!(is_link(&pane.create().unwrap_err()));
    assert!(store.archive(session_id(), NOW).is_err());
    // The link is deleted.
    store.forget(session_id()).unwrap();
    assert!(dir.symlink_metadata().is_err());
    assert_eq!(files(&outside), before);
}

#[test]
fn link_in_place_of_a_part_of_the_store_has_it_wait() {
    for name in ["sessions", "archive", "quarantine", "servers", "buffers"] {
        let temp = scratch();
        let root = temp.path().join("state");
        drop(filled(&root));
        let outside = move_out(&root, &root.join(name));
        let before = files(&outside);
        let store = Store::open_or_wait(&root, "default").unwrap();
        let why = store.waits_because().unwrap_or_default();
        assert!(why.ends_with("it is a symbolic link"), "{name}: {why}");
        assert!(store.make_ready().is_err(), "{name}");
        let (id, buffer) = buffer();
        assert!(store.put_buffer(id, &buffer).is_err(), "{name}");
        let _ = (store.sessions(), store.archived(), store.buffers());
        assert_eq!(files(&outside), before, "{name}");
        // The store becomes ready when the directory is back.
        std::fs::remove_file(root.join(name)).unwrap();
        std::fs::rename(&outside, root.join(name)).unwrap();
        store.make_ready().unwrap();
        assert_eq!(store.sessions().sessions.len(), 1, "{name}");
    }
}

#[test]
fn state_directory_may_be_a_link() {
    let temp = scratch();
    std::fs::create_dir(temp.path().join("real")).unwrap();
    symlink(temp.path().join("real"), temp.path().join("state")).unwrap();
    let root = temp.path().join("state");
    drop(filled(&root));
    let store = open(&root);
    assert_eq!(store.sessions().sessions.len(), 1);
    let recovery = store.pane(session_id(), pane_id()).load().unwrap();
    assert!(recovery.damage.is_empty() && recovery.checkpoint.is_some());
}
