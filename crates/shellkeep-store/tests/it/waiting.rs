//! A store that cannot be opened when its server starts, and what happens later.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::json;
use shellkeep_store::{Store, StoreError, StoreId};

use crate::sample::{NOW, description, new_pane, open, scratch, session_id};

/// A state directory that cannot be made, because there is a file at its path.
fn blocked(root: &Path) -> Store {
    std::fs::write(root.join("state"), "in the way").unwrap();
    Store::open_or_wait(&root.join("state"), "default").unwrap()
}

#[test]
fn store_that_waits_takes_nothing_until_it_is_ready_and_then_all() {
    let temp = scratch();
    let store = blocked(temp.path());
    assert!(store.waits_because().unwrap().contains("state"));
    let written = store.write_session(session_id(), &json!({}));
    assert!(
        matches!(&written, Err(error @ StoreError::Waiting(_)) if error.may_pass()),
        "{written:?}"
    );
    let pane = store.pane(session_id(), StoreId::new(NOW));
    assert!(matches!(pane.create(), Err(StoreError::Waiting(_))));
    assert!(store.sessions().sessions.is_empty());
    assert!(store.make_ready().is_err());
    std::fs::remove_file(temp.path().join("state")).unwrap();
    store.make_ready().unwrap();
    assert_eq!(store.waits_because(), None);
    assert_eq!(store.owner(), "default");
    // Panes that were handed out before work now too.
    pane.create().unwrap();
    store.write_session(session_id(), &json!({})).unwrap();
    assert_eq!(store.sessions().sessions[0].owner, "default");
    store.make_ready().unwrap();
}

#[test]
fn store_that_waited_is_not_the_owner_another_server_has_become() {
    let temp = scratch();
    let store = blocked(temp.path());
    std::fs::remove_file(temp.path().join("state")).unwrap();
    let other = open(&temp.path().join("state"));
    store.make_ready().unwrap();
    assert_eq!((other.owner(), store.owner()), ("default", "default.2"));
}

#[test]
fn store_of_the_future_is_not_waited_for() {
    let temp = scratch();
    drop(open(temp.path()));
    let later = "{\"format\": \"shellkeep store\", \"version\": 9}";
    std::fs::write(temp.path().join("store.json"), later).unwrap();
    let refused = Store::open_or_wait(temp.path(), "default");
    assert!(matches!(refused, Err(StoreError::Newer { .. })));
}

#[test]
fn archive_older_than_the_limit_is_deleted_and_the_rest_is_not() {
    let temp = scratch();
    let store = open(temp.path());
    let body = description;
    new_pane(&store);
    let others = [(2, "second"), (3, "open")].map(|(number, name)| (StoreId::new(number), name));
    for (id, name) in [(session_id(), "first"), others[0], others[1]] {
        store.write_session(id, &body(name)).unwrap();
    }
    store.archive(session_id(), NOW).unwrap();
    store.archive(others[0].0, NOW).unwrap();
    let theirs = Store::open(temp.path(), "other").unwrap();
    let foreign = StoreId::new(4);
    theirs.write_session(foreign, &body("theirs")).unwrap();
    theirs.archive(foreign, NOW).unwrap();

    let young = store.expire(SystemTime::now() - Duration::from_secs(3600));
    assert!(young.removed.is_empty() && young.oldest.is_some());
    let later = SystemTime::now() + Duration::from_secs(1);
    let mut removed = store.expire(later).removed;
    removed.sort();
    let mut expected = vec![
        (session_id(), "first".to_owned()),
        (others[0].0, "second".to_owned()),
    ];
    expected.sort();
    assert_eq!(removed, expected);
    assert!(store.archived().sessions.is_empty());
    assert_eq!(store.sessions().sessions.len(), 1);
    assert_eq!(theirs.archived().sessions.len(), 1);
    assert_eq!(theirs.expire(later).removed.len(), 1);
    let months = std::fs::read_dir(temp.path().join("archive")).unwrap();
    assert_eq!(months.count(), 0);
}
