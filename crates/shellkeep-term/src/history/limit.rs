//! The limit on a history. It counts rows at the width of the screen, as tmux does, and holds after every row.
//!
//! Only whole pages are dropped, so that a new row costs no more than an addition. A page therefore holds at most a
//! tenth of the limit, and between nine tenths of the limit and all of it are kept while a program prints, as with
//! tmux. A page above the limit is dropped whether the store has it or not.

use super::page::Page;
use super::{Body, History, MAX_LINE_CELLS, Sealed};

/// The fewest rows of a page even under the smallest limits, so that a wrapped line stays one line.
const FEWEST_ROWS: usize = 4;

impl History {
    /// The rows after which a page is full.
    fn page_rows(&self) -> usize {
        match self.limit {
            usize::MAX => usize::MAX,
            limit => (limit / 10).max(FEWEST_ROWS).min(limit),
        }
    }

    /// Whether a new line has to begin a new page.
    pub(super) fn is_newest_page_full(&self) -> bool {
        let most = self.page_rows();
        let newest = self.hot.back();
        newest.is_none_or(|page| page.is_full() || page.rows >= most)
    }

    /// The most cells of a line, above which it is cut. Only whole pages are dropped, so a line must not exceed one
    /// page.
    pub(super) fn longest_line(&self, cols: usize) -> usize {
        self.page_rows().saturating_mul(cols).min(MAX_LINE_CELLS)
    }

    /// Counts the rows of all pages for a width, unless they are counted already. Pages that would have to be read are
    /// estimated.
    pub(super) fn weigh(&mut self, cols: usize) {
        if self.limit == usize::MAX || self.weighed_for == Some(cols) {
            return;
        }
        let width = u16::try_from(cols).unwrap_or(u16::MAX);
        self.sealed_rows = 0;
        for sealed in &mut self.sealed {
            let rows = sealed.known_rows(width);
            sealed.rows = rows.unwrap_or_else(|| sealed.span().guess_rows(width));
            self.sealed_rows += sealed.rows;
        }
        for page in &mut self.hot {
            page.rows = page.row_count(width);
        }
        self.weighed_for = Some(cols);
    }

    /// Drops the oldest pages until the rest is within the limit. The rows must have been counted.
    pub(super) fn enforce_limit(&mut self) {
        while self.limit != usize::MAX && self.rows_weighed() > self.limit && self.drop_oldest() {}
    }

    fn rows_weighed(&self) -> usize {
        self.sealed_rows + self.hot.iter().map(|page| page.rows).sum::<usize>()
    }

    /// Drops the oldest page. Returns false if only the page that is being written is left.
    fn drop_oldest(&mut self) -> bool {
        if let Some(Sealed {
            body, lines, rows, ..
        }) = self.sealed.pop_front()
        {
            if let Body::Open(page) = body {
                self.open_bytes -= page.byte_len();
            }
            self.sealed_lines -= lines as usize;
            self.sealed_rows -= rows;
            self.first_open = self.first_open.saturating_sub(1);
            return true;
        }
        if self.hot.len() < 2 {
            return false;
        }
        let lines = self.hot.pop_front().as_ref().map_or(0, Page::lines);
        self.hot_first += lines as u64;
        // The number is never used again, or later pages would collide with pages that the store has.
        self.next_page += 1;
        true
    }

    /// The oldest page within the limit; `None` without a limit.
    pub(crate) fn first_page_within_limit(&self) -> Option<u64> {
        let oldest = self.sealed.front();
        (self.limit != usize::MAX).then(|| oldest.map_or(self.next_page, |page| page.number))
    }

    /// Changes the limit, on a screen `cols` wide.
    pub(crate) fn set_limit(&mut self, limit: usize, cols: usize) {
        self.limit = limit;
        self.weighed_for = None;
        if limit == 0 {
            self.clear();
        } else {
            self.weigh(cols);
            self.enforce_limit();
        }
    }
}
