//! Finds the pages of a history by reading only their headers, so that a long history opens as fast as a short one.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use super::file::HistoryFile;
use crate::schema::header::FormatError;
use crate::schema::history::{MAX_BASE, PageHeader, RECORD, WORD};

/// How much is read at once in the search for the next good page.
const CHUNK: usize = 64 << 10;

/// Written over a range that cannot be read, after a copy was put into the quarantine and the damage was reported, so
/// that it is reported only once. A broken disk does not produce this pattern, unlike zeros.
const GIVEN_UP: &[u8; 8] = b"given up";

/// A page and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub(super) at: u64,
    pub(super) header: PageHeader,
}

impl Stored {
    /// Its range in the file.
    pub(super) fn span(&self) -> Range<u64> {
        self.at..self.header.end(self.at)
    }
}

/// The content of a history file.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) pages: BTreeMap<u64, Stored>,
    /// The end of the last good page.
    pub(super) good_end: u64,
    /// The first error.
    pub(super) wrong: Option<FormatError>,
    /// The damaged ranges.
    pub(super) holes: Vec<Range<u64>>,
    /// The last base, and how many pages use it.
    pub(super) base: Option<u64>,
    pub(super) used: u32,
    /// The limit lies before the pages that were cut off: the checkpoint is older than the cut.
    pub(super) is_before_cut: bool,
}

impl Scan {
    /// Scans everything before `limit`. A damaged page is skipped, and the good ones behind it are found.
    pub(super) fn of(file: &HistoryFile, limit: u64) -> io::Result<Self> {
        let mut scan = Self {
            good_end: limit.min(file.start()),
            is_before_cut: file.is_cut() && limit < file.start(),
            ..Self::default()
        };
        let mut at = file.start();
        while at < limit {
            if scan.pages.is_empty() && scan.holes.is_empty() && is_gone(file, at..limit)? {
                (scan.good_end, scan.is_before_cut) = (limit, true);
                break;
            }
            match page_at(file, at, limit)? {
                Ok(header) => {
                    scan.add(Stored { at, header });
                    at = scan.good_end;
                }
                Err(why) => {
                    let next = find_page(file, at + 1, limit)?.unwrap_or(limit);
                    if is_given_up(file, at..next)? {
                        scan.good_end = next;
                    } else {
                        scan.wrong.get_or_insert(why);
                        scan.holes.push(at..next);
                    }
                    at = next;
                }
            }
        }
        Ok(scan)
    }

    fn add(&mut self, stored: Stored) {
        let header = &stored.header;
        self.good_end = stored.span().end;
        if header.is_released() {
            return;
        }
        if header.base != 0 {
            self.used += 1;
        } else {
            self.base = (header.entry.size as usize <= MAX_BASE).then_some(stored.at);
            self.used = 0;
        }
        self.pages.insert(header.entry.number, stored);
    }
}

/// The header at a position, if a page that fits into the file begins there.
fn page_at(file: &HistoryFile, at: u64, limit: u64) -> io::Result<Result<PageHeader, FormatError>> {
    let left = limit.saturating_sub(at);
    if left < RECORD as u64 {
        return Ok(Err(FormatError::Short));
    }
    let mut bytes = [0; RECORD];
    file.read_exact_at(&mut bytes, at)?;
    Ok(PageHeader::decode(&bytes).and_then(|header| {
        if header.end(at) > limit {
            return Err(FormatError::Short);
        }
        // A base comes before the pages that use it.
        if header.base >= at {
            return Err(FormatError::Value("base"));
        }
        Ok(header)
    }))
}

/// Whether a record for pages that were cut off covers more than this range.
fn is_gone(file: &HistoryFile, places: Range<u64>) -> io::Result<bool> {
    if places.start.saturating_add(RECORD as u64) > file.end()? {
        return Ok(false);
    }
    let mut bytes = [0; RECORD];
    file.read_exact_at(&mut bytes, places.start)?;
    let header = PageHeader::decode(&bytes);
    Ok(header.is_ok_and(|header| header.is_released() && header.end(places.start) > places.end))
}

/// Whether this range was given up before.
fn is_given_up(file: &HistoryFile, hole: Range<u64>) -> io::Result<bool> {
    let mut chunk = vec![0; CHUNK];
    let mut at = hole.start;
    while at < hole.end {
        let count = (hole.end - at).min(CHUNK as u64) as usize;
        file.read_exact_at(&mut chunk[..count], at)?;
        if !given_up(at).zip(&chunk[..count]).all(|(a, b)| a == *b) {
            return Ok(false);
        }
        at += count as u64;
    }
    Ok(true)
}

/// Gives up this range.
pub(super) fn give_up(file: &HistoryFile, hole: &Range<u64>) -> io::Result<()> {
    let count = hole.end.saturating_sub(hole.start) as usize;
    let bytes: Vec<u8> = given_up(hole.start).take(count).collect();
    file.write_all_at(&bytes, hole.start)
}

/// The pattern of a range that was given up, which depends on the position and not on its neighbours.
fn given_up(at: u64) -> impl Iterator<Item = u8> {
    let skip = (at % GIVEN_UP.len() as u64) as usize;
    GIVEN_UP.iter().copied().cycle().skip(skip)
}

/// The first position from `from` on where a good page begins.
fn find_page(file: &HistoryFile, from: u64, limit: u64) -> io::Result<Option<u64>> {
    let mut start = from;
    let mut chunk = vec![0; CHUNK];
    while limit.saturating_sub(start) >= RECORD as u64 {
        // Ranges that were never written have no pages, and may be of any size.
        start = match file.data_after(start) {
            Some(data) if data >= limit => return Ok(None),
            Some(data) => data,
            None => start,
        };
        let count = (limit - start).min(CHUNK as u64) as usize;
        if count < WORD.len() {
            break;
        }
        file.read_exact_at(&mut chunk[..count], start)?;
        for (offset, word) in chunk[..count].windows(WORD.len()).enumerate() {
            let at = start + offset as u64;
            if word == WORD && page_at(file, at, limit)?.is_ok() {
                return Ok(Some(at));
            }
        }
        // The word may span two chunks.
        start += (count - (WORD.len() - 1)) as u64;
    }
    Ok(None)
}
