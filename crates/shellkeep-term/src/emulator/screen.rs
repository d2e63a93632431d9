//! The state of one terminal and the small steps everything else is made of.

use shellkeep_core::{Color, CursorShape, Size, Style};

use crate::charset::Charsets;
use crate::config::Config;
use crate::emulator::palette::Palette;
use crate::emulator::prompt::PromptPlace;
use crate::emulator::sgr_stack::SgrStack;
use crate::grid::cell::Cell;
use crate::grid::look::{Look, Tables};
use crate::grid::{Area, Grid};
use crate::history::History;
use crate::mode::Modes;
use crate::tabstop::TabStops;

/// What the program writes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pen {
    pub(crate) style: Style,
    /// Number of the link in force; 0 is none.
    pub(crate) link: u32,
    pub(crate) protected: bool,
    pub(crate) charsets: Charsets,
}

/// The cursor's place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) row: u16,
    pub(crate) col: u16,
    /// The last column was just written: the next character wraps first.
    pub(crate) pending: bool,
}

/// What DECSC keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) place: Place,
    pub(crate) pen: Pen,
    pub(crate) origin: bool,
}

/// Whose protection the erasing operations honour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Protection {
    /// Nothing was ever protected.
    #[default]
    Off = 0,
    /// DECSCA: only the selective erases spare.
    Dec = 1,
    /// SPA: every erase spares.
    Iso = 2,
}

/// The level a terminal starts with: a VT420.
const DEFAULT_CONFORMANCE: u8 = 64;

/// What the shell's marks (OSC 133) say it is doing, or what it does without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ShellPhase {
    /// It never told, or it does not tell when commands end, or one runs.
    #[default]
    Unknown = 0,
    /// A command has ended: a prompt will follow.
    Ended = 1,
    /// It shows a prompt, which it will draw anew when the size changes.
    Prompt = 2,
    /// The size has changed, and the prompt was not drawn anew yet.
    Redraw = 3,
    /// It tells nothing, but it reads a line: it has switched bracketed paste on.
    Reading = 4,
    /// The size has changed since.
    Reread = 5,
}

/// The modes that stay inside the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flags {
    pub(crate) origin: bool,
    pub(crate) insert: bool,
    pub(crate) autowrap: bool,
    pub(crate) reverse_wrap: bool,
    /// 1045: backwards also over lines that were not wrapped, and around the screen.
    pub(crate) extended_reverse_wrap: bool,
    /// DECLRMM: the side margins count.
    pub(crate) side_margins: bool,
    pub(crate) cursor_visible: bool,
    pub(crate) cursor_blink: bool,
    /// 40: DECCOLM is obeyed.
    pub(crate) column_switch: bool,
    /// DECCOLM as last set.
    pub(crate) wide_columns: bool,
    /// DECNCSM: DECCOLM does not clear.
    pub(crate) keep_on_column_switch: bool,
    /// DECSACE: attribute changes take rectangles, not runs of text.
    pub(crate) rectangular: bool,
    /// KAM, remembered only.
    pub(crate) keyboard_locked: bool,
    /// SRM, remembered only.
    pub(crate) local_echo_off: bool,
    /// 2027: emoji with a tone of skin are clusters, too. All others always are.
    pub(crate) clusters: bool,
}

impl Default for Flags {
    fn default() -> Self {
        Self {
            origin: false,
            insert: false,
            autowrap: true,
            reverse_wrap: false,
            extended_reverse_wrap: false,
            side_margins: false,
            cursor_visible: true,
            cursor_blink: false,
            column_switch: false,
            wide_columns: false,
            keep_on_column_switch: false,
            rectangular: false,
            keyboard_locked: false,
            local_echo_off: true,
            clusters: false,
        }
    }
}

