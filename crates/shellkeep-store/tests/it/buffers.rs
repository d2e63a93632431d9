//! Paste buffers: their owners, their order, and how broken ones are handled.

use shellkeep_store::{KeptBuffer, Store, StoreError, StoreId};

use crate::sample::{NOW, buffer, files, open, scratch};

fn other(order: u64) -> (StoreId, KeptBuffer) {
    let (_, sample) = buffer();
    let name = format!("other {order} ../;");
    (
        StoreId::new(NOW),
        KeptBuffer {
            name,
            order,
            ..sample
        },
    )
}

#[test]
fn buffers_are_read_back_by_their_order() {
    let temp = scratch();
    let store = open(temp.path());
    let all = [other(30), buffer(), other(2)];
    for (id, buffer) in &all {
        store.put_buffer(*id, buffer).unwrap();
        store.sync_buffer(*id).unwrap();
    }
    let found = store.buffers();
    assert!(found.complaints.is_empty());
    let [first, second, third] = all;
    assert_eq!(found.buffers, [third, second.clone(), first]);
    store.remove_buffer(second.0).unwrap();
    // Removing a buffer twice is no error.
    store.remove_buffer(second.0).unwrap();
    store.sync_buffer(second.0).unwrap();
    assert_eq!(store.buffers().buffers.len(), 2);
}

#[test]
fn buffer_put_again_is_the_new_one() {
    let temp = scratch();
    let store = open(temp.path());
    let (id, mut buffer) = buffer();
    store.put_buffer(id, &buffer).unwrap();
    buffer.data = b"changed".as_slice().into();
    store.put_buffer(id, &buffer).unwrap();
    assert_eq!(store.buffers().buffers, [(id, buffer)]);
}

#[test]
fn buffers_of_other_labels_and_of_living_servers_are_not_ours() {
    let temp = scratch();
    let (id, buffer) = buffer();
    let first = open(temp.path());
    first.put_buffer(id, &buffer).unwrap();
    let second = open(temp.path());
    assert!(second.buffers().buffers.is_empty());
    let stranger = Store::open(temp.path(), "stranger").unwrap();
    drop(first);
    assert!(stranger.buffers().buffers.is_empty());
    assert_eq!(second.buffers().buffers.len(), 1);
}

#[test]
fn broken_buffer_is_set_aside_and_one_from_the_future_left() {
    let temp = scratch();
    let store = open(temp.path());
    let (id, buffer) = buffer();
    store.put_buffer(id, &buffer).unwrap();
    let path = temp.path().join("buffers").join(id.to_string());
    let good = std::fs::read(&path).unwrap();
    for length in 0..good.len() {
        std::fs::write(&path, &good[..length]).unwrap();
        let found = store.buffers();
        assert!(found.buffers.is_empty());
        assert_eq!(found.complaints.len(), 1);
        assert!(!path.exists(), "cut at {length}");
    }
    let mut newer = good[..12].to_vec();
    newer[4] = 9;
    let check = crc32fast::hash(&newer);
    newer.extend_from_slice(&check.to_le_bytes());
    newer.extend_from_slice(&good[16..]);
    std::fs::write(&path, newer).unwrap();
    let found = store.buffers();
    assert!(matches!(
        found.complaints[0].error,
        StoreError::Newer { found: 9, .. }
    ));
    assert!(path.exists());
}

#[test]
fn buffer_that_is_too_large_is_refused() {
    let temp = scratch();
    let store = open(temp.path());
    let (id, mut buffer) = buffer();
    buffer.data = vec![0; 66 << 20].into();
    let refused = store.put_buffer(id, &buffer);
    assert!(matches!(refused, Err(StoreError::TooLarge { .. })));
    assert!(
        files(temp.path())
            .iter()
            .all(|(path, _)| !path.starts_with("buffers"))
    );
}
