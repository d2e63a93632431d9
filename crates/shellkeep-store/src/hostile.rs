//! Reads arbitrary bytes as each kind of file. Used only by fuzz targets and by the tests below, which use random
//! bytes.
//!
//! A file with a wrong checksum is refused before anything else in it is read. So the bytes are also wrapped in valid
//! headers and checksums.

use serde::de::DeserializeOwned;

use crate::StoreId;
use crate::catalogue::{SessionState, Summary};
use crate::journal::reader::{JournalReader, Step};
use crate::schema::header::{checksum, put_header};
use crate::schema::history::{MAX_PACKED, PageHeader, RECORD};
use crate::schema::{
    NotedBinding, NotedClients, NotedServer, SessionFile, StoredPane, StoredStart, StoredWindow,
};
use crate::schema::{buffer as buffer_file, envelope, index, journal, packed, screen, sealed};

/// Reads bytes as one kind of file.
pub type Read = fn(&[u8]);

/// Every kind of file that is written by the store, by name.
pub const FORMATS: [(&str, Read); 11] = [
    ("history", history),
    ("journal", journal),
    ("screen", screen),
    ("index", index),
    ("packed", packed),
    ("sealed", sealed),
    ("session", session),
    ("buffer", buffer),
    ("commands", commands),
    ("notes", notes),
    ("catalogue", catalogue),
];

/// A header of this kind, and what follows.
fn with_header(magic: [u8; 4], version: u32, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    put_header(&mut out, magic, version, 0);
    out.extend_from_slice(bytes);
    out
}

/// Writes to `at` the checksum of the bytes before `at` and from `behind` on, if the file is long enough.
fn put_check(bytes: &mut [u8], at: usize, behind: usize) {
    if bytes.len() >= behind {
        let check = checksum(&[&bytes[..at], &bytes[behind..]]);
        bytes[at..at + 4].copy_from_slice(&check.to_le_bytes());
    }
}

/// The first line of the commands of a pane, and any other, with a good check.
pub fn commands(bytes: &[u8]) {
    let _ = crate::schema::commands::check_title(bytes);
    let _ = crate::schema::commands::decode(bytes);
    let mut line = format!("{:08x} ", crc32fast::hash(bytes)).into_bytes();
    line.extend_from_slice(bytes);
    let _ = crate::schema::commands::decode(&line);
}

/// The header of a file, and the header of a page with its contents.
pub fn history(bytes: &[u8]) {
    let _ = crate::schema::history::decode_header(bytes);
    let _ = crate::schema::history::decode_header(&with_header(*b"SKHI", 2, bytes));
    let Some((header, payload)) = bytes.split_at_checked(RECORD) else {
        return;
    };
    let mut header = header.to_vec();
    header[..4].copy_from_slice(b"page");
    let check = checksum(&[payload]).to_le_bytes();
    header[RECORD - 8..RECORD - 4].copy_from_slice(&check);
    put_check(&mut header, RECORD - 4, RECORD);
    if let Ok(header) = PageHeader::decode(&header) {
        assert!(header.packed as usize <= MAX_PACKED);
        let plain = header.read(payload, b"what it is like");
        assert!(plain.is_err() || plain.is_ok_and(|it| it.len() == header.entry.size as usize));
    }
}

fn read_journal(bytes: &[u8]) {
    let mut reader = JournalReader::over_cursor(bytes);
    loop {
        match reader.step() {
            Ok(Step::Record(_)) => {}
            // What is skipped is not read again, so the loop ends.
            Ok(Step::Damage(_)) => {
                if !matches!(reader.skip_damage(), Ok(Some(_))) {
                    return;
                }
            }
            Ok(Step::End) | Err(_) => return,
        }
    }
}

/// A journal, and a valid journal that has these bytes as a record.
pub fn journal(bytes: &[u8]) {
    read_journal(bytes);
    let mut whole = journal::encode_header(journal::Begins::After(0));
    whole.extend_from_slice(bytes);
    read_journal(&whole);
    if let Some((kind, payload)) = bytes.split_first() {
        let mut hasher = journal::hasher(*kind, 7);
        hasher.update(payload);
        let header = journal::RecordHeader {
            length: payload.len() as u32,
            kind: *kind,
            time: 7,
            check: hasher.finalize(),
        };
        let _ = header.read(payload);
    }
}

/// A checkpoint.
pub fn screen(bytes: &[u8]) {
    let _ = screen::decode(bytes);
    let mut whole = with_header(*b"SKSC", 1, bytes);
    put_check(&mut whole, 52, 56);
    let _ = screen::decode(&whole);
    let _ = screen::peek_journal(&whole);
}

/// The index of a pane's text.
pub fn index(bytes: &[u8]) {
    let _ = index::decode(bytes);
    let mut whole = with_header(*b"SKIX", 1, bytes);
    let check = checksum(&[&whole]);
    whole.extend_from_slice(&check.to_le_bytes());
    let _ = index::decode(&whole);
}

