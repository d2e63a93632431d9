//! Sessions and panes: their owners, their directories, and which servers may not take them.

use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

use serde_json::json;
use shellkeep_store::{Store, StoreError, StoreId};

use crate::sample::{
    self, NOW, files, new_pane, open, page, pane_id, scratch, session_id, whole_pane,
};

#[test]
fn store_is_private_in_every_file() {
    let temp = scratch();
    let store = open(temp.path());
    whole_pane(&store);
    store
        .write_session(session_id(), &json!({"name": "work"}))
        .unwrap();
    let mut left = vec![temp.path().to_owned()];
    while let Some(path) = left.pop() {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        if path.is_dir() {
            assert_eq!(mode, 0o700, "{}", path.display());
            left.extend(
                std::fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else {
            assert_eq!(mode, 0o600, "{}", path.display());
        }
    }
}

#[test]
fn session_written_is_read_back_and_the_one_before_stays() {
    let temp = scratch();
    let store = open(temp.path());
    new_pane(&store);
    let id = session_id();
    store.write_session(id, &json!({"name": "one"})).unwrap();
    store.write_session(id, &json!({"name": "two"})).unwrap();
    let kept = store.read_session(id).unwrap();
    assert_eq!(kept.body, json!({"name": "two"}));
    assert_eq!(
        (kept.label.as_str(), kept.owner.as_str()),
        ("default", "default")
    );
    assert_eq!(kept.panes, [pane_id()]);
    let path = temp.path().join(format!("sessions/{id}/session.json"));
    std::fs::write(&path, "{ broken").unwrap();
    let sweep = store.sessions();
    assert_eq!(sweep.sessions[0].body, json!({"name": "one"}));
    assert!(sweep.complaints[0].kept_at.as_ref().unwrap().exists());
    assert!(matches!(
        store.write_session(id, &json!(["not an object"])),
        Err(StoreError::Body(_))
    ));
}

#[test]
fn session_without_a_description_is_an_orphan_with_its_panes() {
    let temp = scratch();
    let store = open(temp.path());
    new_pane(&store);
    let sweep = store.sessions();
    assert!(sweep.sessions.is_empty());
    assert_eq!(
        (sweep.orphans[0].id, &sweep.orphans[0].panes[..]),
        (session_id(), &[pane_id()][..])
    );
}

#[test]
fn stores_of_different_labels_see_their_own_sessions() {
    let temp = scratch();
    let (one, two) = (
        open(temp.path()),
        Store::open(temp.path(), "work/ü").unwrap(),
    );
    assert_eq!((one.owner(), two.owner()), ("default", "work%2F%C3%BC"));
    let ids = [StoreId::new(NOW), StoreId::new(NOW + 1)];
    one.write_session(ids[0], &json!({})).unwrap();
    two.write_session(ids[1], &json!({})).unwrap();
    let seen = |store: &Store| -> Vec<_> {
        store
            .sessions()
            .sessions
            .iter()
            .map(|session| session.id)
            .collect()
    };
    assert_eq!(seen(&one), [ids[0]]);
    assert_eq!(seen(&two), [ids[1]]);
    assert_eq!(seen(&Store::look(temp.path()).unwrap()), ids);
}

#[test]
fn stores_of_one_label_leave_each_other_alone_and_inherit_from_the_dead() {
    let temp = scratch();
    let (one, two) = (open(temp.path()), open(temp.path()));
    assert_eq!((one.owner(), two.owner()), ("default", "default.2"));
    let ids = [StoreId::new(NOW), StoreId::new(NOW + 1)];
    one.write_session(ids[0], &json!({})).unwrap();
    two.write_session(ids[1], &json!({})).unwrap();
    let seen = |store: &Store| -> Vec<_> {
        store
            .sessions()
            .sessions
            .iter()
            .map(|session| session.id)
            .collect()
    };
    assert_eq!(seen(&one), [ids[0]]);
    assert_eq!(seen(&two), [ids[1]]);
    drop(two);
    assert_eq!(seen(&one), ids);
    // The first server has taken it over, so a third server must not take it.
    let three = open(temp.path());
    assert_eq!(three.owner(), "default.3");
    assert!(seen(&three).is_empty());
    drop(one);
    assert_eq!(seen(&three), ids);
}

#[test]
fn lock_is_free_again_after_the_owner_is_dropped() {
    let temp = scratch();
    for _ in 0..3 {
        assert_eq!(open(temp.path()).owner(), "default");
    }
    let clone = open(temp.path()).clone();
    assert_eq!(open(temp.path()).owner(), "default.2");
    drop(clone);
    assert!(matches!(
        Store::open(temp.path(), ""),
        Err(StoreError::Label(_))
    ));
}

#[test]
fn store_from_the_future_is_refused_and_untouched() {
    let temp = scratch();
    let text = "{\"format\": \"shellkeep store\", \"version\": 2, \"new\": []}\n";
    std::fs::write(temp.path().join("store.json"), text).unwrap();
    let before = files(temp.path());
    for result in [
        Store::open(temp.path(), "default"),
        Store::look(temp.path()),
    ] {
        let error = result.unwrap_err();
        assert!(
            matches!(
                error,
                StoreError::Newer {
                    found: 2,
                    known: 1,
                    ..
                }
            ),
            "{error}"
        );
        assert!(error.to_string().contains("store.json"));
    }
    assert_eq!(files(temp.path()), before);
    assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 1);
}

#[test]
fn broken_store_description_is_set_aside_and_replaced() {
    let temp = scratch();
    std::fs::write(temp.path().join("store.json"), "?").unwrap();
    drop(open(temp.path()));
    assert!(
        std::fs::read_to_string(temp.path().join("store.json"))
            .unwrap()
            .contains('1')
    );
    assert_eq!(
        std::fs::read_dir(temp.path().join("quarantine"))
            .unwrap()
            .count(),
        1
    );
}

#[test]
fn looking_makes_and_changes_nothing() {
    let temp = scratch();
    assert!(
        Store::look(&temp.path().join("none"))
            .unwrap()
            .sessions()
            .sessions
            .is_empty()
    );
    let store = open(temp.path());
    let pane = whole_pane(&store);
    store.write_session(session_id(), &json!({})).unwrap();
    for name in ["screen", "shell", "history", "journal.2", "../session.json"] {
        let path = pane.path().join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 3;
        bytes[last] ^= 0x10;
        std::fs::write(&path, bytes).unwrap();
    }
    let before = files(temp.path());
    let look = Store::look(temp.path()).unwrap();
    assert_eq!(look.sessions().sessions.len(), 0);
    assert_eq!(look.archived().sessions.len(), 0);
    let pane = look.pane(session_id(), pane_id());
    let mut recovery = pane.load().unwrap();
    sample::replayed(&mut recovery);
    assert!(recovery.damage.len() >= 2, "{:?}", recovery.damage);
    assert!(pane.read_shell().is_err());
    assert!(matches!(pane.write_shell(b""), Err(StoreError::LookOnly)));
    assert!(matches!(
        look.forget(session_id()),
        Err(StoreError::LookOnly)
    ));
    assert!(files(temp.path()) == before);
}

#[test]
fn archived_session_is_reopened_whole_and_forgotten_for_good() {
    let temp = scratch();
    let store = open(temp.path());
    whole_pane(&store);
    let id = session_id();
    store.write_session(id, &json!({"name": "work"})).unwrap();
    let used = store.disk_use(id);
    store.archive(id, NOW).unwrap();
    assert!(
        temp.path()
            .join(format!("archive/2026-11/{id}/session.json"))
            .exists()
    );
    assert!(store.sessions().sessions.is_empty());
    assert_eq!(store.archived().sessions[0].panes, [pane_id()]);
    assert_eq!(store.read_session(id).unwrap().body["name"], "work");
    assert_eq!(store.disk_use(id), used);
    assert!(
        store
            .pane(id, pane_id())
            .load()
            .unwrap()
            .checkpoint
            .is_some()
    );
    store.reopen(id).unwrap();
    assert!(store.archived().sessions.is_empty());
    assert_eq!(store.sessions().sessions.len(), 1);
    store.archive(id, NOW).unwrap();
    std::fs::create_dir_all(temp.path().join(format!("quarantine/{id}"))).unwrap();
    store.forget(id).unwrap();
    assert!(matches!(store.forget(id), Err(StoreError::Unknown(_))));
    assert!(matches!(store.reopen(id), Err(StoreError::Unknown(_))));
    assert!(matches!(
        store.archive(id, NOW),
        Err(StoreError::Unknown(_))
    ));
    let left = files(temp.path());
    assert!(
        left.iter()
            .all(|(path, _)| !path.to_string_lossy().contains(&id.to_string()))
    );
    assert!(store.room().unwrap() > 0);
}

#[test]
fn pane_moved_keeps_its_open_files() {
    let temp = scratch();
    let store = open(temp.path());
    let pane = new_pane(&store);
    let other = StoreId::new(NOW);
    let history = pane.load().unwrap().history;
    let mut journal = shellkeep_store::Journal::create(&pane, 1).unwrap();
    store.move_pane(session_id(), other, pane_id()).unwrap();
    journal
        .append(&shellkeep_store::Record::Reset, NOW)
        .unwrap();
    let end = history.append([page(0, "text")]).unwrap();
    let moved = store.pane(other, pane_id());
    moved.write_screen(&sample::checkpoint(1, end)).unwrap();
    let mut recovery = moved.load().unwrap();
    assert_eq!(sample::replayed(&mut recovery).len(), 1);
    assert_eq!(recovery.history.page(0).unwrap(), b"text");
    let archived = StoreId::new(NOW + 1);
    store
        .archive_pane_as(other, pane_id(), archived, &json!({"of": other}), NOW)
        .unwrap();
    assert_eq!(store.archived().sessions[0].panes, [pane_id()]);
    store.remove_pane(archived, pane_id()).unwrap();
    assert!(store.read_session(archived).unwrap().panes.is_empty());
}

#[test]
fn half_removed_session_is_swept_away() {
    let temp = scratch();
    let store = open(temp.path());
    let gone = temp.path().join(format!("sessions/.gone-{}", session_id()));
    std::fs::create_dir_all(gone.join("x")).unwrap();
    assert!(store.sessions().complaints.is_empty());
    assert!(!gone.exists());
}

#[test]
fn start_and_shell_are_kept_and_removed() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    assert_eq!(pane.read_start().unwrap(), None);
    assert_eq!(pane.read_shell().unwrap(), None);
    let start = sample::start();
    pane.write_start(&start).unwrap();
    pane.write_shell(&[0, 1, 255]).unwrap();
    assert_eq!(pane.read_start().unwrap(), Some(start));
    assert_eq!(pane.read_shell().unwrap().unwrap(), [0, 1, 255]);
    pane.remove_shell().unwrap();
    pane.remove_shell().unwrap();
    assert_eq!(pane.read_shell().unwrap(), None);
    pane.remove().unwrap();
    assert!(!pane.path().exists());
}

