//! Where to look for what in a pane's text: `index`.
//!
//! After the header: what tells the files `screen` and `history` from earlier ones (inode, length, modification time in
//! nanoseconds, `u64` each), the generation of the journal that follows, how many blocks there are (`u64` each); then
//! for each the first line and the one behind the last (`u64`), the length of its filter (`u32`), and the filter; a
//! check of all of it (`u32`) at last. What is in a filter is not this crate's business.

use super::header::{Fields, FormatError, checksum, put_header, split_header};

const MAGIC: [u8; 4] = *b"SKIX";
const VERSION: u32 = 1;

/// The largest file.
pub(crate) const MAX_FILE: u64 = 16 << 20;

/// Identifies a state of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileMark {
    pub(crate) inode: u64,
    pub(crate) length: u64,
    pub(crate) modified: u64,
}

/// Identifies the state of a pane's files in which nothing has happened since the checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestMark {
    pub(crate) screen: FileMark,
    pub(crate) history: FileMark,
    /// The journal that continues the checkpoint, which is empty.
    pub(crate) journal: u64,
}

/// A range of lines of a pane, and a filter over them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexBlock {
    /// The number of the first line.
    pub first_line: u64,
    /// The number of the line after the last.
    pub end_line: u64,
    /// The bytes of the filter.
    pub filter: Vec<u8>,
}

pub(crate) fn encode(mark: &RestMark, blocks: &[IndexBlock]) -> Vec<u8> {
    let mut out = Vec::new();
    put_header(&mut out, MAGIC, VERSION, 0);
    for file in [mark.screen, mark.history] {
        for number in [file.inode, file.length, file.modified] {
            out.extend_from_slice(&number.to_le_bytes());
        }
    }
    out.extend_from_slice(&mark.journal.to_le_bytes());
    out.extend_from_slice(&(blocks.len() as u64).to_le_bytes());
    for block in blocks {
        out.extend_from_slice(&block.first_line.to_le_bytes());
        out.extend_from_slice(&block.end_line.to_le_bytes());
        out.extend_from_slice(&(block.filter.len() as u32).to_le_bytes());
        out.extend_from_slice(&block.filter);
    }
    let check = checksum(&[&out]);
    out.extend_from_slice(&check.to_le_bytes());
    out
}

pub(crate) fn decode(bytes: &[u8]) -> Result<(RestMark, Vec<IndexBlock>), FormatError> {
    let (body, check) = bytes.split_last_chunk().ok_or(FormatError::Short)?;
    let (_, rest) = split_header(body, MAGIC, VERSION)?;
    if checksum(&[body]) != u32::from_le_bytes(*check) {
        return Err(FormatError::Check);
    }
    let mut fields = Fields(rest);
    let mark = RestMark {
        screen: file_mark(&mut fields)?,
        history: file_mark(&mut fields)?,
        journal: fields.u64()?,
    };
    let mut blocks = Vec::new();
    for _ in 0..fields.u64()? {
        let (first_line, end_line) = (fields.u64()?, fields.u64()?);
        let length = fields.u32()? as usize;
        blocks.push(IndexBlock {
            first_line,
            end_line,
            filter: fields.take(length)?.to_vec(),
        });
    }
    match fields.0.is_empty() {
        true => Ok((mark, blocks)),
        false => Err(FormatError::TooLong),
    }
}

fn file_mark(fields: &mut Fields<'_>) -> Result<FileMark, FormatError> {
    Ok(FileMark {
        inode: fields.u64()?,
        length: fields.u64()?,
        modified: fields.u64()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (RestMark, Vec<IndexBlock>) {
        let mark = RestMark {
            screen: FileMark {
                inode: 1,
                length: 2,
                modified: 3,
            },
            history: FileMark::default(),
            journal: 7,
        };
        let block = |first_line| IndexBlock {
            first_line,
            end_line: first_line + 10,
            filter: vec![first_line as u8; 64],
        };
        (mark, vec![block(0), block(10)])
    }

    #[test]
    fn index_comes_back() {
        let (mark, blocks) = sample();
        assert_eq!(decode(&encode(&mark, &blocks)), Ok((mark, blocks)));
        assert_eq!(decode(&encode(&mark, &[])), Ok((mark, Vec::new())));
    }

    #[test]
    fn index_cut_or_flipped_anywhere_is_refused() {
        let (mark, blocks) = sample();
        let good = encode(&mark, &blocks);
        for length in 0..good.len() {
            assert!(decode(&good[..length]).is_err(), "{length}");
            let mut flipped = good.clone();
            flipped[length] ^= 0x10;
            assert!(decode(&flipped).is_err(), "{length}");
        }
    }
}
