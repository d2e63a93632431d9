//! A pane as it was when copy mode was entered, while its program continues to print.
//!
//! Only the screen is copied. History is append-only and its lines keep their numbers, so a view of it needs only the
//! number of the first line that came later. The rows of a page of history at the view's width are computed when they
//! are needed: a page whose lines all fit is counted without being read, and others are estimated until the cursor
//! comes near.

use std::cell::{Cell, RefCell};
use std::ops::RangeInclusive;
use std::sync::Arc;

use shellkeep_term::view::RowView;
use shellkeep_term::{Emulator, HistoryRows, PageMissing, TextLines};

use crate::text::{Pos, Text};

/// Pages kept in memory: at the view, at the start of the selection, and where a search is.
const CACHED: usize = 4;

/// Pages counted when the view is made, so that a history of usual size is exact.
const COUNTED_AT_ONCE: usize = 16;

/// A page of history as it is in this view.
#[derive(Clone, Copy, Debug)]
struct Page {
    first_line: u64,
    lines: u32,
    /// Its rows at the view's width; an estimate unless `counted`.
    rows: usize,
    counted: bool,
}

/// The pages, oldest first. `below[i]` is the number of rows between the end of page `i` and the screen. It is exact
/// for a page if all newer pages are counted.
#[derive(Clone, Debug, Default)]
struct Index {
    pages: Vec<Page>,
    below: Vec<usize>,
    /// All pages from this index on are counted.
    counted_from: usize,
    total: usize,
}

impl Index {
    fn new(pages: Vec<Page>) -> Self {
        let mut index = Self {
            counted_from: pages.len(),
            below: vec![0; pages.len()],
            pages,
            total: 0,
        };
        index.advance();
        index.add_up();
        index
    }

    /// Extends the counted part by pages that are counted already.
    fn advance(&mut self) {
        while let Some(at) = self.counted_from.checked_sub(1) {
            if !self.pages[at].counted {
                return;
            }
            self.below[at] = self.rows_from(at + 1);
            self.counted_from = at;
        }
    }

    fn add_up(&mut self) {
        self.total = self.pages.iter().map(|page| page.rows).sum();
    }

    /// Rows of the counted pages from `at` on.
    fn rows_from(&self, at: usize) -> usize {
        self.pages
            .get(at)
            .map_or(0, |page| self.below[at] + page.rows)
    }

    /// The counted page that holds the row `above` rows above the screen (0 is just above).
    fn find(&self, above: usize) -> Option<usize> {
        let counted = &self.below[self.counted_from..];
        // Older pages have more rows below them.
        let at = counted.partition_point(|below| *below > above);
        let at = self.counted_from + at;
        (at < self.pages.len() && above < self.rows_from(at)).then_some(at)
    }
}

/// A frozen pane. Read it together with the pane's engine, through [`Frozen::text`].
#[derive(Debug)]
pub struct Frozen {
    screen: HistoryRows,
    cols: u16,
    cursor: Pos,
    /// The first line of the pane that does not belong to this view's history.
    end_line: u64,
    /// How many rows of the line before that are in the history; the rest of it is on the screen.
    open_rows: Option<usize>,
    index: RefCell<Index>,
    cache: RefCell<Vec<(u64, Arc<HistoryRows>)>>,
    missing: Cell<Option<PageMissing>>,
}

impl Frozen {
    /// Freezes a pane. Above an alternate screen, the history of the main screen can still be read.
    #[must_use]
    pub fn new(emulator: &Emulator) -> Self {
        let cols = emulator.size().cols();
        let cursor = emulator.cursor();
        let pages: Vec<Page> = emulator
            .history_pages()
            .filter(|page| page.lines > 0)
            .map(|page| Page {
                first_line: page.first_line,
                lines: page.lines,
                rows: page.guess_rows(cols),
                counted: page.longest <= u64::from(cols),
            })
            .collect();
        let end_line = emulator.first_history_line() + emulator.history_lines() as u64;
        let open = emulator.is_history_open() && !emulator.is_alternate() && !pages.is_empty();
        let open_rows = open.then(|| {
            let rows = emulator.history_line_rows(end_line.saturating_sub(1), 1, cols);
            rows.len().max(1)
        });
        let frozen = Self {
            screen: emulator.screen_copy(),
            cols,
            cursor: Pos::new(cursor.row.into(), cursor.col.into()),
            end_line,
            open_rows,
            index: RefCell::new(Index::new(pages)),
            cache: RefCell::default(),
            missing: Cell::default(),
        };
        let pages = frozen.index.borrow().pages.len();
        for at in (pages.saturating_sub(COUNTED_AT_ONCE)..pages).rev() {
            frozen.count_page(emulator, at);
        }
        frozen
    }

