//! The checkpoint of a pane: `screen`.
//!
//! After the header: journal generation `u64`, history end `u64`, time `u64`, length of the facts `u32`, of the dump
//! `u32`, of both when packed `u32`, check of everything else `u32`; then the packed facts and dump.

use std::io;

use serde_json::Value;

use super::header::{Fields, FormatError, HEADER, checksum, put_header, split_header};
use super::packed;

const MAGIC: [u8; 4] = *b"SKSC";
const VERSION: u32 = 1;
const FIELDS: usize = 3 * 8 + 3 * 4;

/// The largest facts and dump together.
pub(crate) const MAX_PLAIN: u64 = 256 << 20;
/// The largest file: content that cannot be compressed, and the headers.
pub(crate) const MAX_FILE: u64 = MAX_PLAIN + (MAX_PLAIN >> 7) + 1024;

/// Everything that a pane showed at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The generation of the journal that continues it.
    pub journal: u64,
    /// The end of the history that belongs to it.
    pub history_end: u64,
    /// When it was taken, in milliseconds since 1970.
    pub time: u64,
    /// What can be reported of the pane without restoring it, e.g. its title.
    pub facts: Value,
    /// The emulator's dump.
    pub dump: Vec<u8>,
}

pub(crate) fn encode(checkpoint: &Checkpoint) -> io::Result<Vec<u8>> {
    let mut plain = checkpoint.facts.to_string().into_bytes();
    let facts = plain.len();
    plain.extend_from_slice(&checkpoint.dump);
    if plain.len() as u64 > MAX_PLAIN {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let payload = packed::pack(&plain)?;
    let mut out = Vec::with_capacity(HEADER + FIELDS + 4 + payload.len());
    put_header(&mut out, MAGIC, VERSION, 0);
    for number in [checkpoint.journal, checkpoint.history_end, checkpoint.time] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    for length in [facts, checkpoint.dump.len(), payload.len()] {
        out.extend_from_slice(&(length as u32).to_le_bytes());
    }
    let check = checksum(&[&out, &payload]);
    out.extend_from_slice(&check.to_le_bytes());
    out.extend_from_slice(&payload);
    Ok(out)
}

/// Checks the header of such a file.
pub(crate) fn check_header(bytes: &[u8]) -> Result<(), FormatError> {
    split_header(bytes, MAGIC, VERSION).map(|_| ())
}

/// How much of a file [`peek_journal`] needs.
pub(crate) const PEEK: usize = HEADER + 8;

/// The generation of the journal that a checkpoint names, from its first bytes alone. The rest is not checked.
pub(crate) fn peek_journal(bytes: &[u8]) -> Option<u64> {
    let (_, rest) = split_header(bytes, MAGIC, VERSION).ok()?;
    Fields(rest).u64().ok()
}

pub(crate) fn decode(bytes: &[u8]) -> Result<Checkpoint, FormatError> {
    let (_, rest) = split_header(bytes, MAGIC, VERSION)?;
    let mut fields = Fields(rest);
    let journal = fields.u64()?;
    let history_end = fields.u64()?;
    let time = fields.u64()?;
    let facts = fields.u32()? as usize;
    let dump = fields.u32()? as usize;
    let length = fields.u32()? as usize;
    let check = fields.u32()?;
    let payload = fields.take(length)?;
    if !fields.0.is_empty() {
        return Err(FormatError::TooLong);
    }
    if check != checksum(&[&bytes[..HEADER + FIELDS], payload]) {
        return Err(FormatError::Check);
    }
    let size = facts as u64 + dump as u64;
    if size > MAX_PLAIN {
        return Err(FormatError::TooLong);
    }
    let mut plain = packed::unpack(payload, size as usize, b"")?;
    let dump = plain.split_off(facts);
    let facts = serde_json::from_slice(&plain).map_err(|_| FormatError::Value("JSON text"))?;
    Ok(Checkpoint {
        journal,
        history_end,
        time,
        facts,
        dump,
    })
}
