//! The journal: what a pane printed, and what else changed its terminal, since a checkpoint.
//!
//! After the header come the length of the journal before it (`u64`) and a check of that and the header (`u32`): if
//! that journal is shorter now, its end was lost, and this one does not follow. Then come records: length `u32`, kind
//! `u8`, three zero bytes, time `u64`, check `u32` of kind, time and payload; then the payload. A header of zeros is
//! that of an *open* record: the rest of the file is output whose header was not written any more.

use super::header::{Fields, FormatError, checksum, put_header, split_header};

/// The length of a journal's header.
pub(crate) const HEADER: usize = super::header::HEADER + 12;

const MAGIC: [u8; 4] = *b"SKJL";
const VERSION: u32 = 1;
/// The previous journal has a hole at its end, so this one is valid only with its own checkpoint.
const APART: u32 = 1;

/// The length of a record's header.
pub(crate) const RECORD: usize = 20;
/// A journal is replaced after some megabytes, as long as the disk accepts writes. A longer file is not ours.
pub(crate) const MAX_FILE: u64 = 1 << 30;
/// The longest payload. It limits what an open record can hide, and what a reader has to hold in memory.
pub(crate) const MAX_PAYLOAD: usize = 64 << 10;

/// Ends an escape sequence whose rest is missing.
pub(crate) const CANCEL: u8 = 0x18;

pub(crate) const OUTPUT: u8 = 1;
const RESIZE: u8 = 2;
const TITLE: u8 = 3;
const CLEAR_HISTORY: u8 = 4;
const RESET: u8 = 5;
const TRIM: u8 = 6;
const HISTORY_LIMIT: u8 = 7;

/// A change of a pane's terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// Output of the program.
    Output {
        /// The time in milliseconds since 1970.
        time: u64,
        /// The output.
        bytes: &'a [u8],
    },
    /// The terminal was resized.
    Resize {
        /// The new number of rows.
        rows: u16,
        /// The new number of columns.
        cols: u16,
    },
    /// A user or command set the title.
    Title(&'a str),
    /// The history was cleared.
    ClearHistory,
    /// The terminal was reset.
    Reset,
    /// The rows below the cursor were trimmed.
    Trim,
    /// The new limit of the history in lines.
    HistoryLimit(u64),
}

/// How a journal relates to the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    /// It continues where the previous one ends, which has this length.
    After(u64),
    /// Output before it was not stored.
    Apart,
}

pub(crate) fn encode_header(begins: Begins) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER);
    let (flags, length) = match begins {
        Begins::After(length) => (0, length),
        Begins::Apart => (APART, 0),
    };
    put_header(&mut out, MAGIC, VERSION, flags);
    out.extend_from_slice(&length.to_le_bytes());
    let check = checksum(&[&out]);
    out.extend_from_slice(&check.to_le_bytes());
    out
}

pub(crate) fn decode_header(bytes: &[u8]) -> Result<Begins, FormatError> {
    let (flags, rest) = split_header(bytes, MAGIC, VERSION)?;
    let mut fields = Fields(rest);
    let length = fields.u64()?;
    if fields.u32()? != checksum(&[&bytes[..HEADER - 4]]) {
        return Err(FormatError::Check);
    }
    match flags {
        0 => Ok(Begins::After(length)),
        APART => Ok(Begins::Apart),
        _ => Err(FormatError::Value("flag")),
    }
}

/// The header of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordHeader {
    pub(crate) length: u32,
    pub(crate) kind: u8,
    pub(crate) time: u64,
    pub(crate) check: u32,
}

impl RecordHeader {
    pub(crate) fn encode(&self) -> [u8; RECORD] {
        let mut out = [0; RECORD];
        out[..4].copy_from_slice(&self.length.to_le_bytes());
        out[4] = self.kind;
        out[8..16].copy_from_slice(&self.time.to_le_bytes());
        out[16..].copy_from_slice(&self.check.to_le_bytes());
        out
    }

