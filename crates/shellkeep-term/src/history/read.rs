//! Reads history: rows above the screen at the current width, and logical lines by number.

use std::ops::Range;

use super::{Body, History, Sealed, unpack};
use crate::grid::look::Tables;
use crate::grid::reflow::Line;
use crate::grid::row::Row;
use crate::history::page::Page;
use crate::view::RowView;

/// A page of history could not be read: the store does not have it, or returned another page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageMissing(pub u64);

impl std::fmt::Display for PageMissing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "history page {} cannot be read", self.0)
    }
}

impl std::error::Error for PageMissing {}

/// Rows of history, top first, with the tables that are needed to show them.
#[derive(Clone, Debug, Default)]
pub struct HistoryRows {
    rows: Vec<Row>,
    cols: u16,
    tables: Tables,
    missing: Option<PageMissing>,
}

impl HistoryRows {
    pub(crate) fn of(rows: Vec<Row>, cols: u16, tables: &Tables) -> Self {
        Self {
            rows,
            cols,
            tables: tables.clone(),
            missing: None,
        }
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Inserts a line of a page before the first row, which continues it.
    pub(crate) fn put_before(&mut self, page: &Page, line: usize) {
        self.cols = u16::MAX;
        let mut rows = page
            .line(line, &mut self.tables)
            .into_rows(usize::from(u16::MAX));
        if let Some(last) = rows.last_mut() {
            last.wrapped = true;
        }
        self.rows.splice(..0, rows);
    }

    /// A page that could not be read, if there was one. Its lines are present as empty rows.
    #[must_use]
    pub fn missing(&self) -> Option<PageMissing> {
        self.missing
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Row `index` from the top; `None` after the last.
    #[must_use]
    pub fn row(&self, index: usize) -> Option<RowView<'_>> {
        let row = self.rows.get(index)?;
        Some(RowView::new(row, self.cols, &self.tables))
    }

    /// Cuts the last line down to its first `count` rows.
    pub fn keep_of_last_line(&mut self, count: usize) {
        let Some((_, before)) = self.rows.split_last() else {
            return;
        };
        let start = before.iter().rposition(|row| !row.wrapped);
        let start = start.map_or(0, |at| at + 1);
        self.rows.truncate(start + count.max(1));
        if let Some(last) = self.rows.last_mut() {
            last.wrapped = true;
        }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = RowView<'_>> {
        self.rows
            .iter()
            .map(|row| RowView::new(row, self.cols, &self.tables))
    }
}

impl History {
    /// Passes a sealed page, unpacked, to `read`.
    pub(super) fn with_sealed<T>(
        &self,
        at: usize,
        read: impl FnOnce(&Page) -> T,
    ) -> Result<T, PageMissing> {
        let sealed = &self.sealed[at];
        match &sealed.body {
            Body::Open(page) => Ok(read(page)),
            Body::Packed(data) => match unpack(data) {
                Ok(page) => Ok(read(&page)),
                Err(_) => Err(PageMissing(sealed.number)),
            },
            Body::Away => match self.load(sealed) {
                Some(page) => Ok(read(&page)),
                None => Err(PageMissing(sealed.number)),
            },
            Body::Lost => Err(PageMissing(sealed.number)),
        }
    }

    /// The line of this number, if the history still has it.
    pub(crate) fn line(
        &self,
        number: u64,
        tables: &mut Tables,
    ) -> Result<Option<Line>, PageMissing> {
        if number >= self.hot_first {
            let mut at = (number - self.hot_first) as usize;
            for page in &self.hot {
                if at < page.lines() {
                    return Ok(Some(page.line(at, tables)));
                }
                at -= page.lines();
            }
            return Ok(None);
        }
        let place = self
            .sealed
            .partition_point(|page| page.first_line <= number);
        let Some(at) = place.checked_sub(1) else {
            return Ok(None);
        };
        let line = (number - self.sealed[at].first_line) as usize;
        self.with_sealed(at, |page| Some(page.line(line, tables)))
    }