/// Packed bytes that contain their own length.
pub fn packed(bytes: &[u8]) {
    if let Some((size, rest)) = bytes.split_first_chunk() {
        let size = u32::from_le_bytes(*size) as usize;
        let plain = packed::unpack(rest, size, b"");
        assert!(plain.is_err() || plain.is_ok_and(|plain| plain.len() == size));
        let _ = packed::unpack(rest, size % 4096, rest);
    }
}

/// Files that are written as a whole.
pub fn sealed(bytes: &[u8]) {
    for (kind, magic) in [
        (&sealed::START, *b"SKST"),
        (&sealed::SHELL, *b"SKSH"),
        (&sealed::RECORDING, *b"SKRC"),
        (&sealed::BUFFER, *b"SKPB"),
    ] {
        let _ = sealed::decode(kind, bytes);
        let mut whole = with_header(magic, 1, bytes);
        put_check(&mut whole, 24, 28);
        let _ = sealed::decode(kind, &whole);
    }
}

/// `session.json` and `store.json`.
pub fn session(bytes: &[u8]) {
    let _ = envelope::decode(bytes);
    let _ = envelope::decode_store(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = SessionFile::read(text).map(|file| file.homes().count());
        for body in [text, &format!("\"{text}\"")] {
            let _ = envelope::decode(&envelope::sealed_for_tests(body));
        }
    }
}

/// The content of a paste buffer's file.
pub fn buffer(bytes: &[u8]) {
    let _ = buffer_file::decode(bytes);
}

fn read_as<T: DeserializeOwned>(bytes: &[u8]) {
    let _ = serde_json::from_slice::<T>(bytes);
}

/// Everything stored as JSON: the keeper's notes, windows, panes, and how a program was started.
pub fn notes(bytes: &[u8]) {
    read_as::<NotedServer>(bytes);
    read_as::<NotedBinding>(bytes);
    read_as::<NotedClients>(bytes);
    read_as::<StoredWindow>(bytes);
    read_as::<StoredPane>(bytes);
    read_as::<StoredStart>(bytes);
}

/// The catalogue's row for a session with any description.
pub fn catalogue(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Summary::read(StoreId::new(0), text, SessionState::Active, 0);
    }
}

#[cfg(test)]
mod tests {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    use super::*;

    /// Words that get further into a format than random bytes.
    const WORDS: [&[u8]; 16] = [
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x00",
        b"\x01\x00\x00\x00",
        b"\x28\xb5\x2f\xfd",
        b"page",
        b"SKHI",
        b"{\"",
        b"\":",
        b"[]",
        b"{}",
        b"},",
        b"null",
        b"\"windows\":[{\"panes\":[{",
        b"\"session\":{\"name\":\"x\"",
        b"18446744073709551616",
        b"\\ud800",
    ];

    fn random_bytes(state: &mut u64) -> Vec<u8> {
        let mut next = |most: usize| {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            (*state >> 11) as usize % most
        };
        let mut bytes = Vec::new();
        for _ in 0..next(60) {
            match next(3) {
                0 => bytes.extend_from_slice(WORDS[next(WORDS.len())]),
                1 => bytes.push(next(256) as u8),
                // Small numbers are plausible lengths.
                _ => bytes.extend_from_slice(&(next(80) as u32).to_le_bytes()),
            }
        }
        bytes
    }

    #[test]
    fn random_bytes_are_read_as_every_format_without_a_panic_or_much_memory() {
        // Under this limit, an allocation of the size that a file claims fails and ends the test.
        let (soft, hard) = getrlimit(Resource::RLIMIT_AS).unwrap();
        setrlimit(Resource::RLIMIT_AS, soft.min(3 << 30), hard).unwrap();
        let mut state = 88_172_645_463_325_252;
        for _ in 0..20_000 {
            let bytes = random_bytes(&mut state);
            for (_, read) in FORMATS {
                read(&bytes);
            }
        }
        setrlimit(Resource::RLIMIT_AS, soft, hard).unwrap();
    }

    #[test]
    fn good_checks_are_put_where_they_are_looked_for() {
        let plain = b"plain".as_slice();
        let mut whole = sealed::encode(&sealed::START, plain).unwrap();
        whole[24..28].fill(0);
        put_check(&mut whole, 24, 28);
        assert_eq!(sealed::decode(&sealed::START, &whole).unwrap(), plain);
        let checkpoint = screen::Checkpoint {
            journal: 1,
            history_end: 2,
            time: 3,
            facts: serde_json::Value::Null,
            dump: plain.to_vec(),
        };
        let mut whole = screen::encode(&checkpoint).unwrap();
        whole[52..56].fill(0);
        put_check(&mut whole, 52, 56);
        assert_eq!(screen::decode(&whole).unwrap(), checkpoint);
        let text = envelope::sealed_for_tests("{\"name\": \"x\"}");
        assert!(envelope::decode(&text).is_ok());
    }
}
