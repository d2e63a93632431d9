//! The public face of the engine: [`Emulator`], and what can be read from it.

mod canvas;
pub(crate) mod cursor;
mod dirty;
mod edit;
mod exec;
mod inner;
mod kitty;
mod lines;
mod margins;
mod modes;
mod motion;
mod osc;
pub(crate) mod palette;
pub(crate) mod pen;
mod print;
pub(crate) mod prompt;
mod rect;
mod report;
mod resize;
mod saved_modes;
pub(crate) mod screen;
mod sgr;
pub(crate) mod sgr_stack;
pub(crate) mod terminal;
mod titles;

use std::sync::Arc;

use shellkeep_core::Size;

use crate::config::Config;
use crate::effects::Effects;
use crate::grid::look::Tables;
use crate::history::read::{HistoryRows, PageMissing};
use crate::history::store::{PageStore, SealedPage};
use crate::mode::Modes;
use crate::parser::Parser;
use crate::view::{Cursor, Dirty, RowView};
use exec::Performer;
pub use inner::InnerModes;
use terminal::Terminal;

/// A terminal: takes bytes, and shows a screen and its history.
#[derive(Clone, Debug)]
pub struct Emulator {
    pub(crate) parser: Parser,
    pub(crate) terminal: Terminal,
}

impl Emulator {
    #[must_use]
    pub fn new(size: Size, config: Config) -> Self {
        Self {
            parser: Parser::new(config.string_limit),
            terminal: Terminal::new(size, config),
        }
    }

    /// Sets the time, in seconds since 1970, of all rows that are written from now on. 0 means unknown, as at first.
    pub fn set_time(&mut self, seconds: u32) {
        self.terminal.screen.canvas.time = seconds;
    }

    /// Processes output of the program. The result does not depend on how the output is split.
    pub fn feed(&mut self, bytes: &[u8], effects: &mut Effects) {
        let mut performer = Performer {
            terminal: &mut self.terminal,
            effects,
        };
        self.parser.feed(bytes, &mut performer);
    }

    /// Changes the size. The main screen is re-wrapped, and no text is lost. A screen that grows takes lines back from
    /// the history, down to the first page that cannot be read.
    pub fn resize(&mut self, size: Size) {
        self.terminal.resize(size);
    }

    #[must_use]
    pub fn size(&self) -> Size {
        self.terminal.size()
    }