    /// At most `count` rows, the lowest of which is `above` rows above the screen.
    pub(crate) fn rows(&self, above: usize, count: usize, cols: u16) -> HistoryRows {
        let mut window = Window {
            skip: above,
            count,
            open: self.open,
            out: HistoryRows {
                cols,
                ..HistoryRows::default()
            },
        };
        for page in self.hot.iter().rev() {
            window.take_page(page);
        }
        for at in (0..self.sealed.len()).rev() {
            if window.is_full() {
                break;
            }
            // A page that is only skipped need not be read.
            let sealed = &self.sealed[at];
            if let Some(rows) = sealed.known_rows(cols)
                && window.skip >= rows
                && !window.open
            {
                window.skip -= rows;
                continue;
            }
            let lines = sealed.lines as usize;
            if let Err(missing) = self.with_sealed(at, |page| window.take_page(page)) {
                window.take_missing(missing, lines);
            }
        }
        window.out.rows.truncate(count);
        window.out.rows.reverse();
        window.out
    }
}

/// Collects rows, starting at the newest.
struct Window {
    skip: usize,
    count: usize,
    /// The next line that is read continues at the top of the screen.
    open: bool,
    out: HistoryRows,
}

impl Window {
    fn is_full(&self) -> bool {
        self.out.rows.len() >= self.count
    }

    fn take_missing(&mut self, missing: PageMissing, lines: usize) {
        let skipped = self.skip.min(lines);
        self.skip -= skipped;
        let room = self.count.saturating_sub(self.out.rows.len());
        let shown = room.min(lines - skipped);
        if shown > 0 {
            self.out.push_missing(missing, shown);
        }
    }

    fn take_page(&mut self, page: &Page) {
        let cols = usize::from(self.out.cols);
        for at in (0..page.lines()).rev() {
            if self.is_full() {
                return;
            }
            let line = page.line(at, &mut self.out.tables);
            let mut rows = line.into_rows(cols);
            if std::mem::take(&mut self.open)
                && let Some(last) = rows.last_mut()
            {
                last.wrapped = true;
            }
            let skipped = self.skip.min(rows.len());
            self.skip -= skipped;
            rows.truncate(rows.len() - skipped);
            self.out.rows.extend(rows.into_iter().rev());
        }
    }
}

/// The position of a page of history, and what allows its rows to be estimated without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSpan {
    pub first_line: u64,
    pub lines: u32,
    /// The cells of the longest line. On a screen at least as wide, every line has one row.
    pub longest: u64,
    /// The cells of all lines, to estimate their rows on a narrower screen.
    pub cells: u64,
}

impl PageSpan {
    /// The estimated number of rows at this width. It is exact if every line fits.
    #[must_use]
    pub fn guess_rows(&self, cols: u16) -> usize {
        let (lines, cols) = (u64::from(self.lines), u64::from(cols.max(1)));
        let rows = match self.longest <= cols {
            true => lines,
            // On average the last row of a line is half empty.
            false => lines.max(self.cells / cols + lines / 2),
        };
        rows as usize
    }
}

impl Sealed {
    pub(super) fn span(&self) -> PageSpan {
        PageSpan {
            first_line: self.first_line,
            lines: self.lines,
            longest: self.longest,
            cells: self.cells,
        }
    }
}

impl crate::Emulator {
    /// A copy of the active screen.
    #[must_use]
    pub fn screen_copy(&self) -> HistoryRows {
        let (size, canvas) = (self.size(), &self.terminal.screen.canvas);
        let rows = 0..size.rows();
        HistoryRows {
            rows: rows.map(|row| canvas.grid.row(row).clone()).collect(),
            cols: size.cols(),
            tables: canvas.tables.clone(),
            missing: None,
        }
    }