/// Everything but the parser.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    pub(crate) size: Size,
    /// The grid shown.
    pub(crate) grid: Grid,
    /// The other one: the alternate while the main is shown (if it was ever used), or the main.
    pub(crate) other: Option<Grid>,
    pub(crate) alternate: bool,
    pub(crate) place: Place,
    pub(crate) pen: Pen,
    /// The pen's look number and the cell erasing leaves, while `pen_stale` is false.
    pub(crate) look: u32,
    pub(crate) blank: Cell,
    pub(crate) pen_stale: bool,
    /// Saved cursors of the main and the alternate screen.
    pub(crate) saved: [Saved; 2],
    /// Scroll region and side margins.
    pub(crate) margins: Area,
    pub(crate) flags: Flags,
    pub(crate) modes: Modes,
    /// Kitty keyboard flags of the main and the alternate screen, innermost last.
    pub(crate) kitty: [Vec<u8>; 2],
    pub(crate) shape: CursorShape,
    pub(crate) protection: Protection,
    /// DECSCL's level, 61 to 65.
    pub(crate) conformance: u8,
    /// XTPUSHSGR.
    pub(crate) sgr_stack: SgrStack,
    pub(crate) shell: ShellPhase,
    pub(crate) prompt: PromptPlace,
    pub(crate) tabs: TabStops,
    pub(crate) title: String,
    pub(crate) icon: String,
    /// Pushed titles and icon names, oldest first.
    pub(crate) titles: Vec<(String, String)>,
    pub(crate) cwd: Option<String>,
    pub(crate) palette: Palette,
    /// What REP repeats.
    pub(crate) last_char: Option<char>,
    /// XTSAVE.
    pub(crate) saved_modes: Vec<(u16, bool)>,
    pub(crate) tables: Tables,
    pub(crate) history: History,
    pub(crate) dirty: super::dirty::DirtyRows,
    pub(crate) config: Config,
}

impl Screen {
    pub(crate) fn new(size: Size, config: Config) -> Self {
        Self {
            size,
            grid: Grid::new(size),
            other: None,
            alternate: false,
            place: Place::default(),
            pen: Pen::default(),
            look: 0,
            blank: Cell::BLANK,
            pen_stale: false,
            saved: [Saved::default(); 2],
            margins: full(size),
            flags: Flags::default(),
            modes: Modes::default(),
            kitty: [Vec::new(), Vec::new()],
            shape: CursorShape::Default,
            protection: Protection::Off,
            conformance: DEFAULT_CONFORMANCE,
            sgr_stack: SgrStack::default(),
            shell: ShellPhase::Unknown,
            prompt: PromptPlace::default(),
            tabs: TabStops::default(),
            title: String::new(),
            icon: String::new(),
            titles: Vec::new(),
            cwd: None,
            palette: Palette::default(),
            last_char: None,
            saved_modes: Vec::new(),
            tables: Tables::default(),
            history: History::new(&config),
            dirty: super::dirty::DirtyRows::new(size.rows()),
            config,
        }
    }

    pub(crate) fn last_row(&self) -> u16 {
        self.size.rows() - 1
    }

    pub(crate) fn last_col(&self) -> u16 {
        self.size.cols() - 1
    }

    pub(crate) fn cols(&self) -> usize {
        usize::from(self.size.cols())
    }

    /// The index of the active screen's saved things.
    pub(crate) fn side(&self) -> usize {
        usize::from(self.alternate)
    }

