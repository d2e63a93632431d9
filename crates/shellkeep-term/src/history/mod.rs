//! Lines that have left the screen, as logical lines in pages.
//!
//! The newest pages are *hot*: lines can be added, continued, and taken back when the screen grows. Older ones are
//! *sealed* and never change again. They stay in memory, or go to the store and are read from it when a view needs
//! them. Nothing here depends on a width, so a resize changes nothing. Only the number of rows of a page is cached for
//! one width.

pub(crate) mod count;
mod limit;
pub(crate) mod page;
pub(crate) mod read;
pub(crate) mod store;
pub(crate) mod text;
pub(crate) mod times;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::config::{Config, Keep};
use crate::grid::look::Tables;
use crate::grid::reflow::{Line, split_fill};
use crate::grid::row::Row;
use crate::wire::{ByteReader, Malformed, put_number};
use count::Counted;
use page::{MAX_LINES, Page};
use store::PageStore;

/// The longest logical line. A longer one is cut into several, because a line without an end would have to be
/// re-wrapped as a whole on every resize.
pub(crate) const MAX_LINE_CELLS: usize = 1 << 16;

/// The number of pages that stay hot.
const HOT_PAGES: usize = 2;

#[derive(Clone, Debug)]
pub(crate) struct Sealed {
    pub(crate) number: u64,
    pub(crate) first_line: u64,
    pub(crate) lines: u32,
    pub(crate) cells: u64,
    pub(crate) longest: u64,
    pub(crate) body: Body,
    pub(crate) counted: Counted,
    /// Its rows as counted against the limit, at the width for which they were counted.
    pub(crate) rows: usize,
    /// The store has the page. Then it has all older ones too.
    pub(crate) taken: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    Open(Box<Page>),
    Packed(Vec<u8>),
    /// In the store.
    Away,
    /// Lost: the store should have the page but does not. Only its line numbers are known.
    Lost,
}

#[derive(Clone, Debug)]
pub(crate) struct History {
    pub(crate) sealed: VecDeque<Sealed>,
    pub(crate) hot: VecDeque<Page>,
    /// The newest line continues at the top of the screen.
    pub(crate) open: bool,
    pub(crate) open_cells: usize,
    /// The number of the first line in `hot`.
    pub(crate) hot_first: u64,
    pub(crate) next_page: u64,
    pub(crate) keep: Keep,
    pub(crate) limit: usize,
    pub(crate) open_budget: usize,
    /// Bytes of sealed pages in memory that are not compressed.
    open_bytes: usize,
    sealed_lines: usize,
    /// Rows of `sealed` at the width in `weighed_for`. If that is `None`, they have to be counted before the limit is
    /// enforced.
    sealed_rows: usize,
    weighed_for: Option<usize>,
    /// The pages of `sealed` before this index are not `Open`.
    first_open: usize,
    store: Option<Arc<dyn PageStore>>,
}

