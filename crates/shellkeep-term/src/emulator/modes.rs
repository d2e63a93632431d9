//! Setting, resetting, saving and reporting modes.

use super::cursor::{CursorStyle, SavedCursor};
use super::pen::Pen;
use super::screen::Protection;
use super::terminal::Terminal;
use crate::mode::{Modes, MouseEncoding, MouseProtocol};
use crate::op::{Erase, Spare};
use crate::parser::Csi;

/// The answer to DECRQM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModeState {
    Unknown = 0,
    Set = 1,
    Reset = 2,
    AlwaysSet = 3,
    AlwaysReset = 4,
}

impl From<bool> for ModeState {
    fn from(on: bool) -> Self {
        if on { Self::Set } else { Self::Reset }
    }
}

impl Terminal {
    /// SM and RM.
    pub(crate) fn set_ansi_mode(&mut self, mode: u16, on: bool) {
        match mode {
            2 => self.flags.keyboard_locked = on,
            4 => self.screen.writing.insert = on,
            12 => self.flags.local_echo_off = on,
            20 => self.modes.newline = on,
            _ => {}
        }
    }

    pub(crate) fn ansi_mode(&self, mode: u16) -> ModeState {
        match mode {
            2 => self.flags.keyboard_locked.into(),
            4 => self.screen.writing.insert.into(),
            12 => self.flags.local_echo_off.into(),
            20 => self.modes.newline.into(),
            // Modes of ECMA-48 that no terminal of this kind can set.
            1 | 3 | 5 | 7 | 10 | 11 | 13..=19 => ModeState::AlwaysReset,
            _ => ModeState::Unknown,
        }
    }

    /// DECSET and DECRST.
    pub(crate) fn set_private_mode(&mut self, mode: u16, on: bool) {
        self.screen.canvas.dirty.cursor();
        match mode {
            1 => self.modes.application_cursor = on,
            3 => self.switch_columns(on),
            5 => {
                self.modes.reverse_screen = on;
                self.screen.canvas.dirty.all();
            }
            6 => {
                self.screen.margins.origin = on;
                self.home();
            }
            7 => self.screen.writing.autowrap = on,
            9 => self.modes.set_mouse(MouseProtocol::X10, on),
            12 => self.cursor_style.blinks = on,
            25 => self.cursor_style.is_visible = on,
            40 => self.flags.column_switch = on,
            45 => self.screen.writing.reverse_wrap = on,
            47 => self.switch_screen(on),
            66 => self.modes.application_keypad = on,
            67 => self.modes.backarrow_sends_backspace = on,
            69 => {
                self.screen.margins.has_sides = on;
                self.screen.margins.area.left = 0;
                self.screen.margins.area.right = self.screen.margins.last_col();
            }
            95 => self.flags.keep_on_column_switch = on,
            1000 => self.modes.set_mouse(MouseProtocol::Buttons, on),
            1002 => self.modes.set_mouse(MouseProtocol::Drag, on),
            1003 => self.modes.set_mouse(MouseProtocol::Motion, on),
            1004 => self.modes.focus_events = on,
            1005 => self.modes.set_mouse_encoding(MouseEncoding::Utf8, on),
            1006 => self.modes.set_mouse_encoding(MouseEncoding::Sgr, on),
            1007 => self.modes.alternate_scroll = on,
            1015 => self.modes.set_mouse_encoding(MouseEncoding::Urxvt, on),
            1016 => self.modes.set_mouse_encoding(MouseEncoding::SgrPixels, on),
            1045 => self.screen.writing.extended_reverse_wrap = on,
            1047 => {
                if !on && self.screen.canvas.alternate {
                    self.erase_display(Erase::All, Spare::Nothing);
                }
                self.switch_screen(on);
            }
            1048 if on => self.screen.save_cursor(),
            1048 => self.screen.restore_cursor(),
            1049 => self.switch_screen_and_cursor(on),
            2004 => {
                if on {
                    self.shell.line_begins(&mut self.screen);
                } else {
                    self.shell.line_ends();
                }
                self.modes.bracketed_paste = on;
            }
            2026 => self.modes.synchronized_output = on,
            2027 => self.screen.writing.clusters = on,
            2031 => self.modes.color_scheme_events = on,
            2048 => self.modes.in_band_resize = on,
            _ => {}
        }
    }

