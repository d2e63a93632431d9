//! The engine: what others see of it.

mod canvas;
pub(crate) mod cursor;
mod dirty;
mod edit;
mod exec;
mod inner;
mod kitty;
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

/// A terminal: bytes in, a screen and its history to look at.
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

    /// Processes output of the program. Feeding in pieces is the same as feeding at once.
    pub fn feed(&mut self, bytes: &[u8], effects: &mut Effects) {
        let mut performer = Performer {
            terminal: &mut self.terminal,
            effects,
        };
        self.parser.feed(bytes, &mut performer);
    }

    /// Changes the size. The main screen is re-wrapped; no text is lost. A screen that grows takes lines
    /// back from the history; where a page of it cannot be read, no further.
    pub fn resize(&mut self, size: Size) {
        self.terminal.resize(size);
    }

    #[must_use]
    pub fn size(&self) -> Size {
        self.terminal.size()
    }

    /// A row of the screen shown. One below the last is the last.
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

    /// What the program wants of keys, mouse and painting.
    #[must_use]
    pub fn modes(&self) -> Modes {
        self.terminal.modes
    }

    #[must_use]
    pub fn title(&self) -> &str {
        &self.terminal.titles.title
    }

    /// Gives the window a title by hand.
    pub fn set_title(&mut self, title: &str) {
        title.clone_into(&mut self.terminal.titles.title);
    }

    #[must_use]
    pub fn icon_name(&self) -> &str {
        &self.terminal.titles.icon
    }

    /// Where the shell said it is.
    #[must_use]
    pub fn cwd(&self) -> Option<&str> {
        self.terminal.cwd.as_deref()
    }

    #[must_use]
    pub fn is_alternate(&self) -> bool {
        self.terminal.screen.canvas.alternate
    }

    /// What the program made of a palette colour, if it did.
    #[must_use]
    pub fn palette_override(&self, index: u8) -> Option<(u8, u8, u8)> {
        self.terminal.palette.get(index)
    }

    /// What the program made of the foreground, the background and the cursor's colour.
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

    /// Logical lines of history. The newest may go on at the top of the screen.
    #[must_use]
    pub fn history_lines(&self) -> usize {
        self.terminal.screen.canvas.history.lines()
    }

    /// The number of the oldest line of history; lines count up from 0 through the pane's life.
    #[must_use]
    pub fn first_history_line(&self) -> u64 {
        self.terminal.screen.canvas.history.first_line()
    }

    /// Rows the history takes at the current width, as many as [`Emulator::history_rows`] has. Pages with longer lines than
    /// that were counted when they were sealed; those sealed at another width, or before a restore, are read here, and
    /// their count is remembered for this width. Of a long history that may be many megabytes, once: see
    /// [`Emulator::history_row_count_to`] and [`Emulator::history_row_count_at_once`].
    #[must_use]
    pub fn history_row_count(&self) -> usize {
        self.history_row_count_to(usize::MAX)
    }

    /// The same, or `most` if there are more. Nothing is read that is not needed to know that: a line has a row at least.
    #[must_use]
    pub fn history_row_count_to(&self, most: usize) -> usize {
        let history = &self.terminal.screen.canvas.history;
        history.row_count(self.size().cols(), most)
    }

    /// The same for callers that ask often and cannot wait, such as a status line. Of the pages that would have to be read, 64
    /// are, newest first; the rest is guessed. Their count is remembered, so every call knows more, and the first knows
    /// all unless more pages than that were sealed at another width or before a restore.
    #[must_use]
    pub fn history_row_count_at_once(&self) -> usize {
        let history = &self.terminal.screen.canvas.history;
        history.row_count_at_once(self.size().cols())
    }

    /// `count` rows of history at most, top first, wrapped at the current width; the lowest is `above`
    /// rows above the screen (0 is the row just above it). Lines that cannot be read are empty rows
    /// ([`HistoryRows::missing`]).
    #[must_use]
    pub fn history_rows(&self, above: usize, count: usize) -> HistoryRows {
        self.terminal
            .screen
            .canvas
            .history
            .rows(above, count, self.size().cols())
    }

    /// The text of the history line with this number, whole and unwrapped; `None` if there is none.
    ///
    /// # Errors
    /// The page it is on cannot be read.
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

    /// Sealed pages the store has not got yet; they leave memory, and are read from the store
    /// ([`Emulator::set_page_store`]), which has to have them from now on. Empty unless pages are kept there.
    pub fn take_sealed(&mut self) -> Vec<SealedPage> {
        self.terminal.screen.canvas.history.take_sealed()
    }

    /// The number of the oldest page within the limit on history; `None` if there is no limit. The store need not keep
    /// those before it.
    #[must_use]
    pub fn first_page_within_limit(&self) -> Option<u64> {
        self.terminal
            .screen
            .canvas
            .history
            .first_page_within_limit()
    }

    /// Says where to read the pages that were taken. A clone of this engine reads them there too.
    pub fn set_page_store(&mut self, store: Arc<dyn PageStore>) {
        self.terminal.screen.canvas.history.set_store(store);
    }

    /// Changes the most rows of history. Whole pages beyond it are forgotten; 0 forgets all.
    pub fn set_history_limit(&mut self, limit: usize) {
        self.terminal.config.history_limit = limit;
        let cols = self.size().cols();
        self.terminal
            .screen
            .canvas
            .history
            .set_limit(limit, cols.into());
    }

    /// Back to the state of a fresh terminal, for another program; the history stays. RIS, by which a program does the same,
    /// puts the screen into the history first.
    pub fn reset(&mut self) {
        self.parser = Parser::new(self.terminal.config.string_limit);
        self.terminal.reset();
    }

    /// Takes away rows below the cursor: what is above moves down, and as many rows come back from the history. No more are
    /// taken than there are in it.
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

    /// Bytes this engine holds, near enough for a budget.
    #[must_use]
    pub fn memory(&self) -> usize {
        let canvas = &self.terminal.screen.canvas;
        let other = canvas.other.as_ref().map_or(0, crate::grid::Grid::heap);
        let heap = canvas.grid.heap() + other + canvas.tables.heap() + canvas.history.heap();
        size_of::<Self>() + heap + self.parser.string.capacity()
    }
}