    /// `None`: the record is open.
    pub(crate) fn decode(bytes: &[u8; RECORD]) -> Result<Option<Self>, FormatError> {
        if *bytes == [0; RECORD] {
            return Ok(None);
        }
        let mut fields = Fields(bytes);
        let length = fields.u32()?;
        let kind = fields.u8()?;
        if fields.take(3)? != [0; 3] {
            return Err(FormatError::Value("record"));
        }
        if length as usize > MAX_PAYLOAD {
            return Err(FormatError::Value("length"));
        }
        Ok(Some(Self {
            length,
            kind,
            time: fields.u64()?,
            check: fields.u32()?,
        }))
    }

    /// Checks a payload and decodes it.
    pub(crate) fn read<'a>(&self, payload: &'a [u8]) -> Result<Record<'a>, FormatError> {
        let mut hasher = hasher(self.kind, self.time);
        hasher.update(payload);
        if hasher.finalize() != self.check {
            return Err(FormatError::Check);
        }
        let mut fields = Fields(payload);
        let record = match self.kind {
            OUTPUT => Record::Output {
                time: self.time,
                bytes: fields.take(payload.len())?,
            },
            RESIZE => Record::Resize {
                rows: fields.u16()?,
                cols: fields.u16()?,
            },
            TITLE => {
                let title = std::str::from_utf8(fields.take(payload.len())?);
                Record::Title(title.map_err(|_| FormatError::Value("title"))?)
            }
            CLEAR_HISTORY => Record::ClearHistory,
            RESET => Record::Reset,
            TRIM => Record::Trim,
            HISTORY_LIMIT => Record::HistoryLimit(fields.u64()?),
            _ => return Err(FormatError::Value("kind of record")),
        };
        if !fields.0.is_empty() {
            return Err(FormatError::Value("length"));
        }
        Ok(record)
    }
}

/// A checksum that has kind and time; the payload has to follow.
pub(crate) fn hasher(kind: u8, time: u64) -> crc32fast::Hasher {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[kind]);
    hasher.update(&time.to_le_bytes());
    hasher
}

/// Appends a record, or several if its output does not fit into one. `now` is the time of anything but output.
pub(crate) fn encode(record: &Record<'_>, now: u64, out: &mut Vec<u8>) {
    match *record {
        Record::Output { time, bytes } => {
            for part in bytes.chunks(MAX_PAYLOAD) {
                put_record(OUTPUT, time, part, out);
            }
        }
        Record::Resize { rows, cols } => {
            let [a, b] = rows.to_le_bytes();
            let [c, d] = cols.to_le_bytes();
            put_record(RESIZE, now, &[a, b, c, d], out);
        }
        Record::Title(title) => {
            let mut end = title.len().min(MAX_PAYLOAD);
            while !title.is_char_boundary(end) {
                end -= 1;
            }
            put_record(TITLE, now, &title.as_bytes()[..end], out);
        }
        Record::ClearHistory => put_record(CLEAR_HISTORY, now, &[], out),
        Record::Reset => put_record(RESET, now, &[], out),
        Record::Trim => put_record(TRIM, now, &[], out),
        Record::HistoryLimit(lines) => {
            put_record(HISTORY_LIMIT, now, &lines.to_le_bytes(), out);
        }
    }
}

/// Records without effect that take up so many bytes, in place of a damaged one. `None` if not even an empty record
/// fits.
pub(crate) fn filler(length: u64) -> Option<Vec<u8>> {
    let mut left = usize::try_from(length).ok()?;
    let mut out = Vec::with_capacity(left);
    while left > 0 {
        let longest = left.min(RECORD + MAX_PAYLOAD);
        // The rest must have room for another record.
        let taken = match left - longest {
            1..RECORD => longest - RECORD,
            _ => longest,
        };
        let mut payload = vec![0; taken.checked_sub(RECORD)?];
        // The output before may end inside an escape sequence.
        if let Some(first) = payload.first_mut() {
            *first = CANCEL;
        }
        put_record(OUTPUT, 0, &payload, &mut out);
        left -= taken;
    }
    Some(out)
}

fn put_record(kind: u8, time: u64, payload: &[u8], out: &mut Vec<u8>) {
    let header = RecordHeader {
        length: payload.len() as u32,
        kind,
        time,
        check: checksum(&[&[kind], &time.to_le_bytes(), payload]),
    };
    out.extend_from_slice(&header.encode());
    out.extend_from_slice(payload);
}
