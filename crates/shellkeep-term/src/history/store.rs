//! Pages in a store: how they get there, how they are read, and how an engine finds them after a restore.
//!
//! Pages go to the store in order and all at once, so the pages in the store are always the oldest. A dump only has to
//! record where they begin.

use std::fmt;
use std::sync::Arc;

use super::count::Counted;
use super::page::{MAX_LINES, MAX_LONGEST, Page};
use super::{Body, History, Sealed, unpack};
use crate::config::Keep;
use crate::wire::Malformed;

/// Where sealed pages are stored. It is called whenever a page is read, so it must not wait, and must have every page
/// from the moment it was taken.
pub trait PageStore: fmt::Debug + Send + Sync {
    /// The bytes of a page ([`SealedPage::bytes`]), the newest if several had this number. `None` if it cannot be read.
    fn page(&self, number: u64) -> Option<Vec<u8>>;
}

/// What is known of a page in a store without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenPage {
    pub number: u64,
    pub first_line: u64,
    pub lines: u32,
    pub cells: u64,
    /// The cells of the longest line.
    pub longest: u64,
}

/// A page that will not change any more, to be stored.
#[derive(Clone, Debug)]
pub struct SealedPage {
    /// The name of the page: a number that counts up from 0 through the life of the pane. If the screen grew and took
    /// lines of a page back, a newer page has the same number and replaces it.
    pub number: u64,
    /// The number of its first line. Lines count up from 0 through the life of the pane.
    pub first_line: u64,
    pub lines: u32,
    pub cells: u64,
    /// The cells of the longest line.
    pub longest: u64,
    contents: Arc<Contents>,
}

#[derive(Debug)]
enum Contents {
    Open(Box<Page>),
    Packed(Vec<u8>),
}

impl SealedPage {
    /// The content, uncompressed, for [`PageStore::page`] to return. Every call computes it again, which takes a while,
    /// so that it can be done in another thread.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match &*self.contents {
            Contents::Open(page) => page.to_bytes(),
            // We packed it ourselves, so it is valid. If it were not, an empty page reads as a missing one.
            Contents::Packed(data) => {
                unpack(data).map_or_else(|_| Vec::new(), |page| page.to_bytes())
            }
        }
    }

    #[must_use]
    pub fn memory(&self) -> usize {
        let contents = match &*self.contents {
            Contents::Open(page) => size_of::<Page>() + page.heap(),
            Contents::Packed(data) => data.capacity(),
        };
        size_of::<Self>() + contents
    }

    /// The part of it that [`crate::Emulator::restore_kept`] needs.
    #[must_use]
    pub fn taken(&self) -> TakenPage {
        TakenPage {
            number: self.number,
            first_line: self.first_line,
            lines: self.lines,
            cells: self.cells,
            longest: self.longest,
        }
    }
}

/// The most missing pages in a row that are kept as lost pages. All lines before a longer gap are given up.
const MAX_LOST: u64 = 1 << 18;

/// A boundary between two pages: the numbers of the page and of the line that begin here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seam {
    pub(crate) page: u64,
    pub(crate) line: u64,
}

impl Seam {
    /// Whether the numbers allow for as many pages as lie between here and `end`.
    fn reaches(self, end: Self) -> bool {
        let pages = end.page.checked_sub(self.page);
        let lines = end.line.checked_sub(self.line);
        pages.zip(lines).is_some_and(|(pages, lines)| {
            pages <= lines && lines <= pages.saturating_mul(MAX_LINES as u64)
        })
    }
}

impl History {
    pub(crate) fn set_store(&mut self, store: Arc<dyn PageStore>) {
        self.store = Some(store);
    }

    /// Reads a page from the store. A page that differs from the one that was taken counts as missing.
    pub(super) fn load(&self, sealed: &Sealed) -> Option<Page> {
        let bytes = self.store.as_ref()?.page(sealed.number)?;
        let page = Page::from_bytes(&bytes).ok()?;
        sealed.describes(&page).then_some(page)
    }

    /// How many pages at the front of `sealed` are in the store.
    fn taken_pages(&self) -> usize {
        self.sealed.partition_point(|sealed| sealed.taken)
    }

    /// The sealed pages that the store does not have yet. They leave memory.
    pub(crate) fn take_sealed(&mut self) -> Vec<SealedPage> {
        let mut pages = Vec::new();
        if self.keep != Keep::Store {
            return pages;
        }
        let first = self.taken_pages();
        for sealed in self.sealed.range_mut(first..) {
            sealed.taken = true;
            let contents = match std::mem::replace(&mut sealed.body, Body::Away) {
                Body::Open(page) => {
                    self.open_bytes -= page.byte_len();
                    Contents::Open(page)
                }
                Body::Packed(data) => Contents::Packed(data),
                Body::Away | Body::Lost => continue,
            };
            pages.push(SealedPage {
                number: sealed.number,
                first_line: sealed.first_line,
                lines: sealed.lines,
                cells: sealed.cells,
                longest: sealed.longest,
                contents: Arc::new(contents),
            });
        }
        self.first_open = self.sealed.len();
        pages
    }