    /// Brings the look numbers in line with the pen, and collects garbage when it is due: this is the
    /// one place where no number is held by anybody but the grids.
    #[cold]
    pub(crate) fn refresh_pen(&mut self) {
        if self.tables.is_full() {
            self.collect();
        }
        let pen = &self.pen;
        self.look = self
            .tables
            .intern(Look::new(&pen.style, pen.link, pen.protected));
        self.blank = Cell::BLANK;
        if pen.style.bg != Color::Default {
            let style = Style {
                bg: pen.style.bg,
                ..Style::default()
            };
            self.blank = Cell::blank(self.tables.intern(Look::new(&style, 0, false)));
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
        let mut marks = self.tables.marks();
        let mut cells = 0;
        for cell in self
            .grid
            .stored()
            .chain(self.other.iter().flat_map(Grid::stored))
        {
            marks.mark(cell);
            cells += 1;
        }
        for pen in self.pens_mut() {
            marks.mark_link(pen.link);
        }
        self.tables.sweep(&mut marks, cells);
        self.grid.for_each_mut(|cell| *cell = marks.moved(*cell));
        if let Some(other) = &mut self.other {
            other.for_each_mut(|cell| *cell = marks.moved(*cell));
        }
        for pen in self.pens_mut() {
            pen.link = marks.moved_link(pen.link);
        }
        self.pen_stale = true;
    }

    fn pens_mut(&mut self) -> impl Iterator<Item = &mut Pen> {
        let saved = self.saved.iter_mut().map(|saved| &mut saved.pen);
        std::iter::once(&mut self.pen).chain(saved)
    }

    /// Marks a row as changed.
    #[inline]
    pub(crate) fn touch(&mut self, row: u16) {
        self.dirty.row(row);
    }

    /// The leftmost column the cursor's line movements know.
    pub(crate) fn left(&self) -> u16 {
        if self.flags.side_margins {
            self.margins.left
        } else {
            0
        }
    }

    /// The rightmost column of the side margins.
    pub(crate) fn right(&self) -> u16 {
        if self.flags.side_margins {
            self.margins.right
        } else {
            self.last_col()
        }
    }

    /// The last column text can reach from where the cursor is.
    #[inline]
    pub(crate) fn limit(&self) -> u16 {
        let right = self.right();
        if self.place.col > right {
            self.last_col()
        } else {
            right
        }
    }

    /// Whether the side margins are those of the screen.
    pub(crate) fn is_full_width(&self) -> bool {
        self.left() == 0 && self.right() == self.last_col()
    }

    /// Whether the cursor is between the side margins.
    pub(crate) fn in_columns(&self) -> bool {
        (self.left()..=self.right()).contains(&self.place.col)
    }

    /// Whether the cursor is inside the scroll region and the side margins.
    pub(crate) fn in_margins(&self) -> bool {
        self.in_columns() && (self.margins.top..=self.margins.bottom).contains(&self.place.row)
    }

    /// The scroll region with the side margins as they count now.
    pub(crate) fn region(&self) -> Area {
        Area {
            left: self.left(),
            right: self.right(),
            ..self.margins
        }
    }

    /// Moves the cursor, held to the screen.
    pub(crate) fn go(&mut self, row: u16, col: u16) {
        self.place = Place {
            row: row.min(self.last_row()),
            col: col.min(self.last_col()),
            pending: false,
        };
        self.dirty.cursor();
    }

    /// Moves the region's text up; what leaves the top of the main screen becomes history.
    pub(crate) fn scroll_up(&mut self, area: Area, count: u16) {
        let blank = self.blank();
        self.dirty.rows(area.top, area.bottom);
        if area.left > 0 || area.right < self.last_col() {
            return self.grid.scroll_box_up(area, count, blank);
        }
        let count = count.min(area.bottom - area.top + 1);
        if area.top == 0 && !self.alternate {
            let cols = self.cols();
            for row in 0..count {
                self.history
                    .push_row(self.grid.row(row), cols, &self.tables);
            }
        } else if area.top > 0 {
            // The row above loses what it was continued by.
            self.grid.row_mut(area.top - 1).wrapped = false;
        }
        self.grid.scroll_up(area.top, area.bottom, count, blank);
    }

    /// Moves the region's text down.
    pub(crate) fn scroll_down(&mut self, area: Area, count: u16) {
        let blank = self.blank();
        self.dirty.rows(area.top, area.bottom);
        if area.left > 0 || area.right < self.last_col() {
            return self.grid.scroll_box_down(area, count, blank);
        }
        let count = count.min(area.bottom - area.top + 1);
        self.grid.scroll_down(area.top, area.bottom, count, blank);
        // The last row that stays has lost what followed it, and so has the one above the region.
        self.grid.row_mut(area.bottom).wrapped = false;
        match area.top.checked_sub(1) {
            Some(above) => self.grid.row_mut(above).wrapped = false,
            None if !self.alternate => self.history.close(),
            None => {}
        }
    }

    /// Back to the state of a fresh terminal; the history stays.
    pub(crate) fn reset(&mut self) {
        let fresh = Self::new(self.size, self.config.clone());
        let old = std::mem::replace(self, fresh);
        // Pages remember look numbers of the old tables.
        self.tables.epoch = old.tables.epoch.wrapping_add(1);
        self.history = old.history;
        self.history.close();
        self.title = old.title;
        self.icon = old.icon;
        self.cwd = old.cwd;
        self.dirty = old.dirty;
        self.dirty.all();
    }
}

/// Margins that leave the whole screen free.
pub(crate) fn full(size: Size) -> Area {
    Area {
        top: 0,
        left: 0,
        bottom: size.rows() - 1,
        right: size.cols() - 1,
    }
}
