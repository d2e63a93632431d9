//! The one place that configures the serialiser: every structured message of client, server and keeper passes through here,
//! but the hellos and the [frozen core](crate::Core), which must stay readable between any two versions.
//!
//! bincode 2 is finished and pinned (see `deny.toml`). Its derives name it at the messages and at the plain values in them.

use bincode::config::{self, Configuration, Fixint, Limit, LittleEndian};

/// Fixed-width numbers keep the golden bytes readable; the limit stops a forged length from
/// allocating more than a frame could have carried.
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

/// Reads a message; `None` when it is malformed. Bytes left over are tolerated: a newer peer may have
/// added fields at the end.
#[must_use]
pub fn decode<const LIMIT: usize, T: bincode::Decode<()>>(bytes: &[u8]) -> Option<T> {
    bincode::decode_from_slice(bytes, config::<LIMIT>())
        .ok()
        .map(|(value, _)| value)
}
