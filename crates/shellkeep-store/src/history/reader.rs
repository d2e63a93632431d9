//! Reading many pages of a history one after the other.

use std::os::unix::fs::FileExt;
use std::sync::PoisonError;

use zstd::bulk::Decompressor;

use super::History;
use super::scan::Stored;
use crate::format::checksum;
use crate::format::history::{MAX_BASE, RECORD};

/// A page larger than this is read the careful way, since its length is only what the file says.
const LARGE: usize = 1 << 20;

/// Reads pages of a history, and keeps what the next one may need: the base they share is unpacked once.
pub struct PageReader {
    history: History,
    /// Where the base begins, and a way to unpack what is like it.
    base: Option<(u64, Decompressor<'static>)>,
    packed: Vec<u8>,
    plain: Vec<u8>,
}

impl History {
    /// For reading many pages.
    #[must_use]
    pub fn reader(&self) -> PageReader {
        PageReader {
            history: self.clone(),
            base: None,
            packed: Vec::new(),
            plain: Vec::new(),
        }
    }
}

impl PageReader {
    /// The contents of a page; `None` if there is none, or if it is damaged.
    pub fn page(&mut self, number: u64) -> Option<&[u8]> {
        let stored = {
            let pages = &self.history.0.pages;
            let pages = pages.read().unwrap_or_else(PoisonError::into_inner);
            *pages.get(&number)?
        };
        if stored.header.entry.size.max(stored.header.packed) as usize > LARGE {
            self.plain = self.history.page(number)?;
            return Some(&self.plain);
        }
        let at = stored.header.base;
        if self.base.as_ref().is_none_or(|(known, _)| *known != at) {
            self.base = None;
            let base = match at {
                0 => Vec::new(),
                at => self.history.read_base(at)?,
            };
            self.base = Some((at, Decompressor::with_dictionary(&base).ok()?));
        }
        self.unpack(&stored)?;
        // Its neighbours are mostly like it, and it is at hand.
        if at == 0 && self.plain.len() <= MAX_BASE {
            let unpacker = Decompressor::with_dictionary(&self.plain).ok()?;
            self.base = Some((stored.at, unpacker));
        }
        Some(&self.plain)
    }

    fn unpack(&mut self, stored: &Stored) -> Option<()> {
        let file = self.history.file()?;
        let size = stored.header.entry.size as usize;
        self.packed.clear();
        self.packed.resize(stored.header.packed as usize, 0);
        let start = stored.at.checked_add(RECORD as u64)?;
        file.read_exact_at(&mut self.packed, start).ok()?;
        if checksum(&[&self.packed]) != stored.header.check {
            return None;
        }
        self.plain.clear();
        self.plain.reserve(size);
        let (_, unpacker) = self.base.as_mut()?;
        let length = unpacker
            .decompress_to_buffer(&self.packed, &mut self.plain)
            .ok()?;
        (length == size).then_some(())
    }
}