impl History {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            sealed: VecDeque::new(),
            hot: VecDeque::new(),
            open: false,
            open_cells: 0,
            hot_first: 0,
            next_page: 0,
            keep: config.keep,
            limit: config.history_limit,
            open_budget: config.uncompressed_budget,
            open_bytes: 0,
            sealed_lines: 0,
            sealed_rows: 0,
            weighed_for: None,
            first_open: 0,
            store: None,
        }
    }

    /// The number of logical lines, including the open one.
    pub(crate) fn lines(&self) -> usize {
        self.sealed_lines + self.hot.iter().map(Page::lines).sum::<usize>()
    }

    /// The number of the oldest line still known.
    pub(crate) fn first_line(&self) -> u64 {
        self.sealed
            .front()
            .map_or(self.hot_first, |page| page.first_line)
    }

    /// Adds a row that has scrolled off a screen `cols` wide.
    pub(crate) fn push_row(&mut self, row: &Row, cols: usize, tables: &Tables) {
        self.put_row(row, cols, tables);
        self.enforce_limit();
    }

    /// Puts a row back that was taken out, or one of a screen that was resized. The limit is enforced only when
    /// something is printed, so that a screen that was narrow for a moment has lost nothing.
    pub(crate) fn put_row(&mut self, row: &Row, cols: usize, tables: &Tables) {
        if self.limit == 0 {
            return;
        }
        self.weigh(cols);
        let fits = self.open
            && self.open_cells + cols <= self.longest_line(cols)
            && self.hot.back().is_some_and(|page| !page.is_overfull());
        if !fits {
            self.begin_line(cols, row.time);
        }
        let Some(page) = self.hot.back_mut() else {
            return;
        };
        page.rows += 1;
        if fits {
            page.go_on(row.time);
        }
        let whole = row.with_right_half();
        let row = whole.as_ref().unwrap_or(row);
        if row.wrapped {
            let cells = row.trimmed();
            match cells.last() {
                // The pad exists only at this width.
                Some(last) if last.is_pad() && cells.len() == cols => {
                    page.append(&cells[..cols - 1], 0, row.mark, tables);
                    self.open_cells += cols - 1;
                }
                _ => {
                    page.append(cells, 0, row.mark, tables);
                    page.append_blanks(cols - cells.len().min(cols));
                    self.open_cells += cols.max(cells.len());
                }
            }
        } else {
            let (text, fill) = split_fill(row.cells(), cols);
            page.append(text, fill, row.mark, tables);
        }
        self.open = row.wrapped;
        if !self.open {
            self.open_cells = 0;
        }
    }

    fn begin_line(&mut self, cols: usize, time: u32) {
        self.open_cells = 0;
        if self.is_newest_page_full() {
            let next = self.hot.back().map(Page::successor).unwrap_or_default();
            self.hot.push_back(next);
            if self.hot.len() > HOT_PAGES {
                self.seal_oldest(cols);
            }
        }
        if let Some(page) = self.hot.back_mut() {
            page.begin(time);
        }
    }

    fn seal_oldest(&mut self, cols: usize) {
        let Some(mut page) = self.hot.pop_front() else {
            return;
        };
        page.freeze();
        let lines = page.lines();
        let counted = Counted::of(&page, cols);
        self.sealed_lines += lines;
        let rows = page.rows;
        self.sealed_rows += rows;
        self.open_bytes += page.byte_len();
        self.sealed.push_back(Sealed {
            number: self.next_page,
            first_line: self.hot_first,
            lines: lines as u32,
            cells: page.cells,
            longest: page.longest,
            body: Body::Open(Box::new(page)),
            counted,
            rows,
            taken: false,
        });
        self.next_page += 1;
        self.hot_first += lines as u64;
        self.compress_oldest();
    }

    /// Compresses the oldest pages until the uncompressed ones are within their budget.
    fn compress_oldest(&mut self) {
        while self.open_bytes > self.open_budget && self.first_open < self.sealed.len() {
            let sealed = &mut self.sealed[self.first_open];
            self.first_open += 1;
            if let Body::Open(page) = &sealed.body {
                self.open_bytes -= page.byte_len();
                sealed.body = Body::Packed(pack(page));
            }
        }
    }

    /// Takes the newest line out, for the screen to show. `None` if there is none, or if its page cannot be read: then
    /// the line stays, since the page may be readable later.
    pub(crate) fn pop_line(&mut self, tables: &mut Tables) -> Option<Line> {
        let line = loop {
            let Some(page) = self.hot.back_mut() else {
                let page = self.unseal_newest()?;
                self.hot.push_back(page);
                continue;
            };
            if let Some(line) = page.pop(tables) {
                break line;
            }
            self.hot.pop_back();
        };
        if self.hot.back().is_some_and(|page| page.lines() == 0) {
            self.hot.pop_back();
        }
        self.open = false;
        self.open_cells = 0;
        self.weighed_for = None;
        Some(line)
    }

    /// Makes the newest sealed page hot again. Its number is free then, and the page that is sealed next gets it.
    fn unseal_newest(&mut self) -> Option<Page> {
        let newest = self.sealed.back()?;
        let loaded = match &newest.body {
            Body::Open(_) => None,
            Body::Packed(data) => Some(unpack(data).ok()?),
            Body::Away => Some(self.load(newest)?),
            Body::Lost => return None,
        };
        let newest = self.sealed.pop_back()?;
        let page = match (loaded, newest.body) {
            (Some(page), _) => page,
            (None, Body::Open(page)) => {
                self.open_bytes -= page.byte_len();
                *page
            }
            (None, _) => return None,
        };
        let lines = newest.lines as usize;
        self.sealed_lines -= lines;
        self.first_open = self.first_open.min(self.sealed.len());
        self.next_page = newest.number;
        self.hot_first = newest.first_line;
        Some(page)
    }

    /// Ends the newest line: the top of the screen does not continue it.
    pub(crate) fn close(&mut self) {
        self.open = false;
        self.open_cells = 0;
    }

    pub(crate) fn clear(&mut self) {
        let next_line = self.first_line() + self.lines() as u64;
        self.sealed.clear();
        self.hot.clear();
        self.open = false;
        self.open_cells = 0;
        self.open_bytes = 0;
        self.sealed_lines = 0;
        self.weighed_for = None;
        self.first_open = 0;
        self.hot_first = next_line;
    }

    /// Checks that the parts of a dump are consistent.
    pub(crate) fn check(&self) -> Result<(), Malformed> {
        let mut next: Option<(u64, u64)> = None;
        if !self.sealed.iter().is_sorted_by_key(|sealed| !sealed.taken) {
            return Err(Malformed);
        }
        for sealed in &self.sealed {
            let follows = next
                .is_none_or(|(number, line)| sealed.number == number && sealed.first_line == line);
            let most = u64::from(sealed.lines) * MAX_LINE_CELLS as u64 * 2;
            let same = match &sealed.body {
                Body::Open(page) => sealed.describes(page),
                Body::Packed(_) => sealed.cells <= most,
                Body::Away | Body::Lost => {
                    sealed.taken && sealed.lines <= MAX_LINES as u32 && sealed.cells <= most
                }
            };
            if !follows || !same {
                return Err(Malformed);
            }
            let line = sealed
                .first_line
                .checked_add(sealed.lines.into())
                .ok_or(Malformed)?;
            next = Some((sealed.number.checked_add(1).ok_or(Malformed)?, line));
        }
        let fits = next.is_none_or(|next| next == (self.next_page, self.hot_first));
        let open = !self.open || self.hot.back().is_some_and(|page| page.lines() > 0);
        let bounded =
            self.open_cells <= MAX_LINE_CELLS && self.hot_first.checked_add(1 << 40).is_some();
        if fits && open && bounded {
            Ok(())
        } else {
            Err(Malformed)
        }
    }

    /// Computes all derived counts after a restore.
    pub(crate) fn recount(&mut self) {
        self.sealed_lines = self.sealed.iter().map(|page| page.lines as usize).sum();
        self.weighed_for = None;
        self.open_bytes = 0;
        self.first_open = self.sealed.len();
        for (at, sealed) in self.sealed.iter().enumerate() {
            if let Body::Open(page) = &sealed.body {
                self.open_bytes += page.byte_len();
                self.first_open = self.first_open.min(at);
            }
        }
    }

    pub(crate) fn heap(&self) -> usize {
        let sealed: usize = self
            .sealed
            .iter()
            .map(|page| match &page.body {
                Body::Open(page) => size_of::<Page>() + page.heap(),
                Body::Packed(data) => data.capacity(),
                Body::Away | Body::Lost => 0,
            })
            .sum();
        let hot: usize = self.hot.iter().map(Page::heap).sum();
        sealed + hot + self.sealed.capacity() * size_of::<Sealed>()
    }
}