    /// The pages of history, oldest first. Later calls may find a page longer, or gone, but never under another number.
    pub fn history_pages(&self) -> impl Iterator<Item = PageSpan> + '_ {
        let history = &self.terminal.screen.canvas.history;
        let sealed = history.sealed.iter().map(Sealed::span);
        let hot = history.hot.iter().scan(history.hot_first, |next, page| {
            let first_line = *next;
            *next += page.lines() as u64;
            Some(PageSpan {
                first_line,
                lines: page.lines() as u32,
                longest: page.longest,
                cells: page.cells,
            })
        });
        sealed.chain(hot)
    }

    /// Whether the newest line of history continues at the top of the screen.
    #[must_use]
    pub fn is_history_open(&self) -> bool {
        self.terminal.screen.canvas.history.open
    }

    /// The rows of at most `count` lines of history from number `first` on, wrapped at `cols`. Lines that the history
    /// no longer has are left out. Lines that cannot be read are empty ([`HistoryRows::missing`]).
    #[must_use]
    pub fn history_line_rows(&self, first: u64, count: u32, cols: u16) -> HistoryRows {
        self.terminal
            .screen
            .canvas
            .history
            .line_rows(first, count, cols.max(1))
    }
}

impl History {
    fn line_rows(&self, first: u64, count: u32, cols: u16) -> HistoryRows {
        let end = first.saturating_add(count.into());
        let mut out = HistoryRows {
            cols,
            ..HistoryRows::default()
        };
        self.push_line_rows(first..end, &mut out);
        out
    }

    /// Adds the lines with these numbers, of those still known.
    pub(crate) fn push_line_rows(
        &self,
        Range { start: first, end }: Range<u64>,
        out: &mut HistoryRows,
    ) {
        if first >= end {
            return;
        }
        let place = self.sealed.partition_point(|page| page.end_line() <= first);
        for at in place..self.sealed.len() {
            let (page_first, page_end) = (self.sealed[at].first_line, self.sealed[at].end_line());
            if page_first >= end {
                break;
            }
            let read = self.with_sealed(at, |page| out.push_lines(page, page_first, first..end));
            if let Err(missing) = read {
                let lines = page_end.min(end) - page_first.max(first);
                out.push_missing(missing, lines as usize);
            }
        }
        let mut page_first = self.hot_first;
        for page in &self.hot {
            out.push_lines(page, page_first, first..end);
            page_first += page.lines() as u64;
        }
        let newest = page_first.checked_sub(1);
        if self.open
            && newest.is_some_and(|newest| (first..end).contains(&newest))
            && let Some(last) = out.rows.last_mut()
        {
            last.wrapped = true;
        }
    }
}

impl HistoryRows {
    pub(crate) fn push_line(&mut self, line: Line) {
        self.rows.extend(line.into_rows(usize::from(self.cols)));
    }

    /// A line of history, to be added when it is whole. One that cannot be read is empty.
    pub(crate) fn line_of(&mut self, history: &History, number: u64) -> Line {
        match history.line(number, &mut self.tables) {
            Ok(line) => line.unwrap_or_default(),
            Err(missing) => {
                self.missing.get_or_insert(missing);
                Line::default()
            }
        }
    }

    /// Adds empty rows for the lines of a page that could not be read.
    fn push_missing(&mut self, missing: PageMissing, lines: usize) {
        self.missing.get_or_insert(missing);
        let row = Row::default();
        self.rows.extend(std::iter::repeat_n(row, lines));
    }

    /// Adds the lines of a page that are in `wanted`.
    fn push_lines(&mut self, page: &Page, page_first: u64, wanted: Range<u64>) {
        let lines = page.lines() as u64;
        let from = wanted.start.saturating_sub(page_first).min(lines);
        let to = wanted.end.saturating_sub(page_first).min(lines);
        for at in from..to {
            let line = page.line(at as usize, &mut self.tables);
            self.push_line(line);
        }
    }
}
