//! Reading history: rows above the screen at the current width, and logical lines by number.

use super::{Body, History, unpack};
use crate::grid::look::Tables;
use crate::grid::reflow::Line;
use crate::grid::row::Row;
use crate::history::page::Page;
use crate::view::RowView;

/// A page of history is with the store: fetch it, hand it to [`crate::Emulator::provide_page`], ask
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageMissing(
    /// The page's number.
    pub u64,
);

impl std::fmt::Display for PageMissing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "history page {} is with the store", self.0)
    }
}

impl std::error::Error for PageMissing {}

/// Some rows of history, top first, with what is needed to show them.
#[derive(Clone, Debug, Default)]
pub struct HistoryRows {
    rows: Vec<Row>,
    cols: u16,
    tables: Tables,
}

impl HistoryRows {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Row `index` from the top; `None` beyond the last.
    #[must_use]
    pub fn row(&self, index: usize) -> Option<RowView<'_>> {
        let row = self.rows.get(index)?;
        Some(RowView::new(row, self.cols, &self.tables))
    }

    /// All of them, top first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = RowView<'_>> {
        self.rows
            .iter()
            .map(|row| RowView::new(row, self.cols, &self.tables))
    }
}

impl History {
    /// Lends a sealed page to `read`, unpacked.
    fn with_sealed<T>(&self, at: usize, read: impl FnOnce(&Page) -> T) -> Result<T, PageMissing> {
        let sealed = &self.sealed[at];
        match &sealed.body {
            Body::Open(page) => Ok(read(page)),
            Body::Packed(data) => match unpack(data) {
                Ok(page) => Ok(read(&page)),
                Err(_) => Err(PageMissing(sealed.number)),
            },
            Body::Away => Err(PageMissing(sealed.number)),
        }
    }

    /// The line with this number, of those still known.
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

    /// `count` rows at most, the lowest being `above` rows above the screen.
    pub(crate) fn rows(
        &self,
        above: usize,
        count: usize,
        cols: u16,
    ) -> Result<HistoryRows, PageMissing> {
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
            // A page that is only passed by need not be read, nor be here.
            let sealed = &self.sealed[at];
            let lines = sealed.lines as usize;
            if sealed.longest <= u64::from(cols) && window.skip >= lines && !window.open {
                window.skip -= lines;
                continue;
            }
            self.with_sealed(at, |page| window.take_page(page))?;
        }
        window.out.rows.truncate(count);
        window.out.rows.reverse();
        Ok(window.out)
    }

    /// Rows of all history at this width. Sealed pages with longer lines than that are estimated.
    pub(crate) fn row_count(&self, cols: u16) -> usize {
        let sealed: usize = self
            .sealed
            .iter()
            .map(|page| {
                let lines = u64::from(page.lines);
                let more = page.cells / u64::from(cols);
                let fits = page.longest <= u64::from(cols);
                (if fits { lines } else { lines.max(more) }) as usize
            })
            .sum();
        let mut tables = Tables::default();
        let mut hot = 0;
        for page in &self.hot {
            for line in 0..page.lines() {
                hot += row_count(&page.line(line, &mut tables), usize::from(cols));
            }
        }
        sealed + hot
    }
}

/// Rows a line takes.
fn row_count(line: &Line, cols: usize) -> usize {
    let mut rows = 1;
    let mut end = crate::grid::reflow::row_end(&line.cells, 0, cols);
    while end < line.cells.len() {
        end = crate::grid::reflow::row_end(&line.cells, end, cols);
        rows += 1;
    }
    rows
}

/// Collects rows from the newest up.
struct Window {
    skip: usize,
    count: usize,
    /// The next line read is the one that goes on at the top of the screen.
    open: bool,
    out: HistoryRows,
}

impl Window {
    fn is_full(&self) -> bool {
        self.out.rows.len() >= self.count
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