    #[must_use]
    pub fn cursor(&self) -> Pos {
        self.cursor
    }

    /// The text. The engine must not be fed while it is used.
    #[must_use]
    pub fn text<'a>(&'a self, emulator: &'a Emulator) -> FrozenText<'a> {
        self.drop_old(emulator.first_history_line());
        FrozenText {
            frozen: self,
            emulator,
        }
    }

    #[must_use]
    pub fn cols(&self) -> u16 {
        self.cols
    }

    #[must_use]
    pub fn screen_rows(&self) -> u16 {
        self.screen.len() as u16
    }

    /// A row that can still be read when the engine is not available any more.
    #[must_use]
    pub fn row(&self, emulator: &Emulator, row: i64) -> Option<FrozenRow<'_>> {
        self.drop_old(emulator.first_history_line());
        if let Ok(row) = usize::try_from(row) {
            return Some(FrozenRow::OnScreen(self.screen.row(row)?));
        }
        let above = (-(row + 1)) as usize;
        self.count_to(emulator, above);
        let (page, into) = {
            let index = self.index.borrow();
            let at = index.find(above)?;
            let page = index.pages[at];
            (page, page.rows - 1 - (above - index.below[at]))
        };
        Some(FrozenRow::InHistory(self.rows_of(emulator, page), into))
    }

    /// A page of history that could not be read, if there was one. Its lines are empty.
    #[must_use]
    pub fn missing(&self) -> Option<PageMissing> {
        self.missing.get()
    }

    /// The character of the pane's text that is shown at a position. Rows and columns change with a resize; this does
    /// not.
    #[must_use]
    pub fn spot(&self, emulator: &Emulator, at: Pos) -> Spot {
        let text = self.text(emulator);
        let text: &dyn Text = &text;
        let mut first = at.row;
        while first > text.top() && text.is_wrapped(first - 1) {
            first -= 1;
        }
        Spot {
            line: self.line_of(emulator, first),
            offset: (at.row - first) as usize * text.width() + at.col,
        }
    }

    /// The position at which a character is shown.
    #[must_use]
    pub fn place(&self, emulator: &Emulator, spot: Spot) -> Pos {
        let text = self.text(emulator);
        let text: &dyn Text = &text;
        let mut row = self.first_row(emulator, spot.line);
        let mut offset = spot.offset;
        while offset >= text.width() && row < text.bottom() && text.is_wrapped(row) {
            offset -= text.width();
            row += 1;
        }
        Pos::new(row, offset.min(text.width()))
    }

    /// The line whose first row this is.
    fn line_of(&self, emulator: &Emulator, row: i64) -> u64 {
        let mut line = self.end_line;
        if row >= 0 {
            let rows = self.screen.iter().take(row as usize);
            let ended = rows.filter(|row| !row.is_wrapped()).count() as u64;
            // The first row on the screen may be the rest of a line of history.
            return line + ended - u64::from(self.open_rows.is_some());
        }
        let above = (-row - 1) as usize;
        self.count_to(emulator, above);
        let index = self.index.borrow();
        let Some(at) = index.find(above) else {
            return index.pages.first().map_or(line, |page| page.first_line);
        };
        let page = index.pages[at];
        let into = page.rows - 1 - (above - index.below[at]);
        line = page.first_line;
        let rows = self.rows_of(emulator, page);
        line += rows.iter().take(into).filter(|r| !r.is_wrapped()).count() as u64;
        line
    }

    fn first_row(&self, emulator: &Emulator, line: u64) -> i64 {
        let on_screen = line.checked_sub(self.end_line);
        let open = u64::from(self.open_rows.is_some());
        if let Some(nth) = on_screen {
            let mut ended = 0;
            for (row, view) in self.screen.iter().enumerate() {
                if ended == nth + open {
                    return row as i64;
                }
                ended += u64::from(!view.is_wrapped());
            }
            return self.screen.len() as i64 - 1;
        }
        let mut at = self.index.borrow().pages.len();
        while let Some(before) = at.checked_sub(1) {
            at = before;
            self.count_page(emulator, at);
            let page = self.index.borrow().pages[at];
            if page.first_line <= line {
                break;
            }
        }
        let index = self.index.borrow();
        let Some(page) = index.pages.get(at).copied() else {
            return 0;
        };
        let below = index.below[at];
        drop(index);
        let mut into = 0;
        let rows = self.rows_of(emulator, page);
        let mut number = page.first_line;
        while number < line && into < rows.len() {
            number += u64::from(rows.row(into).is_none_or(|row| !row.is_wrapped()));
            into += 1;
        }
        -((below + page.rows.saturating_sub(into)) as i64)
    }

    /// Drops pages that the engine no longer has.
    fn drop_old(&self, first_line: u64) {
        let mut index = self.index.borrow_mut();
        let gone = index
            .pages
            .partition_point(|page| page.first_line + u64::from(page.lines) <= first_line);
        if gone > 0 {
            index.pages.drain(..gone);
            index.below.drain(..gone);
            index.counted_from = index.counted_from.saturating_sub(gone);
            index.add_up();
        }
    }

    /// Counts pages up to the one with the row that is `above` rows above the screen.
    fn count_to(&self, emulator: &Emulator, above: usize) {
        loop {
            let next = {
                let index = self.index.borrow();
                if index.rows_from(index.counted_from) > above {
                    return;
                }
                index.counted_from.checked_sub(1)
            };
            let Some(next) = next else { return };
            self.count_page(emulator, next);
        }
    }

    /// Counts the page above the counted ones.
    fn count_page(&self, emulator: &Emulator, at: usize) {
        let page = self.index.borrow().pages[at];
        if !page.counted {
            let counted = self.rows_of(emulator, page).len();
            let mut index = self.index.borrow_mut();
            index.total -= page.rows;
            index.pages[at].rows = counted;
            index.pages[at].counted = true;
            index.total += counted;
        }
        self.index.borrow_mut().advance();
    }

    /// The rows of a page, from the cache or the engine.
    fn rows_of(&self, emulator: &Emulator, page: Page) -> Arc<HistoryRows> {
        let mut cache = self.cache.borrow_mut();
        if let Some(at) = cache.iter().position(|(line, _)| *line == page.first_line) {
            let found = Arc::clone(&cache[at].1);
            cache[..=at].rotate_right(1);
            return found;
        }
        let mut rows = emulator.history_line_rows(page.first_line, page.lines, self.cols);
        if let Some(missing) = rows.missing() {
            self.missing.set(Some(missing));
        }
        let last = page.first_line + u64::from(page.lines);
        if let Some(open) = self.open_rows.filter(|_| last == self.end_line) {
            // The line has grown since; the later part was on the screen.
            rows.keep_of_last_line(open);
        }
        let rows = Arc::new(rows);
        cache.truncate(CACHED - 1);
        cache.insert(0, (page.first_line, Arc::clone(&rows)));
        rows
    }
}