    /// The pages that are not in the store, and where the others begin, if there are any.
    pub(crate) fn split_taken(&self) -> (Option<Seam>, impl ExactSizeIterator<Item = &Sealed>) {
        let count = self.taken_pages();
        let seam = self.sealed.front().filter(|_| count > 0).map(Sealed::start);
        (seam, self.sealed.range(count..))
    }

    fn hot_start(&self) -> Seam {
        Seam {
            page: self.next_page,
            line: self.hot_first,
        }
    }

    /// Called after a restore: puts the pages in the store, which begin at `start`, before those in memory. Pages that
    /// are not among `known`, or do not fit, become lost lines.
    pub(crate) fn adopt(&mut self, start: Seam, known: &[TakenPage]) -> Result<(), Malformed> {
        let mut end = self.sealed.front().map_or(self.hot_start(), Sealed::start);
        if start == end || !start.reaches(end) {
            return Err(Malformed);
        }
        let mut known: Vec<&TakenPage> = known.iter().collect();
        // The sort is stable, so of two pages with one number the newer is looked at first below.
        known.sort_by_key(|page| page.number);
        for page in known.into_iter().rev() {
            let (Some(sealed), Some(after)) = (Sealed::away(page), page.end()) else {
                continue;
            };
            if !start.reaches(sealed.start()) || !after.reaches(end) {
                continue;
            }
            if !self.push_lost(after, end) {
                return Ok(());
            }
            end = sealed.start();
            self.sealed.push_front(sealed);
        }
        self.push_lost(start, end);
        Ok(())
    }

    /// Uses all pages in the store as the history of a new terminal.
    pub(crate) fn adopt_all(&mut self, known: &[TakenPage]) -> Result<(), Malformed> {
        let first = known.iter().min_by_key(|page| page.number);
        // Of two pages with one number, this is the newer.
        let last = known.iter().max_by_key(|page| page.number);
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(());
        };
        let end = last.end().ok_or(Malformed)?;
        (self.next_page, self.hot_first) = (end.page, end.line);
        let start = Seam {
            page: first.number,
            line: first.first_line,
        };
        self.adopt(start, known)?;
        self.check()?;
        self.recount();
        Ok(())
    }

    /// Puts lost pages before all others. Returns false if there would be too many.
    fn push_lost(&mut self, start: Seam, end: Seam) -> bool {
        let pages = end.page - start.page;
        if pages > MAX_LOST {
            return false;
        }
        let mut line = end.line;
        for before in (0..pages).rev() {
            // It is not known how the lines were distributed over the pages, so distribute them evenly.
            let lines = (line - start.line) / (before + 1);
            line -= lines;
            self.sealed.push_front(Sealed {
                number: start.page + before,
                first_line: line,
                lines: lines as u32,
                cells: 0,
                longest: 0,
                body: Body::Lost,
                counted: Counted::default(),
                rows: 0,
                taken: true,
            });
        }
        true
    }
}

impl TakenPage {
    fn end(&self) -> Option<Seam> {
        Some(Seam {
            page: self.number.checked_add(1)?,
            line: self.first_line.checked_add(self.lines.into())?,
        })
    }
}

impl Sealed {
    pub(crate) fn start(&self) -> Seam {
        Seam {
            page: self.number,
            line: self.first_line,
        }
    }

    /// The number of the line after the last.
    pub(super) fn end_line(&self) -> u64 {
        self.first_line + u64::from(self.lines)
    }

    /// An entry for a page in the store; `None` if no page can be like that.
    fn away(page: &TakenPage) -> Option<Self> {
        let sound = (1..=MAX_LINES as u32).contains(&page.lines)
            && page.longest <= MAX_LONGEST
            && page.cells <= u64::from(page.lines) * MAX_LONGEST;
        sound.then_some(Self {
            number: page.number,
            first_line: page.first_line,
            lines: page.lines,
            cells: page.cells,
            longest: page.longest,
            body: Body::Away,
            counted: Counted::default(),
            rows: 0,
            taken: true,
        })
    }

    /// Whether `page` is the one that this entry describes.
    pub(super) fn describes(&self, page: &Page) -> bool {
        page.lines() == self.lines as usize
            && (page.cells, page.longest) == (self.cells, self.longest)
    }
}
