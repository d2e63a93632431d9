//! The terminal without its parser: the screen, and everything else that a program sets.
//!
//! Operations that affect both the screen and another part are here, such as an erase that must keep a shell's prompt.

use shellkeep_core::{CursorShape, Size};

use super::canvas::Protected;
use super::cursor::CursorStyle;
use super::kitty::KittyStacks;
use super::palette::Palette;
use super::prompt::{ShellPhase, ShellPrompt};
use super::saved_modes::SavedModes;
use super::screen::{Protection, Screen};
use super::sgr_stack::SgrStack;
use super::titles::Titles;
use crate::config::Config;
use crate::mode::Modes;
use crate::op::{Erase, Spare};
use crate::parser::Csi;

/// The level a terminal starts with: a VT420.
const DEFAULT_CONFORMANCE: u8 = 64;

/// Modes of the engine that do not affect how text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flags {
    /// 40: DECCOLM has an effect.
    pub(crate) column_switch: bool,
    /// DECCOLM as last set.
    pub(crate) wide_columns: bool,
    /// DECNCSM: DECCOLM does not clear the screen.
    pub(crate) keep_on_column_switch: bool,
    /// DECSACE: attribute changes apply to rectangles instead of runs of text.
    pub(crate) rectangular: bool,
    /// KAM; stored without effect.
    pub(crate) keyboard_locked: bool,
    /// SRM; stored without effect.
    pub(crate) local_echo_off: bool,
}

impl Default for Flags {
    fn default() -> Self {
        Self {
            column_switch: false,
            wide_columns: false,
            keep_on_column_switch: false,
            rectangular: false,
            keyboard_locked: false,
            local_echo_off: true,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Terminal {
    pub(crate) screen: Screen,
    pub(crate) cursor_style: CursorStyle,
    pub(crate) flags: Flags,
    pub(crate) modes: Modes,
    /// XTSAVE.
    pub(crate) saved_modes: SavedModes,
    pub(crate) kitty: KittyStacks,
    /// DECSCL's level, 61 to 65.
    pub(crate) conformance: u8,
    /// XTPUSHSGR.
    pub(crate) sgr_stack: SgrStack,
    pub(crate) shell: ShellPrompt,
    pub(crate) titles: Titles,
    pub(crate) cwd: Option<String>,
    pub(crate) palette: Palette,
    pub(crate) config: Config,
}

impl Terminal {
    pub(crate) fn new(size: Size, config: Config) -> Self {
        Self {
            screen: Screen::new(size, &config),
            cursor_style: CursorStyle::default(),
            flags: Flags::default(),
            modes: Modes::default(),
            saved_modes: SavedModes::default(),
            kitty: KittyStacks::default(),
            conformance: DEFAULT_CONFORMANCE,
            sgr_stack: SgrStack::default(),
            shell: ShellPrompt::default(),
            titles: Titles::default(),
            cwd: None,
            palette: Palette::default(),
            config,
        }
    }

    pub(crate) fn size(&self) -> Size {
        self.screen.margins.size
    }

    pub(crate) fn resize(&mut self, size: Size) {
        self.screen.resize(size, &mut self.shell);
    }

    /// Resets to the state of a fresh terminal, but keeps history, titles and directory.
    pub(crate) fn reset(&mut self) {
        let fresh = Self::new(self.size(), self.config.clone());
        let old = std::mem::replace(self, fresh);
        let (canvas, old_canvas) = (&mut self.screen.canvas, old.screen.canvas);
        canvas.time = old_canvas.time;
        // Pages cache look numbers of the old tables, so the epoch must go on.
        canvas.tables.epoch = old_canvas.tables.epoch.wrapping_add(1);
        canvas.history = old_canvas.history;
        canvas.history.close();
        canvas.dirty = old_canvas.dirty;
        canvas.dirty.all();
        self.titles.title = old.titles.title;
        self.titles.icon = old.titles.icon;
        self.cwd = old.cwd;
    }

    /// LF from a program. With LNM it includes a carriage return.
    #[inline]
    pub(crate) fn line_feed(&mut self) {
        self.screen.index();
        if self.modes.newline {
            self.screen.carriage_return();
        }
    }

    /// CUU.
    pub(crate) fn up(&mut self, count: u16) {
        let fence = self.shell.fence(&self.screen);
        self.screen.up(count, fence);
    }

    /// RI.
    pub(crate) fn reverse_index(&mut self) {
        let fence = self.shell.fence(&self.screen);
        self.screen.reverse_index(fence);
    }

    /// CUP.
    pub(crate) fn position(&mut self, row: u16, col: u16) {
        self.shell.expect_no_redraw();
        self.screen.position(row, col);
    }

    /// The top left corner; in origin mode that of the margins.
    pub(crate) fn home(&mut self) {
        self.position(1, 1);
    }

    /// DECSTBM.
    pub(crate) fn set_margins(&mut self, top: u16, bottom: u16) {
        if self.screen.margins.set_rows(top, bottom) {
            self.home();
        }
    }

    /// DECSLRM.
    pub(crate) fn set_side_margins(&mut self, left: u16, right: u16) {
        if self.screen.margins.set_sides(left, right) {
            self.home();
        }
    }

    /// EL, DECSEL.
    pub(crate) fn erase_line(&mut self, part: Erase, spare: Spare) {
        self.cut_off_redrawn_prompt(part);
        self.screen.erase_line(part, spare);
    }

    /// When a shell that redraws its prompt erases from the start of a row on, the line above no longer continues in it.
    fn cut_off_redrawn_prompt(&mut self, part: Erase) {
        let cursor = self.screen.cursor;
        if part == Erase::After && cursor.col == 0 && self.shell.phase == ShellPhase::Redraw {
            self.screen.canvas.close_above(cursor.row);
        }
    }

    /// ED, DECSED. The caller erases the history, since it can emit the effect.
    pub(crate) fn erase_display(&mut self, part: Erase, spare: Spare) {
        let cursor = self.screen.cursor;
        let is_all =
            part == Erase::All || (part == Erase::After && (cursor.row, cursor.col) == (0, 0));
        if is_all
            && self.screen.protected(spare) == Protected::Erased
            && !self.shell.is_all_prompt(&mut self.screen)
        {
            self.screen.canvas.keep_erased();
        }
        self.cut_off_redrawn_prompt(part);
        self.screen.erase_display(part, spare);
    }

    /// DECSCA, SPA and EPA.
    pub(crate) fn protect(&mut self, on: bool, protection: Protection) {
        self.screen.pen.protected = on;
        self.screen.pen_stale = true;
        if on {
            self.screen.protection = protection;
        }
    }

    /// DECSCL: resets, and sets whether replies and keys use 8-bit controls. The levels do not differ otherwise.
    pub(crate) fn set_conformance(&mut self, csi: &Csi) {
        let level @ 61..=65 = csi.raw(0) else { return };
        self.soft_reset();
        self.conformance = level as u8;
        self.modes.eight_bit_controls = level > 61 && csi.raw(1) != 1;
    }

    pub(crate) fn set_cursor_shape(&mut self, number: u16) {
        if let Some(shape) = CursorShape::from_number(number) {
            self.cursor_style.shape = shape;
            self.cursor_style.blinks = number % 2 == 1;
            self.screen.canvas.dirty.cursor();
        }
    }

    /// Changes the stack of kitty keyboard flags of the active screen, and applies its top.
    pub(crate) fn with_kitty(&mut self, change: impl FnOnce(&mut KittyStacks, usize)) {
        let side = self.screen.canvas.side();
        change(&mut self.kitty, side);
        self.modes.kitty_keyboard = self.kitty.top(side);
    }
}
