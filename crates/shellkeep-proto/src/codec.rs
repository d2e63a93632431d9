//! The one place that knows the serialiser. bincode 2 is finished and pinned (see `deny.toml`); if it
//! ever has to go, only this file changes.

use bincode::config::{self, Configuration, Fixint, Limit, LittleEndian};

use crate::MAX_PAYLOAD;

/// Fixed-width numbers keep the golden bytes readable; the limit stops a forged length from
/// allocating more than a frame could have carried.
const CONFIG: Configuration<LittleEndian, Fixint, Limit<MAX_PAYLOAD>> = config::standard()
    .with_fixed_int_encoding()
    .with_limit::<MAX_PAYLOAD>();

/// The payload of a message, or `None` when it would not fit into a frame.
#[must_use]
pub fn encode<T: bincode::Encode>(value: &T) -> Option<Vec<u8>> {
    let bytes = bincode::encode_to_vec(value, CONFIG).ok()?;
    (bytes.len() <= MAX_PAYLOAD).then_some(bytes)
}

/// Reads a payload; `None` when it is malformed. Bytes left over are tolerated: a newer peer may have
/// added fields at the end.
#[must_use]
pub fn decode<T: bincode::Decode<()>>(payload: &[u8]) -> Option<T> {
    bincode::decode_from_slice(payload, CONFIG)
        .ok()
        .map(|(value, _)| value)
}
