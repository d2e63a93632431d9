//! Reads many pages of a history one after the other.

use std::sync::PoisonError;

use zstd::bulk::Decompressor;

use super::History;
use super::scan::Stored;
use crate::schema::header::checksum;
use crate::schema::history::RECORD;

/// For a larger page, memory is allocated only as data arrives, because the length comes from the file.
const LARGE_PAGE: usize = 1 << 20;

/// Reads pages of a history, and caches the unpacked base that they share.
pub struct PageReader {
    history: History,
    unpacker: Decompressor<'static>,
    /// The position and the content of the base that the unpacker has been given; position 0 for none.
    base: (u64, Vec<u8>),
    packed: Vec<u8>,
    plain: Vec<u8>,
}

impl History {
    /// A reader for many pages; `None` if there is no memory for it.
    #[must_use]
    pub fn reader(&self) -> Option<PageReader> {
        Some(PageReader {
            history: self.clone(),
            unpacker: Decompressor::new().ok()?,
            base: (0, Vec::new()),
            packed: Vec::new(),
            plain: Vec::new(),
        })
    }
}

impl PageReader {
    /// The content of a page; `None` if it does not exist or is damaged.
    pub fn page(&mut self, number: u64) -> Option<&[u8]> {
        let stored = {
            let pages = &self.history.0.pages;
            let pages = pages.read().unwrap_or_else(PoisonError::into_inner);
            *pages.get(&number)?
        };
        if stored.header.entry.size.max(stored.header.packed) as usize > LARGE_PAGE {
            self.plain = self.history.page(number)?;
            return Some(&self.plain);
        }
        // A client that scrolls back reads the base after the pages that use it.
        if self.base.0 == stored.at {
            return Some(&self.base.1);
        }
        self.show_base(stored.header.base)?;
        self.unpack(&stored)?;
        Some(&self.plain)
    }

    fn show_base(&mut self, at: u64) -> Option<()> {
        if self.base.0 == at {
            return Some(());
        }
        let base = match at {
            0 => Vec::new(),
            at => self.history.read_base(at)?,
        };
        // If this fails, the state of the unpacker is unknown.
        self.base = (u64::MAX, Vec::new());
        self.unpacker.set_dictionary(&base).ok()?;
        self.base = (at, base);
        Some(())
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
        let unpacked = self
            .unpacker
            .decompress_to_buffer(&self.packed, &mut self.plain);
        (unpacked.ok()? == size).then_some(())
    }
}