    /// A row of the screen shown. A number below the last row gives the last row.
    #[must_use]
    pub fn row(&self, row: u16) -> RowView<'_> {
        let (margins, canvas) = (&self.terminal.screen.margins, &self.terminal.screen.canvas);
        let row = canvas.grid.row(row.min(margins.last_row()));
        RowView::new(row, margins.size.cols(), &canvas.tables)
    }

    /// All rows of the screen shown, top first.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = RowView<'_>> {
        (0..self.size().rows()).map(|row| self.row(row))
    }

    #[must_use]
    pub fn cursor(&self) -> Cursor {
        let (at, style) = (self.terminal.screen.cursor, self.terminal.cursor_style);
        Cursor {
            row: at.row,
            col: at.col,
            visible: style.is_visible,
            shape: style.shape,
            blink: style.blinks,
            pending_wrap: at.pending,
        }
    }

    /// The modes that the program has set for keys, mouse and painting.
    #[must_use]
    pub fn modes(&self) -> Modes {
        self.terminal.modes
    }

    #[must_use]
    pub fn title(&self) -> &str {
        &self.terminal.titles.title
    }

    /// Sets the title on behalf of a user instead of the program.
    pub fn set_title(&mut self, title: &str) {
        title.clone_into(&mut self.terminal.titles.title);
    }

    #[must_use]
    pub fn icon_name(&self) -> &str {
        &self.terminal.titles.icon
    }

    /// The directory that the shell reported.
    #[must_use]
    pub fn cwd(&self) -> Option<&str> {
        self.terminal.cwd.as_deref()
    }

    #[must_use]
    pub fn is_alternate(&self) -> bool {
        self.terminal.screen.canvas.alternate
    }

    /// The colour that the program gave to a palette entry, if it changed it.
    #[must_use]
    pub fn palette_override(&self, index: u8) -> Option<(u8, u8, u8)> {
        self.terminal.palette.get(index)
    }

    /// The colours that the program gave to foreground, background and cursor, where it changed them.
    #[must_use]
    pub fn dynamic_colors(&self) -> [Option<(u8, u8, u8)>; 3] {
        let [foreground, background, cursor, ..] = self.terminal.palette.dynamic;
        [foreground, background, cursor]
    }

    /// Whether the program changed any palette colour.
    #[must_use]
    pub fn has_palette_overrides(&self) -> bool {
        self.terminal.palette.colors.is_some()
    }

    /// Which rows changed since the last call.
    pub fn take_dirty(&mut self) -> Dirty {
        self.terminal.screen.canvas.dirty.take()
    }

    /// A number that grows with every visible change.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.terminal.screen.canvas.dirty.generation
    }

    /// The number of logical lines of history. The newest may continue at the top of the screen.
    #[must_use]
    pub fn history_lines(&self) -> usize {
        self.terminal.screen.canvas.history.lines()
    }

    /// The number of the oldest line of history. Lines are numbered from 0 on through the life of the pane.
    #[must_use]
    pub fn first_history_line(&self) -> u64 {
        self.terminal.screen.canvas.history.first_line()
    }

    /// The number of rows of history at the current width, the same that [`Emulator::history_rows`] shows. Lines that
    /// need several rows are counted when their page is sealed. Pages that were sealed at another width or before a
    /// restore are read now, and their count is cached for this width. With a long history that can be many megabytes
    /// once: see [`Emulator::history_row_count_to`] and [`Emulator::history_row_count_at_once`].
    #[must_use]
    pub fn history_row_count(&self) -> usize {
        self.history_row_count_to(usize::MAX)
    }

    /// As [`Emulator::history_row_count`], but at most `most`. Reads only the pages needed for that: a line has at
    /// least one row.
    #[must_use]
    pub fn history_row_count_to(&self, most: usize) -> usize {
        let history = &self.terminal.screen.canvas.history;
        history.row_count(self.size().cols(), most)
    }

    /// An estimate of [`Emulator::history_row_count`] for callers that ask often and cannot wait, such as a status
    /// line. At most 64 of the pages that have to be read are read, newest first, and the rest is guessed. The counts
    /// are cached, so each call is more exact. The first is exact unless more pages than that were sealed at another
    /// width or before a restore.
    #[must_use]
    pub fn history_row_count_at_once(&self) -> usize {
        let history = &self.terminal.screen.canvas.history;
        history.row_count_at_once(self.size().cols())
    }

    /// At most `count` rows of history, top first, wrapped at the current width. The lowest is `above` rows above the
    /// screen (0 is the row just above it). Lines that cannot be read are empty rows ([`HistoryRows::missing`]).
    #[must_use]
    pub fn history_rows(&self, above: usize, count: usize) -> HistoryRows {
        self.terminal
            .screen
            .canvas
            .history
            .rows(above, count, self.size().cols())
    }

    /// The whole text of a history line, unwrapped; `None` if there is no line of this number.
    ///
    /// # Errors
    /// When its page cannot be read.
    pub fn history_text(&self, line: u64) -> Result<Option<String>, PageMissing> {
        let mut tables = Tables::default();
        let Some(line) = self
            .terminal
            .screen
            .canvas
            .history
            .line(line, &mut tables)?
        else {
            return Ok(None);
        };
        let cols = line.cells.len().max(1);
        let mut rows = line.into_rows(cols);
        let row = rows.swap_remove(0);
        Ok(Some(
            RowView::new(&row, cols.min(usize::from(u16::MAX)) as u16, &tables).text(),
        ))
    }

    /// The sealed pages that were not taken before. They leave memory and are from now on read from the store
    /// ([`Emulator::set_page_store`]), so the caller has to store them. Empty unless pages are kept in a store.
    pub fn take_sealed(&mut self) -> Vec<SealedPage> {
        self.terminal.screen.canvas.history.take_sealed()
    }

    /// The number of the oldest page within the history limit; `None` without a limit. The store may drop the pages
    /// before it.
    #[must_use]
    pub fn first_page_within_limit(&self) -> Option<u64> {
        self.terminal
            .screen
            .canvas
            .history
            .first_page_within_limit()
    }

    /// Sets the store from which taken pages are read. Clones of this engine share it.
    pub fn set_page_store(&mut self, store: Arc<dyn PageStore>) {
        self.terminal.screen.canvas.history.set_store(store);
    }

    /// Changes the most rows of history. Whole pages beyond it are dropped; 0 drops all.
    pub fn set_history_limit(&mut self, limit: usize) {
        self.terminal.config.history_limit = limit;
        let cols = self.size().cols();
        self.terminal
            .screen
            .canvas
            .history
            .set_limit(limit, cols.into());
    }

    /// Resets to the state of a fresh terminal for another program, and keeps the history. Unlike RIS from a program,
    /// it does not copy the screen to the history.
    pub fn reset(&mut self) {
        self.parser = Parser::new(self.terminal.config.string_limit);
        self.terminal.reset();
    }

    /// Removes the rows below the cursor: the rows above move down, and rows from the history fill the top. No more
    /// rows are removed than the history has.
    pub fn trim_below_cursor(&mut self) {
        let (size, row) = (self.size(), self.terminal.screen.cursor.row);
        let below = usize::from(size.rows().saturating_sub(row + 1));
        let count = u16::try_from(self.history_row_count_to(below)).unwrap_or(0);
        if count == 0 || self.terminal.screen.canvas.alternate {
            return;
        }
        let blank = self.terminal.screen.blank();
        let first = size.rows() - count;
        let canvas = &mut self.terminal.screen.canvas;
        canvas.grid.clear_rows(first, size.rows() - 1, blank);
        self.terminal.resize(Size::new(first, size.cols()));
        self.terminal.resize(size);
    }

    pub fn clear_history(&mut self) {
        self.terminal.screen.canvas.history.clear();
    }

    /// Approximate bytes of memory of this engine.
    #[must_use]
    pub fn memory(&self) -> usize {
        let canvas = &self.terminal.screen.canvas;
        let other = canvas.other.as_ref().map_or(0, crate::grid::Grid::heap);
        let heap = canvas.grid.heap() + other + canvas.tables.heap() + canvas.history.heap();
        size_of::<Self>() + heap + self.parser.string.capacity()
    }
}