#[test]
fn two_thousand_sessions_are_seen_at_once() {
    let temp = scratch();
    let store = open(temp.path());
    store
        .write_session(
            session_id(),
            &json!({"name": "work", "windows": [{"panes": [pane_id()]}]}),
        )
        .unwrap();
    let text = std::fs::read(
        temp.path()
            .join(format!("sessions/{}/session.json", session_id())),
    )
    .unwrap();
    // Written without the store, because two thousand fsyncs are not what is measured.
    for number in 1..2000 {
        let dir = temp
            .path()
            .join(format!("sessions/{}", StoreId::new(NOW + number)));
        std::fs::create_dir_all(dir.join(pane_id().to_string())).unwrap();
        std::fs::write(dir.join("session.json"), &text).unwrap();
    }
    let mut took = Vec::new();
    for _ in 0..3 {
        let start = Instant::now();
        assert_eq!(store.sessions().sessions.len(), 2000);
        took.push(start.elapsed());
    }
    println!("2,000 sessions in {:?}", took.iter().min().unwrap());
    let sweep = store.sessions();
    assert!(sweep.complaints.is_empty());
    assert!(sweep.sessions.is_sorted_by_key(|session| session.id));
}

#[test]
fn session_whose_description_is_being_replaced_is_described() {
    let temp = tempfile::tempdir().unwrap();
    let store = Store::open(temp.path(), "default").unwrap();
    let id = session_id();
    assert!(!store.is_described(id));
    store.put_session(id, &json!({"name": "one"})).unwrap();
    assert!(store.is_described(id));
    // The first of the two renames.
    let dir = temp.path().join("sessions").join(id.to_string());
    std::fs::rename(dir.join("session.json"), dir.join("session.json.old")).unwrap();
    assert!(store.is_described(id));
}
