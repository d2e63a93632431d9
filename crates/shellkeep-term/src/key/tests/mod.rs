//! Tables of what terminals send and programs receive, and the properties that relate the two.

mod decode;
mod encode;
mod mouse;
mod paste;
mod property;

use shellkeep_core::key::Key;

use super::{Input, InputDecoder, KeyEvent, KeyKind};

/// All events from feeding these bytes at once. No bytes may be left.
fn decode(bytes: &[u8]) -> Vec<Input> {
    let mut decoder = InputDecoder::new();
    let mut out = Vec::new();
    decoder.feed(bytes, &mut out);
    assert!(!decoder.has_pending(), "{bytes:?} left something pending");
    out
}

/// All events from feeding these bytes one by one.
fn decode_slowly(bytes: &[u8]) -> Vec<Input> {
    let mut decoder = InputDecoder::new();
    let mut out = Vec::new();
    for &byte in bytes {
        decoder.feed(&[byte], &mut out);
    }
    out
}

fn key(name: &str) -> Key {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The names of the keys pressed. There may be no other events.
fn names(inputs: &[Input]) -> String {
    let name = |input: &Input| match input {
        Input::Key(KeyEvent {
            key,
            kind: KeyKind::Press,
            ..
        }) => key.to_string(),
        other => format!("{other:?}"),
    };
    inputs.iter().map(name).collect::<Vec<_>>().join(" ")
}
