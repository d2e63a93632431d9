//! The only configuration of the serialiser. Every structured message of client, server and keeper goes through it,
//! except the hellos and the [frozen core](crate::Core), which any two versions must be able to read.
//!
//! bincode 2 is finished and pinned (see `deny.toml`). Only messages and the plain values in them derive its traits.

use bincode::config::{self, Configuration, Fixint, Limit, LittleEndian};

/// Fixed-width numbers keep the golden bytes readable. The limit keeps a forged length from allocating more than a
/// frame can carry.
const fn config<const LIMIT: usize>() -> Configuration<LittleEndian, Fixint, Limit<LIMIT>> {
    config::standard()
        .with_fixed_int_encoding()
        .with_limit::<LIMIT>()
}

/// The bytes of a message, or `None` when they are more than `LIMIT`.
#[must_use]
pub fn encode<const LIMIT: usize>(value: &impl bincode::Encode) -> Option<Vec<u8>> {
    let bytes = bincode::encode_to_vec(value, config::<LIMIT>()).ok()?;
    (bytes.len() <= LIMIT).then_some(bytes)
}

/// Reads a message; `None` when it is malformed. Bytes at the end are ignored, because a newer peer may have added
/// fields there.
#[must_use]
pub fn decode<const LIMIT: usize, T: bincode::Decode<()>>(bytes: &[u8]) -> Option<T> {
    bincode::decode_from_slice(bytes, config::<LIMIT>())
        .ok()
        .map(|(value, _)| value)
}