/// A character of the pane's text, independent of the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The line, counted through the life of the pane.
    pub line: u64,
    /// Cells from its beginning.
    pub offset: usize,
}

#[derive(Debug)]
pub enum FrozenRow<'a> {
    OnScreen(RowView<'a>),
    /// A row of history: the rows of its page, and its index in them.
    InHistory(Arc<HistoryRows>, usize),
}

impl FrozenRow<'_> {
    pub fn lend(&self, read: &mut dyn FnMut(RowView<'_>)) {
        match self {
            Self::OnScreen(view) => read(*view),
            Self::InHistory(rows, at) => {
                if let Some(view) = rows.row(*at) {
                    read(view);
                }
            }
        }
    }
}

/// A frozen view of a pane that can be read.
#[derive(Clone, Copy, Debug)]
pub struct FrozenText<'a> {
    frozen: &'a Frozen,
    emulator: &'a Emulator,
}

impl Text for FrozenText<'_> {
    fn cols(&self) -> u16 {
        self.frozen.cols()
    }

    fn screen_rows(&self) -> u16 {
        self.frozen.screen_rows()
    }

    fn history_rows(&self) -> usize {
        self.frozen.index.borrow().total
    }

    fn count_history(&self) -> usize {
        self.frozen.count_to(self.emulator, usize::MAX);
        self.history_rows()
    }

    fn page_text(&self, row: i64, out: &mut TextLines) -> Option<RangeInclusive<i64>> {
        let above = usize::try_from(-(row + 1)).ok()?;
        self.frozen.count_to(self.emulator, above);
        let index = self.frozen.index.borrow();
        let at = index.find(above)?;
        let (page, below) = (index.pages[at], index.below[at]);
        drop(index);
        out.clear();
        let has_text = self
            .emulator
            .push_page_text(page.first_line, page.lines, out);
        let last = -(below as i64) - 1;
        has_text.then_some(last + 1 - page.rows as i64..=last)
    }

    fn with_row(&self, row: i64, read: &mut dyn FnMut(RowView<'_>)) {
        if let Some(row) = self.frozen.row(self.emulator, row) {
            row.lend(read);
        }
    }
}