    pub(crate) fn private_mode(&self, mode: u16) -> ModeState {
        let (flags, modes) = (&self.flags, &self.modes);
        let state = match mode {
            1 => modes.application_cursor,
            3 => flags.wide_columns,
            5 => modes.reverse_screen,
            6 => self.screen.margins.origin,
            7 => self.screen.writing.autowrap,
            9 => modes.mouse == MouseProtocol::X10,
            12 => self.cursor_style.blinks,
            25 => self.cursor_style.is_visible,
            40 => flags.column_switch,
            45 => self.screen.writing.reverse_wrap,
            47 | 1047 | 1049 => self.screen.canvas.alternate,
            66 => modes.application_keypad,
            67 => modes.backarrow_sends_backspace,
            69 => self.screen.margins.has_sides,
            95 => flags.keep_on_column_switch,
            1000 => modes.mouse == MouseProtocol::Buttons,
            1002 => modes.mouse == MouseProtocol::Drag,
            1003 => modes.mouse == MouseProtocol::Motion,
            1004 => modes.focus_events,
            1005 => modes.mouse_encoding == MouseEncoding::Utf8,
            1006 => modes.mouse_encoding == MouseEncoding::Sgr,
            1007 => modes.alternate_scroll,
            1015 => modes.mouse_encoding == MouseEncoding::Urxvt,
            1016 => modes.mouse_encoding == MouseEncoding::SgrPixels,
            1045 => self.screen.writing.extended_reverse_wrap,
            1048 => true,
            2004 => modes.bracketed_paste,
            2026 => modes.synchronized_output,
            2027 => self.screen.writing.clusters,
            2031 => modes.color_scheme_events,
            2048 => modes.in_band_resize,
            // ANSI (not VT52).
            2 => return ModeState::AlwaysSet,
            // Smooth scrolling, key repeat, printing, national sets, highlight tracking.
            4 | 8 | 18 | 19 | 42 | 1001 => return ModeState::AlwaysReset,
            _ => return ModeState::Unknown,
        };
        state.into()
    }

    /// XTSAVE.
    pub(crate) fn save_mode(&mut self, mode: u16) {
        let on = match self.private_mode(mode) {
            ModeState::Set => true,
            ModeState::Reset => false,
            _ => return,
        };
        self.saved_modes.save(mode, on);
    }

    /// XTRESTORE.
    pub(crate) fn restore_mode(&mut self, mode: u16) {
        if let Some(on) = self.saved_modes.get(mode) {
            self.set_private_mode(mode, on);
        }
    }

    /// DECCOLM: a multiplexer cannot change the width of the window, but programs rely on the side effects.
    fn switch_columns(&mut self, on: bool) {
        if !self.flags.column_switch {
            return;
        }
        self.flags.wide_columns = on;
        self.screen.margins.reset();
        self.screen.margins.has_sides = false;
        if !self.flags.keep_on_column_switch {
            self.erase_display(Erase::All, Spare::Nothing);
        }
        self.screen.go(0, 0);
    }

    /// Shows the alternate or the main screen.
    pub(crate) fn switch_screen(&mut self, alternate: bool) {
        if self.screen.canvas.alternate == alternate {
            return;
        }
        self.shell.expect_no_redraw();
        self.screen.canvas.show(alternate);
        self.modes.kitty_keyboard = self.kitty.top(self.screen.canvas.side());
    }

    /// 1049.
    fn switch_screen_and_cursor(&mut self, on: bool) {
        if on {
            if !self.screen.canvas.alternate {
                self.screen.save_cursor();
                self.switch_screen(true);
            }
            self.erase_display(Erase::All, Spare::Nothing);
        } else {
            if self.screen.canvas.alternate {
                self.erase_display(Erase::All, Spare::Nothing);
                self.switch_screen(false);
                // A cleared screen need not be kept.
                self.screen.canvas.other = None;
            }
            self.screen.restore_cursor();
        }
    }

    /// DECSTR.
    pub(crate) fn soft_reset(&mut self) {
        self.cursor_style.is_visible = true;
        self.screen.margins.origin = false;
        self.screen.writing.insert = false;
        self.screen.writing.autowrap = true;
        self.screen.writing.reverse_wrap = false;
        self.screen.writing.extended_reverse_wrap = false;
        self.flags.keyboard_locked = false;
        self.screen.margins.has_sides = false;
        self.modes.application_cursor = false;
        self.modes.application_keypad = false;
        self.modes.modify_other_keys = 0;
        self.modes.format_other_keys_csi_u = false;
        self.screen.protection = Protection::Off;
        self.screen.margins.reset();
        self.screen.set_pen(Pen::default());
        self.screen.saved[self.screen.canvas.side()] = SavedCursor::default();
        self.cursor_style.shape = CursorStyle::default().shape;
        self.screen.canvas.dirty.cursor();
    }
}

impl Modes {
    /// XTMODKEYS.
    pub(crate) fn set_key_modifiers(&mut self, csi: &Csi) {
        match csi.params() {
            [] => self.modify_other_keys = 0,
            [4, level @ ..] => {
                self.modify_other_keys = level.first().map_or(0, |n| (*n).min(2) as u8);
            }
            _ => {}
        }
    }
}
