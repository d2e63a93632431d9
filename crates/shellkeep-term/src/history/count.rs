//! How many rows the history takes at a width.
//!
//! Where every line of a page fits the width, it has as many rows as lines. Other pages are counted when they are
//! sealed, at the width that the screen has then, and the count is cached in the page's entry. At another width, or
//! after a restore, a page has to be read once to be counted.

use std::sync::atomic::{AtomicU64, Ordering};

use shellkeep_core::width;

use super::page::{ASCII, BLANKS, CLUSTER, FILL, MARK, PAD, Page, TEXT, WIDE_CLUSTER};
use super::{Body, History, Sealed};
use crate::wire::{ByteReader, Malformed};

/// The most pages that are read where the result may be an estimate. They take a few milliseconds, and are more than a
/// history of the usual size has.
const READ_AT_ONCE: usize = 64;

/// A page's number of rows at the width for which it was last counted: the width, and 32 bits of rows; 0 if it never
/// was counted. Atomic only because several readers may share one engine.
#[derive(Debug, Default)]
pub(crate) struct Counted(AtomicU64);

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Counted {
    /// Counts a page that is in memory.
    pub(super) fn of(page: &Page, cols: usize) -> Self {
        let counted = Self::default();
        if let Ok(cols) = u16::try_from(cols)
            && page.longest > u64::from(cols)
        {
            counted.remember(cols, page.row_count(cols));
        }
        counted
    }

    fn at(&self, cols: u16) -> Option<usize> {
        let word = self.0.load(Ordering::Relaxed);
        (word >> 32 == u64::from(cols)).then_some(word as u32 as usize)
    }

    fn remember(&self, cols: u16, rows: usize) {
        let word = u64::from(cols) << 32 | rows as u64 & u64::from(u32::MAX);
        self.0.store(word, Ordering::Relaxed);
    }
}

impl Sealed {
    /// The rows of the page, if they are known without reading it.
    pub(super) fn known_rows(&self, cols: u16) -> Option<usize> {
        // Each lost line is shown as an empty row.
        let rows_are_lines = self.longest <= u64::from(cols) || matches!(self.body, Body::Lost);
        match rows_are_lines {
            true => Some(self.lines as usize),
            false => self.counted.at(cols),
        }
    }
}

impl History {
    /// The rows of the whole history at this width, or `most` if there are more. Reads only as many pages as needed.
    pub(crate) fn row_count(&self, cols: u16, most: usize) -> usize {
        let mut rows = self.hot_rows(cols);
        let mut lines_above: usize = self.sealed.iter().map(|page| page.lines as usize).sum();
        for (at, sealed) in self.sealed.iter().enumerate().rev() {
            // A line has at least one row.
            if rows.saturating_add(lines_above) >= most {
                return most;
            }
            lines_above -= sealed.lines as usize;
            rows += self.count_page(at, cols);
        }
        rows.min(most)
    }

    /// The rows of the whole history at this width, partly estimated.
    pub(crate) fn row_count_at_once(&self, cols: u16) -> usize {
        let mut rows = self.hot_rows(cols);
        let mut left = READ_AT_ONCE;
        for (at, sealed) in self.sealed.iter().enumerate().rev() {
            rows += match sealed.known_rows(cols) {
                Some(known) => known,
                None if left == 0 => sealed.span().guess_rows(cols),
                None => {
                    left -= 1;
                    self.count_page(at, cols)
                }
            };
        }
        rows
    }

    fn hot_rows(&self, cols: u16) -> usize {
        self.hot.iter().map(|page| page.row_count(cols)).sum()
    }

    /// The rows of a sealed page, which is read if they are not known. A page that cannot be read counts one row a
    /// line, and is tried again the next time.
    fn count_page(&self, at: usize, cols: u16) -> usize {
        let sealed = &self.sealed[at];
        if let Some(known) = sealed.known_rows(cols) {
            return known;
        }
        match self.with_sealed(at, |page| page.row_count(cols)) {
            Ok(rows) => {
                sealed.counted.remember(cols, rows);
                rows
            }
            Err(_) => sealed.lines as usize,
        }
    }
}

impl Page {
    /// Rows of all lines at a width.
    pub(super) fn row_count(&self, cols: u16) -> usize {
        if self.longest <= u64::from(cols) {
            return self.lines();
        }
        (0..self.lines())
            .map(|line| line_rows(self.line_bytes(line), cols.into()))
            .sum()
    }
}

/// The rows of one line. Stops where the line is malformed, as [`Page::line`] does.
fn line_rows(line: &[u8], cols: usize) -> usize {
    let mut rows = LineRows {
        cols: cols.max(1),
        rows: 1,
        used: 0,
    };
    let mut reader = ByteReader::new(line);
    while !reader.is_empty() && rows.add_segment(&mut reader).is_ok() {}
    rows.rows
}

/// Counts the rows of a line as [`crate::grid::reflow::row_end`] breaks it, without making cells.
struct LineRows {
    cols: usize,
    rows: usize,
    /// Cells in the last row.
    used: usize,
}

impl LineRows {
    fn add_segment(&mut self, reader: &mut ByteReader<'_>) -> Result<(), Malformed> {
        match reader.number()? as u8 & 7 {
            ASCII => self.add_narrow(reader.bytes()?.len()),
            TEXT => {
                let length = usize::from(reader.byte()?) | usize::from(reader.byte()?) << 8;
                let text = std::str::from_utf8(reader.take(length)?).map_err(|_| Malformed)?;
                for c in text.chars() {
                    match width::width(c) {
                        2 => self.add_wide(),
                        _ => self.add_narrow(1),
                    }
                }
            }
            CLUSTER => {
                reader.bytes()?;
                self.add_narrow(1);
            }
            WIDE_CLUSTER => {
                reader.bytes()?;
                self.add_wide();
            }
            BLANKS => self.add_narrow(reader.small()?),
            PAD => self.add_narrow(1),
            FILL | MARK => {}
            _ => return Err(Malformed),
        }
        Ok(())
    }

    fn add_narrow(&mut self, count: usize) {
        self.used += count;
        if self.used > self.cols {
            // The last row is full; no empty row follows it.
            let more = (self.used - 1) / self.cols;
            self.rows += more;
            self.used -= more * self.cols;
        }
    }

    fn add_wide(&mut self) {
        if self.cols == 1 {
            // It fits into no row, and has one of its own.
            self.add_narrow(1);
        } else if self.used + 2 > self.cols {
            self.rows += 1;
            self.used = 2;
        } else {
            self.used += 2;
        }
    }
}
