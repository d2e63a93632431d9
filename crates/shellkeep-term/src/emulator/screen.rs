//! The screen: its cells, the cursor, and the attributes of text that is written.
//!
//! Writing, erasing and scrolling happen here. The screen knows nothing of shells, titles, colours or replies; those
//! belong to the terminal.

use shellkeep_core::{Color, Size, Style};

use super::canvas::Canvas;
use super::cursor::{CursorPosition, SavedCursor};
use super::margins::Margins;
use super::pen::Pen;
use crate::config::Config;
use crate::grid::cell::Cell;
use crate::grid::look::Look;
use crate::tabstop::TabStops;

/// Which erasing operations spare protected cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Protection {
    #[default]
    Off = 0,
    /// DECSCA: only the selective erases spare.
    Dec = 1,
    /// SPA: every erase spares.
    Iso = 2,
}

/// The modes that affect how text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WritingModes {
    pub(crate) insert: bool,
    pub(crate) autowrap: bool,
    pub(crate) reverse_wrap: bool,
    /// 1045: moving back also reaches lines that were not wrapped, and wraps around the screen.
    pub(crate) extended_reverse_wrap: bool,
    /// 2027: emoji with a skin tone form clusters. All other clusters always form.
    pub(crate) clusters: bool,
}

impl Default for WritingModes {
    fn default() -> Self {
        Self {
            insert: false,
            autowrap: true,
            reverse_wrap: false,
            extended_reverse_wrap: false,
            clusters: false,
        }
    }
}

/// One screen with its history, and the cursor on it.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    pub(crate) canvas: Canvas,
    pub(crate) margins: Margins,
    pub(crate) cursor: CursorPosition,
    /// Saved cursors of the main and the alternate screen.
    pub(crate) saved: [SavedCursor; 2],
    pub(crate) pen: Pen,
    /// The pen's look number, and the cell that erasing leaves. Valid while `pen_stale` is false.
    look: u32,
    blank: Cell,
    pub(crate) pen_stale: bool,
    pub(crate) protection: Protection,
    pub(crate) writing: WritingModes,
    pub(crate) tabs: TabStops,
    /// The character that REP repeats.
    pub(crate) last_char: Option<char>,
}

impl Screen {
    pub(crate) fn new(size: Size, config: &Config) -> Self {
        Self {
            canvas: Canvas::new(size, config),
            margins: Margins::new(size),
            cursor: CursorPosition::default(),
            saved: [SavedCursor::default(); 2],
            pen: Pen::default(),
            look: 0,
            blank: Cell::BLANK,
            pen_stale: false,
            protection: Protection::Off,
            writing: WritingModes::default(),
            tabs: TabStops::default(),
            last_char: None,
        }
    }

    /// Updates the look numbers for the pen, and collects garbage if it is due. This is the one place where only the
    /// grids hold look numbers.
    #[cold]
    pub(crate) fn refresh_pen(&mut self) {
        if self.canvas.tables.is_full() {
            self.collect();
        }
        let pen = &self.pen;
        self.look = self
            .canvas
            .tables
            .intern(Look::new(&pen.style, pen.link, pen.protected));
        self.blank = Cell::BLANK;
        if pen.style.bg != Color::Default {
            let style = Style {
                bg: pen.style.bg,
                ..Style::default()
            };
            self.blank = Cell::blank(self.canvas.tables.intern(Look::new(&style, 0, false)));
        }
        self.pen_stale = false;
    }

    /// The look number to write with.
    #[inline]
    pub(crate) fn look(&mut self) -> u32 {
        if self.pen_stale {
            self.refresh_pen();
        }
        self.look
    }

    /// The cell that erasing leaves.
    #[inline]
    pub(crate) fn blank(&mut self) -> Cell {
        if self.pen_stale {
            self.refresh_pen();
        }
        self.blank
    }

    /// Drops table entries that no cell and no pen uses.
    pub(crate) fn collect(&mut self) {
        let [main, alternate] = &mut self.saved;
        let pens = [&mut self.pen, &mut main.pen, &mut alternate.pen];
        self.canvas.collect(pens);
        self.pen_stale = true;
    }
}