/// The largest page that is unpacked: far above any that is written, and too small to do harm.
const MAX_PAGE: usize = 64 << 20;

/// The compressed serialised form of a page, after its length.
pub(crate) fn pack(page: &Page) -> Vec<u8> {
    let plain = page.to_bytes();
    let mut out = Vec::new();
    put_number(&mut out, plain.len() as u64);
    out.extend_from_slice(&lz4_flex::block::compress(&plain));
    out
}

pub(crate) fn unpack(data: &[u8]) -> Result<Page, Malformed> {
    let mut reader = ByteReader::new(data);
    let len: usize = reader.small()?;
    let packed = reader.rest();
    // LZ4 cannot shrink by more than 255 to 1. A larger claim is damage, and must not make us allocate memory.
    if len > MAX_PAGE || len > packed.len().saturating_mul(256) {
        return Err(Malformed);
    }
    let plain = lz4_flex::block::decompress(packed, len).map_err(|_| Malformed)?;
    Page::from_bytes(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dumps of versions 1 and 2 contain pages in this form, and must stay readable forever.
    #[test]
    fn packed_page_of_version_one_is_still_read() {
        let page = unpack(include_bytes!("../../tests/golden/page-v1")).expect("still read");
        let line = page.line(7, &mut Tables::default());
        assert_eq!((page.lines(), line.cells.len()), (256, 6));
        assert!(unpack(&pack(&page)).expect("sound") == page);
        assert!(unpack(b"junk").is_err());
    }
}
