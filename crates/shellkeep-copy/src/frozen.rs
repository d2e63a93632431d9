//! A pane as it was when copy mode was entered, while its program goes on writing.
//!
//! Only the screen is copied. History is append-only and its lines keep their numbers, so a view of it
//! needs no more than the number of the first line that came too late. What a page of history looks like
//! at the view's width is worked out when a row there is asked for: pages whose lines all fit are counted
//! without being read, others are guessed at until the cursor comes near.

use std::cell::{Cell, RefCell};
use std::ops::RangeInclusive;
use std::sync::Arc;

use shellkeep_term::view::RowView;
use shellkeep_term::{Emulator, HistoryRows, PageMissing, TextLines};

use crate::text::{Pos, Text};

/// Pages kept unpacked: where the view is, where the selection began, and what a search passes by.
const CACHED: usize = 4;

/// Pages counted when the view is made, so that a history of the usual size is known exactly.
const COUNTED_AT_ONCE: usize = 16;

/// A page of history as this view sees it.
#[derive(Clone, Copy, Debug)]
struct Page {
    first_line: u64,
    lines: u32,
    /// Its rows at the view's width; a guess unless `counted`.
    rows: usize,
    counted: bool,
}

/// Pages oldest first. `below[i]` is how many rows lie between the end of page `i` and the screen; it
/// holds for all pages whose younger neighbours are counted.
#[derive(Clone, Debug, Default)]
struct Index {
    pages: Vec<Page>,
    below: Vec<usize>,
    /// From here on, younger pages are all counted.
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

    /// Takes what is counted already into the part that is known.
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

/// What was frozen of a pane. Read it together with the pane's engine, through [`Frozen::text`].
#[derive(Debug)]
pub struct Frozen {
    screen: HistoryRows,
    cols: u16,
    cursor: Pos,
    /// The first line of the pane's life that is not history here.
    end_line: u64,
    /// How many rows of the line before that are history; the rest of it is on the screen.
    open_rows: Option<usize>,
    index: RefCell<Index>,
    cache: RefCell<Vec<(u64, Arc<HistoryRows>)>>,
    missing: Cell<Option<PageMissing>>,
}

impl Frozen {
    /// Freezes a pane as it is now. Above an alternate screen the main one's history is still there.
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

    /// The text, for as long as the engine is not fed.
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

    /// A row, which can be read when the engine is not at hand any more.
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

    /// A page of history that was looked for and could not be read, if there was one: its lines are empty.
    #[must_use]
    pub fn missing(&self) -> Option<PageMissing> {
        self.missing.get()
    }

    /// Which character of which line of the pane's life is shown at a place; rows and columns change with
    /// a resize, this does not.
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

    /// The place where a character is shown.
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

    /// Forgets pages the engine has dropped.
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

    /// Counts pages until the one that holds the row `above` rows above the screen is counted.
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

    /// Counts a page, the next above those that are counted.
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
            // The line has grown since: what came later was on the screen.
            rows.keep_of_last_line(open);
        }
        let rows = Arc::new(rows);
        cache.truncate(CACHED - 1);
        cache.insert(0, (page.first_line, Arc::clone(&rows)));
        rows
    }
}

/// A character of the pane's text, whatever the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The line, counted through the pane's life.
    pub line: u64,
    /// Cells from its beginning.
    pub offset: usize,
}

#[derive(Debug)]
pub enum FrozenRow<'a> {
    OnScreen(RowView<'a>),
    /// Of history: the rows of its page, and which of them.
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

/// A frozen view of a pane, to be read.
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
