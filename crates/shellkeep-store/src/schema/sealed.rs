//! A file that is written as a whole: `start`, `shell`, a part of a `recording`, and a paste buffer.
//!
//! After the header: plain length, packed length, checksum of everything else, then the packed bytes. All numbers are
//! `u32`, little endian.

use std::io;

use super::header::{Fields, FormatError, HEADER, checksum, put_header, split_header};
use super::packed;

/// A kind of small file.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    magic: [u8; 4],
}

/// How the program in a pane was started.
pub(crate) const START: Kind = Kind {
    name: "start",
    magic: *b"SKST",
};

/// The captured state of a shell.
pub(crate) const SHELL: Kind = Kind {
    name: "shell",
    magic: *b"SKSH",
};

/// A journal that is kept for replay.
pub(crate) const RECORDING: Kind = Kind {
    name: "recording",
    magic: *b"SKRC",
};

/// A paste buffer.
pub(crate) const BUFFER: Kind = Kind {
    name: "buffer",
    magic: *b"SKPB",
};

const VERSION: u32 = 1;
const LENGTHS: usize = 8;

/// The largest content of such a file: the largest paste buffer with its head.
pub(crate) const MAX_PLAIN: u64 = (64 << 20) + (64 << 10);

pub(crate) fn encode(kind: &Kind, plain: &[u8]) -> io::Result<Vec<u8>> {
    let payload = packed::pack(plain)?;
    let mut out = Vec::with_capacity(HEADER + LENGTHS + 4 + payload.len());
    put_header(&mut out, kind.magic, VERSION, 0);
    out.extend_from_slice(&(plain.len() as u32).to_le_bytes());
    out.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    let check = checksum(&[&out, &payload]);
    out.extend_from_slice(&check.to_le_bytes());
    out.extend_from_slice(&payload);
    Ok(out)
}

/// Checks the header of a file of this kind.
pub(crate) fn check_header(kind: &Kind, bytes: &[u8]) -> Result<(), FormatError> {
    split_header(bytes, kind.magic, VERSION).map(|_| ())
}

pub(crate) fn decode(kind: &Kind, bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    let (_, rest) = split_header(bytes, kind.magic, VERSION)?;
    let mut fields = Fields(rest);
    let plain = fields.u32()? as usize;
    let length = fields.u32()? as usize;
    let check = fields.u32()?;
    let payload = fields.take(length)?;
    if !fields.0.is_empty() {
        return Err(FormatError::TooLong);
    }
    if check != checksum(&[&bytes[..HEADER + LENGTHS], payload]) {
        return Err(FormatError::Check);
    }
    if plain as u64 > MAX_PLAIN {
        return Err(FormatError::TooLong);
    }
    packed::unpack(payload, plain, b"")
}
