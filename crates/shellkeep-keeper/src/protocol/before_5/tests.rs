use super::super::tests::{from_keeper, spawn, to_keeper};
use super::super::{BEFORE_BINCODE, FromKeeper, ToKeeper};
use super::*;

fn encode_to(message: &ToKeeper) -> Vec<u8> {
    message.encode(BEFORE_BINCODE).unwrap()
}

fn encode_from(message: &FromKeeper) -> Vec<u8> {
    message.encode(BEFORE_BINCODE).unwrap()
}

#[test]
fn spawn_bytes_are_frozen() {
    let golden = b"\x2f\0\0\0\x02\x01\0\0\0\x18\0\0\0\x50\0\0\0\x01\0\0\0\
        \x01\0\0\0\x02\0\0\0ls\x01\0\0\0/\x01\0\0\0\x03\0\0\0A=b\x12\0\0\0";
    assert_eq!(encode_to(&ToKeeper::Spawn(spawn())), golden);
}

#[test]
fn held_bytes_are_frozen() {
    let held = FromKeeper::Held {
        pane: PaneId(1),
        pid: 7,
        tty: b"t".to_vec(),
        exit: Some(256),
    };
    let golden = b"\x16\0\0\0\x02\x01\0\0\0\x07\0\0\0\x01\0\0\0t\x01\0\0\0\0\x01\0\0";
    assert_eq!(encode_from(&held), golden);
}

#[test]
fn messages_encoded_decode_to_the_same() {
    for message in to_keeper() {
        assert_eq!(ToKeeper::decode(&encode_to(&message)[4..]), Some(message));
    }
    for message in from_keeper() {
        assert_eq!(
            FromKeeper::decode(&encode_from(&message)[4..]),
            Some(message)
        );
    }
}

#[test]
fn spawn_has_the_terminal_after_all_older_fields() {
    let plain = ToKeeper::Spawn(spawn());
    let set = ToKeeper::Spawn(SpawnRequest {
        terminal: b"500:5:8a3b:3".to_vec(),
        ..spawn()
    });
    let (plain_frame, set_frame) = (encode_to(&plain), encode_to(&set));
    assert_eq!(ToKeeper::decode(&set_frame[4..]), Some(set));
    // A keeper that does not know this field reads no further.
    assert_eq!(set_frame[4..plain_frame.len()], plain_frame[4..]);
    for cut in plain_frame.len() + 1..set_frame.len() {
        assert_eq!(ToKeeper::decode(&set_frame[4..cut]), None, "cut at {cut}");
    }
}

#[test]
fn exit_has_the_process_after_all_older_fields() {
    let exited = |pid| FromKeeper::Exited {
        pane: PaneId(1),
        status: 9,
        pid,
    };
    let (plain, named) = (encode_from(&exited(None)), encode_from(&exited(Some(7))));
    assert_eq!(plain, b"\x09\0\0\0\x06\x01\0\0\0\x09\0\0\0");
    // A server that does not know this field reads no further.
    assert_eq!(named[4..plain.len()], plain[4..]);
}

#[test]
fn messages_cut_short_are_refused() {
    let frames = to_keeper().iter().map(encode_to).collect::<Vec<_>>();
    for frame in frames {
        for cut in 4..frame.len() {
            assert_eq!(
                ToKeeper::decode(&frame[4..cut]),
                None,
                "{frame:?} cut at {cut}"
            );
        }
    }
}

#[test]
fn unknown_kind_and_forged_length_are_refused() {
    assert_eq!(ToKeeper::decode(&[99, 1, 2, 3]), None);
    assert_eq!(ToKeeper::decode(&[5, 0xff, 0xff, 0xff, 0xff]), None);
}
